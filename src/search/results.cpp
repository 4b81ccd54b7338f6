#include "search/results.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace salvo {
namespace {

// A single absurd value (a penalty of 1e300, say) must not overflow the sums of squares.
constexpr double kLargest = 1e6;

// Twenty times the width of the second-best quarter below the median (13 deviations of a normal distribution), so that
// penalties for just under half of the values do not set the width themselves. No bound for fewer than 8 values or when
// that quarter is all the same.
double lowest_of_note(std::vector<double> y) {
  constexpr double kWidths = 20;
  if (y.size() < 8) return std::numeric_limits<double>::lowest();
  std::sort(y.begin(), y.end());
  const double middle = y[y.size() / 2], high = y[y.size() - 1 - y.size() / 4];
  const double bound = middle - kWidths * (high - middle);
  return high > middle && std::isfinite(bound) ? bound : std::numeric_limits<double>::lowest();
}

}  // namespace

// At least 16: who asks for one point at a time has an initial design of one, and one value has no scale.
std::int64_t num_anchored(int num_initial, int batch) { return std::max(16, num_initial > 0 ? num_initial : batch); }

bool grown(std::int64_t before, std::int64_t now, double share) {
  return now > before && static_cast<double>(now) >= (1 + share) * static_cast<double>(before);
}

void Results::add(const Record& record, double y) {
  ids_.push_back(record.id);
  y_.push_back(y);
  sources_.push_back(record.source);
  const auto* values = std::get_if<Values>(&record.outcome);
  sds_.push_back(values ? standard_error(*values).value_or(-1.0) : -1.0);
  num_sds_ += sds_.back() >= 0 ? 1 : 0;
  last_sequence_ = record.sequence;
}

std::vector<std::int64_t> Results::best(std::int64_t count) const {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(size()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  const auto end = rows.begin() + std::min(count, size());
  std::partial_sort(rows.begin(), end, rows.end(), [&](auto a, auto b) { return y(a) != y(b) ? y(a) > y(b) : id(a) < id(b); });
  rows.erase(end, rows.end());
  return rows;
}

std::vector<std::int64_t> Results::by_id(std::int64_t begin, std::int64_t end) const {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(end - begin));
  std::iota(rows.begin(), rows.end(), begin);
  std::sort(rows.begin(), rows.end(), [&](auto a, auto b) { return id(a) < id(b); });
  return rows;
}

namespace {

double squeezed(const Anchor& units, double y) {
  const auto z = static_cast<double>((static_cast<long double>(y) - units.middle) / units.width);
  return z >= 0 ? z : -std::log1p(-z);
}

}  // namespace

// Wider than double, so that values near its limits neither overflow nor vanish.
double Anchor::to_model(double y) const {
  const double seen = std::max(y, lowest);
  const long double units = ((squeezed() ? salvo::squeezed(*this, seen) : static_cast<long double>(seen)) - centre) / scale;
  return std::clamp(static_cast<double>(units), -kLargest, kLargest);
}

double Anchor::from_model(double y) const {
  const double seen = y * scale + centre;
  if (!squeezed()) return seen;
  return middle + width * (seen >= 0 ? seen : -std::expm1(-seen));
}

double Anchor::unit_at(double y) const {
  const double seen = y * scale + centre;
  return squeezed() && seen < 0 ? unit() * std::exp(-seen) : unit();
}

namespace {

// Of `seen(y)` for the first values; how far down they count is the caller's matter.
template <class Seen, class Lowest>
void centre_first(Anchor& out, const Results& data, std::int64_t num_anchored, const Seen& seen, const Lowest& lowest) {
  const auto rows = data.by_id(0, data.size());
  std::vector<double> y;
  bool varies = false;
  // Where the first values are all the same (a plateau, say), twice as many are looked at: they have no scale.
  for (auto count = static_cast<std::size_t>(num_anchored); !varies && y.size() < rows.size(); count *= 2) {
    y.clear();
    for (const auto row : std::span(rows).first(std::min(rows.size(), count))) y.push_back(seen(data.y(row)));
    const double least = lowest(y);
    const auto n = static_cast<long double>(y.size());
    long double sum = 0, squares = 0;
    for (double& value : y) sum += (value = std::max(value, least));
    const long double mean = sum / n;
    for (const double value : y) squares += (value - mean) * (value - mean);
    const auto deviation = static_cast<double>(std::sqrt(squares / n));
    varies = std::isnormal(deviation) && deviation > 1e-12 * std::abs(static_cast<double>(mean));
    out.centre = static_cast<double>(mean);
    out.scale = varies ? deviation : 1.0;
  }
}

// Median and best, worst twentieth.
struct Spread {
  double median = 0, best = 0, poor = 0;
};
Spread spread_of(const Results& data) {
  std::vector<double> y;
  for (std::int64_t i = 0; i < data.size(); ++i) y.push_back(data.y(i));
  if (y.empty()) return {};
  std::sort(y.begin(), y.end());
  return {y[y.size() / 2], y.back(), y[y.size() / 20]};
}

}  // namespace

double lowest_for(const Results& data, std::span<const std::int64_t> rows, double lowest, double centre, double unit) {
  const double bound = data.bound();
  const bool hides = std::any_of(rows.begin(), rows.end(), [&](std::int64_t row) { return data.y(row) < lowest; });
  if (std::isinf(bound) || !hides) return lowest;
  const double least = bound - std::max(centre - bound, unit);
  return std::isfinite(least) ? std::min(lowest, least) : lowest;
}

Anchor anchor(const Results& data, std::int64_t num_anchored) {
  constexpr double kDeepest = 6;  // units from the centre to what counts as lowest, where a bound is why
  Anchor out;
  centre_first(
      out, data, num_anchored, [](double y) { return y; },
      [&](const std::vector<double>& y) { return out.lowest = lowest_of_note(y); });
  const double lowest = lowest_for(data, data.by_id(0, data.size()), out.lowest, out.centre, out.scale);
  if (lowest < out.lowest) {
    out.lowest = lowest;
    out.scale = std::max(out.scale, (out.centre - lowest) / kDeepest);
  }
  return out;
}

Anchor squeezed_anchor(const Results& data, std::int64_t num_anchored) {
  const Spread spread = spread_of(data);
  const double width = spread.best - spread.median;
  if (!std::isnormal(width) || width < 1e-12 * std::abs(spread.median)) return anchor(data, num_anchored);
  Anchor out{.middle = spread.median, .width = width};
  centre_first(
      out, data, num_anchored, [&](double y) { return squeezed(out, y); },
      [](const std::vector<double>&) { return std::numeric_limits<double>::lowest(); });
  return out;
}

double tail(const Results& data) {
  const Spread spread = spread_of(data);
  return spread.best > spread.median ? (spread.median - spread.poor) / (spread.best - spread.median) : 1.0;
}

}  // namespace salvo

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
  chosen_.push_back(record.source == Source::model);
  last_sequence_ = record.sequence;
}

std::vector<std::int64_t> Results::by_id(std::int64_t begin, std::int64_t end) const {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(end - begin));
  std::iota(rows.begin(), rows.end(), begin);
  std::sort(rows.begin(), rows.end(), [&](auto a, auto b) { return id(a) < id(b); });
  return rows;
}

// Wider than double, so that values near its limits neither overflow nor vanish.
double Anchor::to_model(double y) const {
  const long double units = (static_cast<long double>(std::max(y, lowest)) - centre) / scale;
  return std::clamp(static_cast<double>(units), -kLargest, kLargest);
}

Anchor anchor(const Results& data, std::int64_t num_anchored) {
  const auto rows = data.by_id(0, data.size());
  Anchor out;
  std::vector<double> y;
  bool varies = false;
  // Where the first values are all the same (a plateau, say), twice as many are looked at: they have no scale.
  for (auto count = static_cast<std::size_t>(num_anchored); !varies && y.size() < rows.size(); count *= 2) {
    y.clear();
    for (const auto row : std::span(rows).first(std::min(rows.size(), count))) y.push_back(data.y(row));
    out.lowest = lowest_of_note(y);
    const auto n = static_cast<long double>(y.size());
    long double sum = 0, squares = 0;
    for (double& value : y) sum += (value = std::max(value, out.lowest));
    const long double mean = sum / n;
    for (const double value : y) squares += (value - mean) * (value - mean);
    const auto deviation = static_cast<double>(std::sqrt(squares / n));
    varies = std::isnormal(deviation) && deviation > 1e-12 * std::abs(static_cast<double>(mean));
    out.centre = static_cast<double>(mean);
    out.scale = varies ? deviation : 1.0;
  }
  return out;
}

}  // namespace salvo

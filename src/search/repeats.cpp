#include "search/repeats.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <unordered_map>

#include "sample/taken.h"

namespace salvo {

namespace {

constexpr std::int64_t kOneOf = 25, kOneOfNoisy = 50;  // evaluations, of which one may be a repeat
constexpr std::int64_t kMost = 100;
constexpr double kEnoughFresh = 4;  // degrees of freedom without the first values

// A point that was evaluated again, or may be.
struct Repeated {
  std::int64_t row = -1;  // of its first value
  std::int64_t num_values = 0, num_pending = 0, num_tried = 0;
  bool differ = false;  // its values
  [[nodiscard]] std::int64_t num_repeats() const { return std::max(num_values + num_pending - 1, num_tried); }
  [[nodiscard]] bool failed() const { return num_tried > std::max<std::int64_t>(0, num_values - 1); }
};

std::span<const double> point_of(const Matrix& X, Eigen::Index row) {
  return {X.row(row).data(), static_cast<std::size_t>(X.cols())};
}

// Of pending points and of repeats, those that have a value.
std::unordered_map<std::string, Repeated> repeated_places(const Observations& data, const Matrix& taken, const Matrix& tried) {
  std::unordered_map<std::string, Repeated> out;
  for (Eigen::Index i = 0; i < taken.rows(); ++i) ++out[point_key(point_of(taken, i))].num_pending;
  for (Eigen::Index i = 0; i < tried.rows(); ++i) ++out[point_key(point_of(tried, i))].num_tried;
  for (std::int64_t row = 0; row < data.size() && !out.empty(); ++row) {
    const auto found = out.find(point_key({data.X().row(row).data(), static_cast<std::size_t>(data.X().cols())}));
    if (found == out.end()) continue;
    Repeated& place = found->second;
    if (place.row >= 0 && data.y(row) != data.y(place.row)) place.differ = true;
    if (place.row < 0 || data.id(row) < data.id(place.row)) place.row = row;
    ++place.num_values;
  }
  std::erase_if(out, [](const auto& each) { return each.second.num_values == 0; });
  return out;
}

// Calls f with the rows of each distinct point, in their order.
template <class F>
void for_each_place(const Matrix& X, F f) {
  std::vector<Eigen::Index> rows(static_cast<std::size_t>(X.rows()));
  std::iota(rows.begin(), rows.end(), Eigen::Index{0});
  std::sort(rows.begin(), rows.end(), [&](Eigen::Index a, Eigen::Index b) {
    const bool less = std::lexicographical_compare(X.row(a).begin(), X.row(a).end(), X.row(b).begin(), X.row(b).end());
    return less || (X.row(a) == X.row(b) && a < b);
  });
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && X.row(rows[end]) == X.row(rows[begin])) ++end;
    f(std::span<const Eigen::Index>(rows.data() + begin, end - begin));
  }
}

// The sum of squares of these values around their mean, and its degrees of freedom.
void add_values(RepeatedNoise& out, const Vector& y, const Vector& r, std::span<const Eigen::Index> rows) {
  if (rows.empty()) return;
  double sum = 0, squares = 0, weights = 0;  // from the first: of equal values exactly 0
  for (const Eigen::Index row : rows) {
    const double apart = y(row) - y(rows[0]), weight = r.size() == 0 ? 1.0 : 1 / r(row);
    sum += weight * apart;
    squares += weight * apart * apart;
    weights += weight;
  }
  out.variance += std::max(0.0, squares - sum * sum / weights);
  out.degrees += static_cast<double>(rows.size()) - 1;
}

}  // namespace

std::vector<std::int64_t> due_repeats(const Observations& data, const Matrix& taken, const Matrix& tried, int wanted, int count) {
  const std::int64_t total = data.size() + taken.rows() + count;
  if (wanted == 0 || total < kOneOf) return {};
  const auto places = repeated_places(data, taken, tried);
  std::int64_t used = 0, passed_over = 0;
  bool noisy = false;
  std::vector<std::int64_t> out;  // those with two values that want a third, if there is noise
  for (const auto& [key, place] : places) {
    used += place.num_repeats();
    passed_over += place.num_values;
    noisy = noisy || place.differ;
    if (place.num_values == 2 && place.num_pending == 0 && !place.failed()) out.push_back(place.row);
  }
  std::int64_t allowed = std::min<std::int64_t>(wanted, total / kOneOf);
  if (noisy && used >= wanted) allowed = std::max(allowed, std::min(kMost, total / kOneOfNoisy));
  const std::int64_t due = std::min<std::int64_t>(count, allowed - used);
  if (due <= 0) return {};
  if (!noisy || used < wanted) out.clear();
  std::sort(out.begin(), out.end(), [&](auto a, auto b) { return data.id(a) < data.id(b); });
  Taken chosen(Matrix(0, data.X().cols()));
  for (const std::int64_t row : data.best(due + passed_over)) {
    if (std::ssize(out) >= due) break;
    const std::span<const double> x{data.X().row(row).data(), static_cast<std::size_t>(data.X().cols())};
    if (!places.contains(point_key(x)) && chosen.insert(x)) out.push_back(row);
  }
  if (std::ssize(out) > due) out.resize(static_cast<std::size_t>(due));
  return out;
}

RepeatedNoise repeated_noise(const Matrix& X, const Vector& y, const Vector& r) {
  RepeatedNoise all, fresh;
  for_each_place(X, [&](std::span<const Eigen::Index> rows) {
    add_values(all, y, r, rows);
    add_values(fresh, y, r, rows.subspan(1));
  });
  RepeatedNoise& out = fresh.degrees >= kEnoughFresh && fresh.variance > 0 ? fresh : all;
  if (out.degrees > 0) out.variance /= out.degrees;
  return out;
}

Averages averages(const Matrix& X, const Vector& y, const Vector& r) {
  Averages out{y, r.size() == 0 ? Vector::Ones(y.size()) : Vector(r.cwiseInverse())};
  for_each_place(X, [&](std::span<const Eigen::Index> rows) {
    if (rows.size() == 1) return;
    const Vector weights = out.count(rows);
    const double count = weights.sum();
    double mean = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      mean += y(rows[i]) / (count / weights(static_cast<Eigen::Index>(i)));  // a sum might overflow
    for (const Eigen::Index row : rows) {
      out.mean(row) = mean;
      out.count(row) = count;
    }
  });
  return out;
}

namespace {

// Wilson and Hilferty: the χ² of so many degrees of freedom, over their number, at so many deviations from its middle.
double chi_squared(double degrees, double deviations) {
  return std::pow(1 - 2 / (9 * degrees) + deviations * std::sqrt(2 / (9 * degrees)), 3);
}

}  // namespace

double RepeatedNoise::at_least() const { return degrees > 0 ? variance / chi_squared(degrees, 1.645) : 0; }
double RepeatedNoise::at_most() const { return degrees > 0 ? variance / std::max(0.05, chi_squared(degrees, -1.645)) : 0; }

}  // namespace salvo

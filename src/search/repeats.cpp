#include "search/repeats.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sample/taken.h"

namespace salvo {

std::vector<std::int64_t> due_repeats(const Observations& data, const Matrix& taken, const Matrix& tried, int wanted, int count) {
  constexpr std::int64_t kOneOf = 25;
  const std::int64_t allowed = std::min<std::int64_t>(wanted, (data.size() + taken.rows() + count) / kOneOf);
  if (allowed == 0) return {};
  const Matrix none(0, data.X().cols());
  Taken once(none), twice(tried), pending(taken);
  const auto row_of_data = [&](std::int64_t row) {
    return std::span<const double>(data.X().row(row).data(), static_cast<std::size_t>(data.X().cols()));
  };
  std::vector<std::int64_t> rows = data.by_id(0, data.size());
  // Repeats come early: few rows are looked at.
  for (std::size_t i = 0; i < rows.size() && static_cast<std::int64_t>(twice.size()) < allowed; ++i) {
    const auto x = row_of_data(rows[i]);
    if (!once.insert(x) || pending.contains(x)) twice.insert(x);
  }
  const std::int64_t due = std::min<std::int64_t>(count, allowed - static_cast<std::int64_t>(twice.size()));
  if (due <= 0) return {};
  std::stable_sort(rows.begin(), rows.end(), [&](auto a, auto b) { return data.y(a) > data.y(b); });
  std::vector<std::int64_t> out;
  for (const std::int64_t row : rows) {
    if (std::ssize(out) >= due) break;
    if (twice.insert(row_of_data(row))) out.push_back(row);
  }
  return out;
}

RepeatedNoise repeated_noise(const Matrix& X, const Vector& y) {
  std::vector<Eigen::Index> rows(static_cast<std::size_t>(X.rows()));
  std::iota(rows.begin(), rows.end(), Eigen::Index{0});
  std::sort(rows.begin(), rows.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::lexicographical_compare(X.row(a).begin(), X.row(a).end(), X.row(b).begin(), X.row(b).end());
  });
  RepeatedNoise out;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && X.row(rows[end]) == X.row(rows[begin])) ++end;
    const auto count = static_cast<double>(end - begin);
    double sum = 0, squares = 0;  // from the first: of equal values exactly 0
    for (std::size_t i = begin; i < end; ++i) {
      const double apart = y(rows[i]) - y(rows[begin]);
      sum += apart;
      squares += apart * apart;
    }
    out.variance += std::max(0.0, squares - sum * sum / count);
    out.degrees += count - 1;
  }
  if (out.degrees > 0) out.variance /= out.degrees;
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

#include "search/known_noise.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace salvo {
namespace {

constexpr double kLeastRatio = 1e-4, kMostRatio = 1e4;  // of r: a standard error of 0 is one of hardly any

}  // namespace

KnownNoise::KnownNoise(const Results& data, std::int64_t num_rows, const Anchor& units) : data_(data), units_(units) {
  if (data.num_sds() == 0) return;
  std::vector<double> known;
  std::int64_t told = 0;
  for (std::int64_t row = 0; row < num_rows; ++row) {
    if (data.sd(row) < 0) continue;
    ++told;
    if (const double found = variance(row); found > 0 && std::isfinite(found)) known.push_back(found);
  }
  mostly_ = 2 * told >= num_rows;
  if (known.empty()) return;
  const auto middle = known.begin() + std::ssize(known) / 2;
  std::nth_element(known.begin(), middle, known.end());
  typical_ = *middle;
}

// In the model's units as they are at this value.
double KnownNoise::variance(std::int64_t row) const {
  return std::pow(data_.sd(row) / units_.unit_at(units_.to_model(data_.y(row))), 2);
}

double KnownNoise::ratio(std::int64_t row) const {
  return none() || data_.sd(row) < 0 ? 1.0 : std::clamp(variance(row) / typical_, kLeastRatio, kMostRatio);
}

Vector KnownNoise::ratios(std::span<const std::int64_t> rows) const {
  Vector out(none() ? 0 : std::ssize(rows));
  for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = ratio(rows[static_cast<std::size_t>(i)]);
  return out;
}

}  // namespace salvo

#include "search/known_noise.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace salvo {
namespace {

constexpr double kLeastRatio = 1e-4, kMostRatio = 1e4;  // of r: a standard error of 0 is one of hardly any

}  // namespace

KnownNoise::KnownNoise(const Results& data, std::int64_t num_rows, const Anchor& units, double lowest)
    : data_(data), units_(units), lowest_(lowest) {
  if (data.num_sds() == 0) return;
  std::vector<double> variances;
  std::int64_t told = 0;
  for (std::int64_t row = 0; row < num_rows; ++row) {
    told += data.sd(row) < 0 ? 0 : 1;
    if (!known(row)) continue;
    if (const double found = variance(row); found > 0 && std::isfinite(found)) variances.push_back(found);
  }
  mostly_ = 2 * told >= num_rows;
  if (variances.empty()) return;
  const auto middle = variances.begin() + std::ssize(variances) / 2;
  std::nth_element(variances.begin(), middle, variances.end());
  typical_ = *middle;
}

bool KnownNoise::known(std::int64_t row) const { return data_.sd(row) >= 0 && units_.to_model(data_.y(row)) > lowest_; }

// In the model's units as they are at this value.
double KnownNoise::variance(std::int64_t row) const {
  return std::pow(data_.sd(row) / units_.unit_at(units_.to_model(data_.y(row))), 2);
}

double KnownNoise::ratio(std::int64_t row) const {
  return none() || !known(row) ? 1.0 : std::clamp(variance(row) / typical_, kLeastRatio, kMostRatio);
}

Vector KnownNoise::ratios(std::span<const std::int64_t> rows) const {
  Vector out(none() ? 0 : std::ssize(rows));
  for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = ratio(rows[static_cast<std::size_t>(i)]);
  return out;
}

}  // namespace salvo

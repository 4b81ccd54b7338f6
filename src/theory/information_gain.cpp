#include "theory/information_gain.h"

#include <algorithm>
#include <cmath>

#include "math/parallel.h"
#include "math/sobol.h"

namespace salvo {

double InformationGain::after(std::int64_t n) const {
  if (gains.size() == 0) return 0;
  const auto known = std::min<std::int64_t>(n, gains.size());
  return gains.head(known).sum() + static_cast<double>(n - known) * gains(gains.size() - 1);
}

InformationGain greedy_information_gain(const Kernel& kernel, double noise, std::int64_t num_picks, int design, Key key) {
  constexpr double kFlops = 4e9;  // a few seconds
  const double affordable = kFlops / (static_cast<double>(design) * design);
  const auto picks = static_cast<Eigen::Index>(std::min(static_cast<double>(num_picks), std::max(1.0, affordable)));
  const Matrix X = sobol(0, design, static_cast<int>(kernel.lengthscales.size()), key);
  Matrix C = gram(kernel, X, X);  // the posterior's covariance given the picks so far
  InformationGain out{Vector(picks), design};
  for (Eigen::Index t = 0; t < picks; ++t) {
    Eigen::Index best = 0;
    const double variance = std::max(0.0, C.diagonal().maxCoeff(&best));
    out.gains(t) = 0.5 * std::log1p(variance / noise);
    const Vector column = C.col(best) / std::sqrt(variance + noise);
    parallel_blocks(design, 128, [&](Eigen::Index a, Eigen::Index b) {
      C.middleRows(a, b - a).noalias() -= column.segment(a, b - a) * column.transpose();
    });
  }
  // The variance at a point only falls; rounding may say otherwise in the last digits.
  for (Eigen::Index t = 1; t < picks; ++t) out.gains(t) = std::min(out.gains(t), out.gains(t - 1));
  return out;
}

}  // namespace salvo

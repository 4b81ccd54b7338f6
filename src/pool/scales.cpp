#include "pool/scales.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/linalg.h"
#include "model/noise_ratio.h"

namespace salvo {
namespace {

struct Profile {
  double bound = -std::numeric_limits<double>::infinity(), noise = 1, mean = 0;
};

Profile profile(double ratio, const EvidenceTerms& t, const PoolScaleBounds& bounds) {
  const double n = static_cast<double>(t.n);
  const double mean = t.one > 0 ? std::clamp(t.y1 / t.one, -bounds.max_mean, bounds.max_mean) : 0.0;
  const double rest = std::max(t.yy - 2 * mean * t.y1 + mean * mean * t.one, 0.0);
  const double low = std::max(bounds.min_noise, bounds.min_variance / ratio);
  const double high = std::min(bounds.max_noise, bounds.max_variance / ratio);
  const double noise = std::clamp(rest / std::max(n, 1.0), low, std::max(low, high));
  return {-0.5 * n * std::log(2 * std::numbers::pi * noise) - t.half_log_det - 0.5 * rest / noise - 0.5 * ratio * t.theta, noise,
          mean};
}

}  // namespace

BestScales best_scales(const std::function<std::optional<EvidenceTerms>(double)>& terms, const PoolScaleBounds& bounds,
                       const PoolScales& start, double precision) {
  BestScales best;
  double at = 0;  // log ρ of the best so far
  const double low = std::log(bounds.min_variance / bounds.max_noise), high = std::log(bounds.max_variance / bounds.min_noise);
  const auto consider = [&](double log_ratio) {
    const double ratio = std::exp(log_ratio);
    const std::optional<EvidenceTerms> found = terms(ratio);
    const Profile p = found ? profile(ratio, *found, bounds) : Profile{};
    if (best.num_evaluations++ == 0 || p.bound > best.bound) {
      best.bound = p.bound;
      at = log_ratio;
      best.scales = {ratio * p.noise, p.noise, p.mean};
    }
  };
  // Steps that grow while they help and shrink when they do not, from the last optimum: the profile has one peak wherever
  // it was looked at.
  double step = 1.0;
  consider(std::clamp(std::log(start.variance / start.noise), low, high));
  while (step > precision && best.num_evaluations < 60) {
    const double here = at, before = best.bound;
    for (const double sign : {1.0, -1.0}) {
      const double to = std::clamp(here + sign * step, low, high);
      if (to != here) consider(to);
      if (best.bound > before) break;
    }
    step *= best.bound > before ? 1.6 : 0.4;
  }
  return best;
}

BestScales exact_scales(const compute::RowKernel& kernel, std::span<const std::int64_t> rows, const Vector& y,
                        const PoolScaleBounds& bounds, const PoolScales& start, double precision, const Vector& r) {
  const RowScales scales(r);
  const auto n = static_cast<Eigen::Index>(rows.size());
  Matrix K(n, n), R(n, n);
  kernel_block(kernel, rows, compute::PreparedRows(kernel, rows), K.data());
  if (r.size() > 0) K = Matrix(scales.scale().asDiagonal() * K * scales.scale().asDiagonal());
  const auto terms = [&](double ratio) -> std::optional<EvidenceTerms> {
    R = ratio * K;  // D = I + ρK̃
    R.diagonal().array() += 1.0;
    if (!cholesky_in_place(R)) return {};
    Vector a = scales.of(y), b = scales.of(Vector::Ones(n));
    solve_lower(R, Trans::no, a);
    solve_lower(R, Trans::no, b);
    return EvidenceTerms{n, a.squaredNorm(), a.dot(b), b.squaredNorm(), log_diagonal(R) + 0.5 * scales.log_ratios(), 0.0};
  };
  return best_scales(terms, bounds, start, precision);
}

}  // namespace salvo

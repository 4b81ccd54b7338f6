#include "acquire/improvement.h"

#include <cmath>
#include <memory>

#include "acquire/normal.h"
#include "math/linalg.h"

namespace salvo {
namespace {

// log EI as a function of mean and variance, with its derivatives.
double log_ei(double mean, double variance, double best, double* by_mean, double* by_variance) {
  const double sd = std::sqrt(variance), z = (mean - best) / sd;
  if (by_mean) {
    const double slope = log_improvement_slope(z);
    *by_mean = slope / sd;
    *by_variance = 0.5 * (1 - slope * z) / variance;
  }
  return std::log(sd) + log_improvement(z);
}

Score improvement(const Belief& belief, double best, bool augmented) {
  const auto remaining = std::make_shared<const Remaining>(belief, belief.noise());
  const double noise = belief.noise();
  return [=](const Local& local, Slope* slope) {
    const double variance = remaining->variance(local);
    double by_mean = 0, by_variance = 0;
    double value = log_ei(local.mean, variance, best, slope ? &by_mean : nullptr, &by_variance);
    if (augmented) {  // 1 − √(τ/(σ²+τ)) = σ²/((σ²+τ)(1 + √(τ/(σ²+τ)))): no cancellation where σ² ≪ τ
      const double total = variance + noise, share = std::sqrt(noise / total);
      value += std::log(variance / (total * (1 + share)));
      by_variance += 1 / variance - 1 / total + 0.5 * share / (total * (1 + share));
    }
    if (slope) {
      slope->mean += by_mean;
      remaining->add_slope(local, by_variance, *slope);
    }
    return value;
  };
}

}  // namespace

Remaining::Remaining(const Belief& belief, double noise) : floor_(1e-12 * belief.signal()) {
  if (belief.added().rows() == 0) return;
  Matrix C = belief.covariance();
  C.diagonal().array() += noise;
  L_ = cholesky(C, belief.signal(), 1e-10).L;
}

double Remaining::variance(const Local& local) const {
  if (L_.rows() == 0) return local.variance;
  Vector a = Vector::Map(local.shared, L_.rows());
  solve_lower(L_, Trans::no, a);
  return std::max(local.variance - a.squaredNorm(), floor_);
}

void Remaining::add_slope(const Local& local, double factor, Slope& slope) const {
  slope.variance += factor;
  if (L_.rows() == 0) return;
  Vector s = Vector::Map(local.shared, L_.rows());
  solve_lower(L_, Trans::no, s);
  solve_lower(L_, Trans::yes, s);
  slope.shared -= 2 * factor * s;
}

Score log_expected_improvement(const Belief& belief, double best) { return improvement(belief, best, false); }

Score log_augmented_improvement(const Belief& belief, double best) { return improvement(belief, best, true); }

Score log_penalised_improvement(const Belief& belief, double best, double lipschitz) {
  struct Ball {
    Vector centre;
    double gap, sd;  // η − μ_j and σ_j
  };
  std::vector<Ball> balls;
  for (Eigen::Index j = 0; j < belief.added().rows(); ++j)
    balls.push_back({belief.added().row(j), std::max(0.0, best - belief.mean()(j)),
                     std::sqrt(std::max(belief.covariance()(j, j), 1e-12 * belief.signal()))});
  return [=, balls = std::move(balls)](const Local& local, Slope* slope) {
    double by_mean = 0, by_variance = 0;
    double value = log_ei(local.mean, local.variance, best, slope ? &by_mean : nullptr, &by_variance);
    if (slope) {
      slope->mean += by_mean;
      slope->variance += by_variance;
    }
    for (const Ball& ball : balls) {
      const Vector away = Vector::Map(local.x, ball.centre.size()) - ball.centre;
      const double distance = away.norm(), z = (lipschitz * distance - ball.gap) / ball.sd;
      value += log_normal_cdf(z);
      if (slope && distance > 0) slope->x += inverse_mills(z) * lipschitz / (ball.sd * distance) * away;
    }
    return value;
  };
}

}  // namespace salvo

#pragma once
#include <salvo/matrix.h>

#include "acquire/belief.h"

namespace salvo {

// Criteria built on expected improvement over η, the best posterior mean of an observed point (docs/math.md §14). All are
// logarithms: sums instead of products, and no underflow.

// The variance of f(x) left when the belief's added points have been observed: what a batch of EI goes by ("kriging
// believer": each pending point is taken to give its posterior mean, which leaves the mean as it is).
class Remaining {
 public:
  // noise: of the observations at the added points.
  Remaining(const Belief& belief, double noise);
  // The variance; adds its derivatives, times `factor`, to the slope.
  [[nodiscard]] double variance(const Local& local) const;
  void add_slope(const Local& local, double factor, Slope& slope) const;

 private:
  Matrix L_;  // chol(C + noise)
  double floor_;
};

[[nodiscard]] Score log_expected_improvement(const Belief& belief, double best);
// EI × (1 − √τ/√(σ² + τ)): Huang et al. 2006.
[[nodiscard]] Score log_augmented_improvement(const Belief& belief, double best);
// EI × Π_j Φ((L‖x − x_j‖ − (η − μ_j))/σ_j) over the added points: González et al. 2016. L: the largest slope of the mean.
[[nodiscard]] Score log_penalised_improvement(const Belief& belief, double best, double lipschitz);

}  // namespace salvo

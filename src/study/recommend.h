#pragma once
#include <salvo/sparse_gp.h>

#include "study/learned.h"

namespace salvo {

// The evaluated point with the best posterior mean, in the model's units.
struct Recommended {
  std::int64_t row = -1;  // of the observations
  double mean = 0, variance = 0;
};

// A sparse model knows where the optimum is, but its few inducing points blur the top: the best evaluated point is
// often several times better than the one it names. So the observations nearest to that one get an exact GP of their
// own, its hyperparameters learned again from them, and the best mean among them is recommended.
// The search never sees this model (docs/how-it-works.md has the measurement).
[[nodiscard]] Recommended recommend(const SparseGp& gp, const Observations& data, const Anchor& units, const FitOptions& fit);

}  // namespace salvo

#pragma once
#include <salvo/random.h>

#include "acquire/belief.h"

namespace salvo {

// The expected improvement of a whole batch: E max(0, max_i f_i − η) for f ~ N(mean, cov).

constexpr int kImprovementDraws = 256;

// By Monte Carlo with draws that depend on the key alone.
[[nodiscard]] double batch_improvement_draws(const Vector& mean, const Matrix& cov, double best, int num_draws, Key key);
// In closed form (Chevalier & Ginsbourger 2013), which needs normal probabilities in as many dimensions as there are points:
// 1 to 3 points.
[[nodiscard]] double batch_improvement_exact(const Vector& mean, const Matrix& cov, double best);

// What one more point adds to a batch of the belief's added points: the logarithm of the mean over draws of these of the
// improvement at x over the best of them, which given a draw is an expected improvement in closed form.
[[nodiscard]] Score batch_improvement_score(const Belief& belief, double best, int num_draws, Key key);

}  // namespace salvo

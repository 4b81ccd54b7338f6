// How large M and α must be: Proposition 1 and Theorem 1 at work (docs/math.md §5).
#include <fmt/core.h>
#include <salvo/paths.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/linalg.h"
#include "sample/path_variance.h"

namespace salvo {
namespace {

constexpr int kCheckPoints = 128;
constexpr int kFewest = 250;

}  // namespace

FeatureCount choose_num_features(const SparseGp& gp, const PathOptions& options, double tolerance, int most, Key key) {
  options.validate();
  if (!(tolerance > 0))
    throw std::invalid_argument(fmt::format("choose_num_features: expected tolerance > 0, got {}", tolerance));
  const int fewest = gp.eigenfunctions() ? gp.num_inducing() : kFewest;
  Matrix X(kCheckPoints, gp.Z().cols());
  key.fold("check points").fill_uniform({X.data(), static_cast<std::size_t>(X.size())});
  const Vector variance = gp.predict(X).variance.cwiseMax(1e-9 * gp.hyper().kernel.variance);
  FeatureCount out;
  PathOptions at = options;
  for (at.num_features = std::max(1, std::min(fewest, most));;
       at.num_features = std::min(2 * at.num_features, std::max(most, fewest))) {
    const Vector sampled = path_variance(gp, draw_paths(gp, at, key), X).posterior;
    const auto relative = (sampled.array() / variance.array()).sqrt() - 1;
    out = {at.num_features, std::sqrt(relative.square().mean())};
    if (out.error <= tolerance || at.num_features >= most) return out;
  }
}

double theory_alpha(const SparseGp& gp, double step, double rkhs_norm, double noise_bound) {
  double norm = rkhs_norm;
  if (norm == 0) {
    Vector weights = gp.c();  // of the posterior mean, white: their length is its norm
    solve_lower(gp.R(), Trans::yes, weights);
    norm = weights.norm();
  }
  const double gain = log_diagonal(gp.R());  // ½ log|I + AAᵀ|
  return 2 * (norm + noise_bound * std::sqrt(2 * (gain + 1 + 2 * std::log(std::max(1.0, step)))));
}

}  // namespace salvo

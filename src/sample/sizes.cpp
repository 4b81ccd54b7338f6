// How large M and α must be: Proposition 1 and Theorem 1 at work (docs/math.md §5).
#include <fmt/core.h>
#include <salvo/paths.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/linalg.h"
#include "sample/features.h"

namespace salvo {
namespace {

constexpr int kCheckPoints = 128;
constexpr int kFewest = 250;

// Φ(X) [n,M] of the prior features that options ask for.
Matrix prior_features(const Kernel& kernel, const PathOptions& options, const Matrix& X, Key key) {
  if (options.features == FeatureType::eigen)
    return eigenfunctions(options.eigenfunctions, kernel, options.num_features).features(X);
  const FourierFeatures features = fourier_features(kernel, options.num_features, key, options.features);
  return features.cosines(X) * features.scale;
}

// What the paths' variance differs by from the model's at X, given the features: the prior's share of it.
Vector variance_error(const SparseGp& gp, const PathOptions& options, const Matrix& X, Key key) {
  const Kernel& kernel = gp.hyper().kernel;
  if (gp.eigenfunctions())
    return extended(*gp.eigenfunctions(), options.num_features).features(X).rowwise().squaredNorm().array() - kernel.variance;
  // A path's part that q(u) does not fix is Φ(x)w − k_xZ Kzz⁻¹ Φ_Z w, of variance ‖Φ(x) − Φ_ZᵀKzz⁻¹k_Zx‖²; the model
  // has k(x,x) − k_xZ Kzz⁻¹ k_Zx.
  Matrix A = gram(kernel, gp.Z(), X), F = prior_features(kernel, options, gp.Z(), key);
  solve_lower(gp.L(), Trans::no, A);
  const Vector exact = kernel.variance - A.colwise().squaredNorm().transpose().array();
  solve_lower(gp.L(), Trans::no, F);
  Matrix residual = prior_features(kernel, options, X, key);
  gemm(-1.0, A, Trans::yes, F, Trans::no, 1.0, residual);
  return residual.rowwise().squaredNorm() - exact;
}

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
    const Vector sampled = (variance + variance_error(gp, at, X, key.fold("features"))).cwiseMax(0.0);
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

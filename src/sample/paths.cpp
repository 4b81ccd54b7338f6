#include <fmt/core.h>
#include <salvo/paths.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "compute/rows.h"
#include "math/linalg.h"
#include "math/parallel.h"
#include "sample/features.h"

namespace salvo {

void PathOptions::validate() const {
  if (num_paths < 1) throw std::invalid_argument(fmt::format("PathOptions: num_paths must be at least 1, got {}", num_paths));
  if (num_features < 1)
    throw std::invalid_argument(fmt::format("PathOptions: num_features must be at least 1, got {}", num_features));
  if (!(alpha >= 0) || !std::isfinite(alpha))
    throw std::invalid_argument(fmt::format("PathOptions: alpha must be finite and not negative, got {}", alpha));
}

// Rule (5), docs/math.md §5: v = L⁻ᵀ( R⁻ᵀ(c + αε) − L⁻¹ α Φ_Z w ).
Paths draw_paths(const SparseGp& gp, const PathOptions& options, Key key) {
  options.validate();
  const Kernel& kernel = gp.hyper().kernel;
  const Eigen::Index B = options.num_paths, M = options.num_features, m = gp.Z().rows();
  const FourierFeatures features = fourier_features(kernel, options.num_features, key.fold("features"));

  Paths paths;
  paths.kernel = kernel;
  paths.mean = gp.hyper().mean;
  paths.W = features.W;
  paths.b = features.b;
  paths.Z = gp.Z();
  paths.w.resize(B, M);
  key.fold("weights").fill_normal({paths.w.data(), static_cast<std::size_t>(paths.w.size())});
  paths.w *= options.alpha * features.scale;

  Matrix eps(B, m);
  key.fold("update").fill_normal({eps.data(), static_cast<std::size_t>(eps.size())});
  Matrix E = options.alpha * eps.transpose();  // [m,B]
  E.colwise() += gp.c();
  solve_lower(gp.R(), Trans::yes, E);
  Matrix F = product(features.cosines(paths.Z), Trans::no, paths.w, Trans::yes);  // α Φ_Z w [m,B]
  solve_lower(gp.L(), Trans::no, F);
  E -= F;
  solve_lower(gp.L(), Trans::yes, E);
  paths.v = E.transpose();
  return paths;
}

Matrix Paths::values(const Matrix& X) const {
  const FourierFeatures features{W, b, 1.0};
  Matrix out(X.rows(), size());
  constexpr Eigen::Index kRows = 512;  // of features held at once
  for (Eigen::Index begin = 0; begin < X.rows(); begin += kRows) {
    const Matrix chunk = X.middleRows(begin, std::min(kRows, X.rows() - begin));
    Matrix V = product(features.cosines(chunk), Trans::no, w, Trans::yes);
    gemm(1.0, gram(kernel, chunk, Z), Trans::no, v, Trans::yes, 1.0, V);
    out.middleRows(begin, chunk.rows()) = V.array() + mean;
  }
  return out;
}

void Paths::evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients) const {
  const auto d = static_cast<std::size_t>(X.cols());
  const auto M = static_cast<std::size_t>(W.rows()), m = static_cast<std::size_t>(Z.rows());
  const ScaledPoints<double> frequencies(W, Vector::Ones(X.cols())), inducing(Z, kernel.lengthscales);
  values.resize(X.rows());
  if (gradients) gradients->resize(X.rows(), X.cols());
  parallel_blocks(X.rows(), 8, [&](Eigen::Index begin, Eigen::Index end) {
    static thread_local std::vector<double> buffer;
    buffer.resize(3 * M + 2 * m + 3 * d);
    double *phase = buffer.data(), *wave = phase + M, *scratch = wave + M, *k = scratch + M, *g = k + m;
    double *x = g + m, *prior_gradient = x + d, *update_gradient = prior_gradient + d;
    for (Eigen::Index i = begin; i < end; ++i) {
      const int p = index[static_cast<std::size_t>(i)];
      const double *prior = w.row(p).data(), *update = v.row(p).data();
      phases(X.row(i).data(), frequencies, b.data(), phase);
      cosines(phase, static_cast<int>(M), wave);
      double value = mean + weighted_sum(prior, wave, static_cast<int>(M));
      for (std::size_t e = 0; e < d; ++e)
        x[e] = X(i, static_cast<Eigen::Index>(e)) / kernel.lengthscales(static_cast<Eigen::Index>(e));
      kernel_row(kernel.type, kernel.variance, x, inducing, k, gradients ? g : nullptr);
      value += kernel_sum(x, inducing, update, k, g, gradients ? update_gradient : nullptr);
      values(i) = value;
      if (!gradients) continue;
      sines(phase, static_cast<int>(M), wave);
      frequency_sum(frequencies, prior, wave, scratch, prior_gradient);
      for (std::size_t e = 0; e < d; ++e) {
        const auto j = static_cast<Eigen::Index>(e);
        (*gradients)(i, j) = prior_gradient[e] + update_gradient[e] / kernel.lengthscales(j);
      }
    }
  });
}

}  // namespace salvo

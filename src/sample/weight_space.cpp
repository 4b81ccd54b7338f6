#include "sample/weight_space.h"

#include <salvo/fourier.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/linalg.h"

namespace salvo {

// docs/math.md §5a: w | y ~ N(A⁻¹Φᵀy/τ, A⁻¹) with A = I + ΦᵀΦ/τ [M,M].
Paths draw_weight_space(const Hyperparameters& hyper, const Matrix& X, const Vector& y, const PathOptions& options, Key key) {
  options.validate();
  constexpr Eigen::Index kRows = 512;
  const Eigen::Index B = options.num_paths, M = options.num_features;
  const FourierFeatures features = fourier_features(hyper.kernel, options.num_features, key.fold("features"));
  Matrix A = Matrix::Zero(M, M);
  Vector mean = Vector::Zero(M);
  const double scale = features.scale * features.scale / hyper.noise;
  for (Eigen::Index begin = 0; begin < X.rows(); begin += kRows) {
    const Eigen::Index rows = std::min(kRows, X.rows() - begin);
    const Matrix Phi = features.cosines(X.middleRows(begin, rows));  // [rows,M], without the scale
    add_gram(scale, Phi, rows, A);
    mean.noalias() += Phi.transpose() * (y.segment(begin, rows).array() - hyper.mean).matrix();
  }
  A.diagonal().array() += 1.0;
  if (!cholesky_in_place(A)) throw std::runtime_error("draw_weight_space: I + ΦᵀΦ/τ is not positive definite");
  mean *= features.scale / hyper.noise;
  solve_lower(A, Trans::no, mean);  // A⁻¹Φᵀy/τ = R⁻ᵀ(R⁻¹Φᵀy/τ)

  Matrix eps(B, M);
  key.fold("weights").fill_normal({eps.data(), static_cast<std::size_t>(eps.size())});
  Matrix E = options.alpha * eps.transpose();  // [M,B]
  E.colwise() += mean;
  solve_lower(A, Trans::yes, E);

  Paths paths;
  paths.kernel = hyper.kernel;
  paths.mean = hyper.mean;
  paths.W = features.W;
  paths.b = features.b;
  paths.w = features.scale * E.transpose();
  paths.Z = X.topRows(1);  // no update: one point of weight 0
  paths.v = Matrix::Zero(B, 1);
  return paths;
}

}  // namespace salvo

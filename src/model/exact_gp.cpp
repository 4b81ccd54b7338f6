#include "model/exact_gp.h"

#include <cmath>
#include <numbers>

#include "math/linalg.h"
#include "math/parallel.h"
#include "model/check.h"

namespace salvo {

ExactGp::ExactGp(Hyperparameters hyper, Matrix X, const Vector& y, const Vector& r) : hyper_(std::move(hyper)), X_(std::move(X)) {
  check_hyper("ExactGp", hyper_, X_.cols());
  check_data("ExactGp", X_, y, X_.cols());
  check_ratios("ExactGp", r, X_.rows());
  const Vector noise = hyper_.noise * (r.size() == 0 ? Vector::Ones(X_.rows()) : r);
  L_ = gram(hyper_.kernel, X_, X_);
  L_.diagonal() += noise;
  if (!cholesky_in_place(L_)) {  // noise far below the rounding of Kxx
    Matrix K = gram(hyper_.kernel, X_, X_);
    K.diagonal() += noise;
    Cholesky chol = cholesky(K, hyper_.kernel.variance, 1e-12);
    L_ = std::move(chol.L);
    jitter_ = chol.jitter;
  }
  weights_ = y.array() - hyper_.mean;
  solve_lower(L_, Trans::no, weights_);
  evidence_ =
      -0.5 * weights_.squaredNorm() - log_diagonal(L_) - 0.5 * static_cast<double>(X_.rows()) * std::log(2 * std::numbers::pi);
  solve_lower(L_, Trans::yes, weights_);
}

Prediction ExactGp::predict(const Matrix& X) const {
  check_points("ExactGp::predict", "X", X, X_.cols());
  Prediction out{Vector(X.rows()), Vector(X.rows())};
  parallel_blocks(X.rows(), 64, [&](Eigen::Index a, Eigen::Index b) {
    Matrix T = gram(hyper_.kernel, X.middleRows(a, b - a), X_);
    out.mean.segment(a, b - a) = (T * weights_).array() + hyper_.mean;
    solve_rows(L_, T.data(), T.rows());
    out.variance.segment(a, b - a) = (hyper_.kernel.variance - T.rowwise().squaredNorm().array()).cwiseMax(0.0);
  });
  return out;
}

}  // namespace salvo

#include <cblas.h>
#include <salvo/sparse_gp.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "compute/gram.h"
#include "math/linalg.h"
#include "math/parallel.h"
#include "model/check.h"
#include "model/evidence.h"
#include "model/feature_moments.h"
#include "model/jitter.h"
#include "model/noise_ratio.h"

namespace salvo {
SparseGp::SparseGp(Hyperparameters hyper, InducingVariables u, Trend trend) : hyper_(std::move(hyper)), trend_(std::move(trend)) {
  if (auto* functions = std::get_if<Eigenfunctions>(&u)) {
    if (functions->size() == 0) throw std::invalid_argument("SparseGp: expected at least one inducing feature, got none");
    check_hyper("SparseGp", hyper_, functions->num_dims());
    if (functions->kernel.type != hyper_.kernel.type || functions->kernel.variance != hyper_.kernel.variance ||
        functions->kernel.lengthscales != hyper_.kernel.lengthscales)
      throw std::invalid_argument("SparseGp: expected eigenfunctions of the model's own kernel, got another's; retune them");
    eigen_ = std::move(*functions);
    Z_.resize(0, eigen_->num_dims());
    L_ = Matrix::Identity(eigen_->size(), eigen_->size());
  } else {
    Z_ = std::move(std::get<Matrix>(u));
    if (Z_.rows() == 0) throw std::invalid_argument("SparseGp: expected at least one inducing point, got none");
    check_hyper("SparseGp", hyper_, Z_.cols());
    check_points("SparseGp", "Z", Z_, Z_.cols());
    Cholesky chol = cholesky(gram(hyper_.kernel, Z_, Z_), hyper_.kernel.variance, kJitter);
    L_ = std::move(chol.L);
    Linv_ = invert_lower(L_);  // products with it run at twice the speed of solves
    jitter_ = chol.jitter;
  }
  if (!trend_.empty()) check_points("SparseGp", "trend.Z", trend_.Z, Z_.cols());
  AAt_ = Matrix::Zero(L_.rows(), L_.rows());
  Ay_ = Vector::Zero(L_.rows());
  factor();
}

void SparseGp::condition(const Matrix& X, const Vector& y, const Vector& r) {
  check_data("SparseGp::condition", X, y, Z_.cols());
  check_ratios("SparseGp::condition", r, X.rows());
  if (X.rows() == 0) return;
  const RowScales rows(r);
  Vector centred = y.array() - hyper_.mean;
  if (!trend_.empty()) centred -= trend_.values(X);
  centred = rows.of(centred);
  const double before = AAt_.trace();
  const auto at = eigen_ ? std::vector<Eigen::Index>{} : places(X, Z_);
  if (eigen_)
    add_features(*eigen_, hyper_.noise, X, centred, AAt_, Ay_, rows.scale());
  else if (!at.empty())
    add_own_points(centred, at, rows.scale());
  else
    add_whitened(hyper_.kernel, Z_, Linv_, hyper_.noise, X, centred, AAt_, Ay_, rows.scale());
  const double prior = rows.weight(X.rows()) * hyper_.kernel.variance;
  theta_ += at.empty() ? std::max(0.0, prior - hyper_.noise * (AAt_.trace() - before)) : 0.0;
  yy_ += centred.squaredNorm();
  log_ratios_ += rows.log_ratios();
  n_ += X.rows();
  factor();
}

// X = Z: A = L⁻¹Kzz/√τ = Lᵀ/√τ, with the jitter that L has, at a sixth of the flops. It is the exact GP of as much more noise.
// A point that was seen k times counts k times.
void SparseGp::add_own_points(const Vector& centred, const std::vector<Eigen::Index>& places, const Vector& scale) {
  Vector count = Vector::Zero(Z_.rows()), sum = Vector::Zero(Z_.rows());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double own = scale.size() == 0 ? 1.0 : scale(row);
    count(places[i]) += own * own;
    sum(places[i]) += own * centred(row);
  }
  const bool all_once = (count.array() == 1).all();
  AAt_ += gram_lower(all_once ? L_ : Matrix(count.cwiseSqrt().asDiagonal() * L_)) / hyper_.noise;
  Ay_.noalias() += L_.triangularView<Eigen::Lower>().transpose() * sum / hyper_.noise;
}

Matrix SparseGp::cross(const Matrix& X) const { return eigen_ ? eigen_->features(X) : gram(hyper_.kernel, X, Z_); }

void SparseGp::factor() {
  R_ = AAt_;  // D = I + AAᵀ, lower triangle
  R_.diagonal().array() += 1.0;
  if (!cholesky_in_place(R_))
    throw std::runtime_error("SparseGp: I + AAᵀ is not positive definite; the data hold values far too large");
  c_ = Ay_;
  solve_lower(R_, Trans::no, c_);
  weights_ = c_;  // L⁻ᵀR⁻ᵀc
  solve_lower(R_, Trans::yes, weights_);
  solve_lower(L_, Trans::yes, weights_);
}

Vector SparseGp::predict_mean(const Matrix& X) const {
  check_points("SparseGp::predict_mean", "X", X, Z_.cols());
  Vector mean(X.rows());
  parallel_blocks(X.rows(), 256,
                  [&](Eigen::Index a, Eigen::Index b) { mean.segment(a, b - a) = cross(X.middleRows(a, b - a)) * weights_; });
  mean.array() += hyper_.mean;
  trend_.add_to(X, mean, nullptr);
  return mean;
}

Prediction SparseGp::predict(const Matrix& X) const {
  check_points("SparseGp::predict", "X", X, Z_.cols());
  Prediction out{Vector(X.rows()), Vector(X.rows())};
  parallel_blocks(X.rows(), 128, [&](Eigen::Index a, Eigen::Index b) {
    Matrix T = cross(X.middleRows(a, b - a));  // k_xZ
    out.mean.segment(a, b - a) = T * weights_;
    if (!eigen_) multiply_rows(Linv_, 1.0, T.data(), T.rows());  // (L⁻¹k_Zx)ᵀ
    Vector variance = hyper_.kernel.variance - T.rowwise().squaredNorm().array();
    solve_rows(R_, T.data(), T.rows());  // (R⁻¹L⁻¹k_Zx)ᵀ
    variance += T.rowwise().squaredNorm();
    out.variance.segment(a, b - a) = variance.cwiseMax(0.0);  // rounding may leave −1e-16
  });
  out.mean.array() += hyper_.mean;
  trend_.add_to(X, out.mean, nullptr);
  return out;
}

double SparseGp::bound() const {
  const double n = static_cast<double>(n_), tau = hyper_.noise;
  return -0.5 * n * std::log(2 * std::numbers::pi * tau) - log_diagonal(R_) - yy_ / (2 * tau) + 0.5 * c_.squaredNorm() -
         theta() / (2 * tau) - 0.5 * log_ratios_;
}

}  // namespace salvo

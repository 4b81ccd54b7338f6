// The collapsed bound and its gradient (docs/math.md §3), for fitting hyperparameters at fixed Z.
//
// Written in S = Kzx Kxz rather than in A = L⁻¹Kzx/√τ: 3m²n flops instead of 4m²n. That squares the condition of Kzz,
// which the relative jitter bounds, and costs digits where the signal is far above the noise: there D comes from A.
#include "model/bound.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "compute/gram.h"
#include "math/linalg.h"
#include "model/check.h"
#include "model/jitter.h"
#include "model/noise_ratio.h"

namespace salvo {
namespace {

struct Factors {
  Matrix Linv;  // L⁻¹
  Matrix D;     // I + L⁻¹ S L⁻ᵀ/τ, full
  Matrix R;     // chol(D)
  Matrix Kzz;   // with jitter
  Vector Ay;    // L⁻¹Kzx y/τ
  double jitter = 0;
};

// σ²/τ up to which D from S is exact to 1e-6 nats; noise-free objectives lie beyond.
constexpr double kSignalToNoise = 1e3;

// D and Ay, given L⁻¹.
void whiten(const Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y, const Vector& scale,
            const GramMoments& moments, Factors& f) {
  if (hyper.kernel.variance <= kSignalToNoise * hyper.noise) {
    f.D = product_lower(f.Linv, Trans::no, product_lower(f.Linv, Trans::no, moments.S, Trans::no), Trans::yes);
    f.D /= hyper.noise;
    f.Ay = f.Linv.triangularView<Eigen::Lower>() * moments.sy;
    f.Ay /= hyper.noise;
  } else {
    f.D = Matrix::Zero(Z.rows(), Z.rows());
    f.Ay = Vector::Zero(Z.rows());
    add_whitened(hyper.kernel, Z, f.Linv, hyper.noise, X, y, f.D, f.Ay, scale);
  }
  f.D.diagonal().array() += 1.0;
  symmetrise(f.D);
}

Factors factorise(const Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y, const Vector& scale,
                  const GramMoments& moments) {
  const Matrix Kzz = gram(hyper.kernel, Z, Z);
  for (double jitter = kJitter; jitter <= 1.0000001e-2; jitter *= 10) {
    Cholesky chol = cholesky(Kzz, hyper.kernel.variance, jitter);
    Factors f;
    f.jitter = jitter = chol.jitter;
    f.Linv = invert_lower(chol.L);
    whiten(hyper, Z, X, y, scale, moments, f);
    f.R = f.D;
    if (!cholesky_in_place(f.R)) continue;
    f.Kzz = Kzz;
    f.Kzz.diagonal().array() += jitter * hyper.kernel.variance;
    return f;
  }
  throw std::runtime_error("bound_gradient: I + AAᵀ is not positive definite at any jitter up to 1%");
}

}  // namespace

BoundGradient bound_gradient(const Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y, const Vector& r) {
  return bound_gradient(hyper, Z, X, y, nullptr, r);
}

BoundGradient bound_gradient(const Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y, Matrix* by_Z,
                             const Vector& r) {
  check_hyper("bound_gradient", hyper, Z.cols());
  check_data("bound_gradient", X, y, Z.cols());
  check_ratios("bound_gradient", r, X.rows());
  const Eigen::Index m = Z.rows(), d = Z.cols();
  const double n = static_cast<double>(X.rows()), tau = hyper.noise, variance = hyper.kernel.variance;

  const RowScales rows(r);
  const Vector yc = rows.of(y.array() - hyper.mean);
  const GramMoments moments = gram_moments(hyper.kernel, Z, X, yc, rows.scale());
  const Factors f = factorise(hyper, Z, X, yc, rows.scale(), moments);
  const double weight = rows.weight(X.rows());  // n, where noise does not differ

  Vector c = f.Ay;  // R⁻¹Ay/√τ
  solve_lower(f.R, Trans::no, c);
  Vector beta = c;  // β = Σ⁻¹s = τ L⁻ᵀR⁻ᵀc, Σ = Kzz + S/τ; kept as β/τ, the weights of the posterior mean
  solve_lower(f.R, Trans::yes, beta);
  beta = f.Linv.triangularView<Eigen::Lower>().transpose() * beta;

  const double trace_Q = tau * (f.D.trace() - static_cast<double>(m));  // Tr(Kzz⁻¹S)
  const double theta = weight * variance - trace_Q;
  BoundGradient out;
  out.jitter = f.jitter;
  out.bound = -0.5 * n * std::log(2 * std::numbers::pi * tau) - log_diagonal(f.R) - yc.squaredNorm() / (2 * tau) +
              0.5 * c.squaredNorm() - theta / (2 * tau) - 0.5 * rows.log_ratios();

  // ∂F/∂S = (Kzz⁻¹ − Σ⁻¹ − ββᵀ/τ²)/2τ and ∂F/∂Kzz = (Kzz⁻¹ − Σ⁻¹ − ββᵀ/τ² − Kzz⁻¹SKzz⁻¹/τ)/2.
  const Matrix Sinv = gram_lower(solve_lower_lower(f.R, f.Linv));  // Σ⁻¹ = L⁻ᵀD⁻¹L⁻¹
  Matrix G_K = gram_lower(f.Linv);
  G_K -= Sinv;
  G_K.noalias() -= beta * beta.transpose();
  const Matrix G_S = (0.5 / tau) * G_K;
  const double trace_Dinv = Sinv.cwiseProduct(f.Kzz).sum();  // Tr(Lᵀ Σ⁻¹ L)
  Matrix inner = f.D;
  inner.diagonal().array() -= 1.0;
  G_K -= product_lower(f.Linv, Trans::yes, product_lower(f.Linv, Trans::yes, inner, Trans::no), Trans::yes);
  G_K *= 0.5;
  const Vector G_s = beta / tau;

  if (by_Z)
    *by_Z = contract_data_points(hyper.kernel, Z, X, yc, G_S, G_s, rows.scale()) + contract_inducing_points(hyper.kernel, Z, G_K);
  const KernelGradient data = contract_data(hyper.kernel, Z, X, yc, G_S, G_s, rows.scale());
  const KernelGradient inducing = contract_inducing(hyper.kernel, Z, G_K);
  const double jitter_part = f.jitter * variance * G_K.trace();

  out.gradient.resize(d + 3);
  out.gradient.head(d) = data.log_lengthscales + inducing.log_lengthscales;
  out.gradient(d) = data.log_variance + inducing.log_variance + jitter_part - 0.5 * weight * variance / tau;
  const double beta_S_beta = beta.dot(moments.S * beta);
  out.gradient(d + 1) = -0.5 * n + 0.5 * (static_cast<double>(m) - trace_Dinv) + yc.squaredNorm() / (2 * tau) -
                        beta.dot(moments.sy) / tau + 0.5 * beta_S_beta / tau + theta / (2 * tau);
  out.gradient(d + 2) = rows.sum(yc) / tau - beta.dot(moments.s1) / tau;
  return out;
}

}  // namespace salvo

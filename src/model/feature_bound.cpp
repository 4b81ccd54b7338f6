// The collapsed bound for inducing features and its gradient (docs/math.md §3): Kuu is the identity in whitened features
// Φ = Λ^½ φ, so there is nothing to factor but D = I + ΦᵀΦ/τ, and no jitter.
#include <salvo/sparse_gp.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "math/linalg.h"
#include "model/check.h"
#include "model/feature_moments.h"
#include "model/fit_loop.h"
#include "model/noise_ratio.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kChunk = 1024;  // rows of X whose features are held at once

template <class Body>
void for_chunks(const Eigenfunctions& functions, const Matrix& X, const Vector& scale, const Body& body) {
  for (Index begin = 0; begin < X.rows(); begin += kChunk) {
    const Index rows = std::min(kChunk, X.rows() - begin);
    const Matrix chunk = X.middleRows(begin, rows);
    Matrix F = functions.features(chunk);
    if (scale.size() > 0) F.array().colwise() *= scale.segment(begin, rows).array();
    body(F, chunk, begin);
  }
}

// Of φ, the functions without their √λ: for a box these sums serve every kernel.
struct Moments {
  Matrix S;       // φᵀφ [m,m]
  Vector sy, s1;  // φᵀy, φᵀ1 [m]
  double n = 0, y1 = 0, yy = 0;
  double weight = 0;  // n, where noise does not differ
};

Moments moments(Eigenfunctions functions, const Matrix& X, const Vector& y, const RowScales& rows) {
  functions.scale.setOnes();
  const Index m = functions.size();
  const Vector scaled = rows.of(y), ones = rows.of(Vector::Ones(X.rows()));
  Moments out{Matrix::Zero(m, m), Vector::Zero(m),      Vector::Zero(m),      static_cast<double>(X.rows()),
              rows.sum(scaled),   scaled.squaredNorm(), rows.weight(X.rows())};
  for_chunks(functions, X, rows.scale(), [&](const Matrix& F, const Matrix&, Index begin) {
    add_gram(1.0, F, F.rows(), out.S);
    out.sy += F.transpose() * scaled.segment(begin, F.rows());
    out.s1 += rows.scale().size() == 0 ? Vector(F.colwise().sum()) : Vector(F.transpose() * ones.segment(begin, F.rows()));
  });
  symmetrise(out.S);
  return out;
}

BoundGradient evaluate(const Hyperparameters& hyper, const Eigenfunctions& functions, const Moments& raw, const Matrix& X,
                       const Vector& y, const RowScales& rows) {
  const Index m = functions.size(), d = functions.num_dims();
  const double n = raw.n, tau = hyper.noise, variance = hyper.kernel.variance;
  const Vector& scale = functions.scale;
  const Matrix S = scale.asDiagonal() * raw.S * scale.asDiagonal();  // ΦᵀΦ
  const Vector s1 = scale.cwiseProduct(raw.s1), s = scale.cwiseProduct(raw.sy) - hyper.mean * s1;
  const double y1 = raw.y1 - raw.weight * hyper.mean,
               yy = raw.yy - 2 * hyper.mean * raw.y1 + raw.weight * hyper.mean * hyper.mean;

  Matrix R = S / tau;
  R.diagonal().array() += 1.0;
  if (!cholesky_in_place(R)) throw std::runtime_error("bound_gradient: I + ΦᵀΦ/τ is not positive definite");
  Vector c = s / tau;
  solve_lower(R, Trans::no, c);
  Vector beta = c;  // D⁻¹s/τ, the weights of the posterior mean
  solve_lower(R, Trans::yes, beta);
  const double theta = raw.weight * variance - S.trace();
  BoundGradient out;
  out.bound = -0.5 * n * std::log(2 * std::numbers::pi * tau) - log_diagonal(R) - yy / (2 * tau) + 0.5 * c.squaredNorm() -
              theta / (2 * tau) - 0.5 * rows.log_ratios();

  // ∂F/∂S = (I − D⁻¹ − ββᵀ)/2τ, ∂F/∂s = β/τ, so ∂F/∂Φ = 2Φ ∂F/∂S + y βᵀ/τ.
  const Matrix Dinv = gram_lower(invert_lower(R));
  Matrix G = -Dinv;
  G.diagonal().array() += 1.0;
  G.noalias() -= beta * beta.transpose();
  G *= 0.5 / tau;
  const Vector by_log_lambda = (S.cwiseProduct(G)).rowwise().sum() + 0.5 / tau * s.cwiseProduct(beta);
  out.gradient.resize(d + 3);
  out.gradient.head(d) = functions.log_eigenvalue_gradient().transpose() * by_log_lambda;
  if (functions.type == EigenType::gaussian)  // these functions change with the length-scales, too
    for_chunks(functions, X, rows.scale(), [&](const Matrix& F, const Matrix& chunk, Index begin) {
      const Vector scaled = rows.of(y.array() - hyper.mean);
      Matrix H = scaled.segment(begin, F.rows()) * (beta / tau).transpose();
      gemm(2.0, F, Trans::no, G, Trans::no, 1.0, H);
      if (rows.scale().size() > 0) H.array().colwise() *= rows.scale().segment(begin, F.rows()).array();
      for (int e = 0; e < d; ++e) out.gradient(e) += H.cwiseProduct(functions.shape_gradient(chunk, e)).sum();
    });
  out.gradient(d) = by_log_lambda.sum() - 0.5 * raw.weight * variance / tau;
  out.gradient(d + 1) = -0.5 * n + 0.5 * (static_cast<double>(m) - Dinv.trace()) + yy / (2 * tau) - beta.dot(s) / tau +
                        0.5 * beta.dot(S * beta) / tau + theta / (2 * tau);
  out.gradient(d + 2) = y1 / tau - beta.dot(s1) / tau;
  return out;
}

}  // namespace

void add_features(const Eigenfunctions& functions, double noise, const Matrix& X, const Vector& y, Matrix& AAt, Vector& Ay,
                  const Vector& scale) {
  for_chunks(functions, X, scale, [&](const Matrix& F, const Matrix&, Index begin) {
    add_gram(1.0 / noise, F, F.rows(), AAt);
    Ay += F.transpose() * y.segment(begin, F.rows()) / noise;
  });
}

BoundGradient bound_gradient(const Hyperparameters& hyper, const Eigenfunctions& functions, const Matrix& X, const Vector& y,
                             const Vector& r) {
  check_hyper("bound_gradient", hyper, functions.num_dims());
  check_data("bound_gradient", X, y, functions.num_dims());
  check_ratios("bound_gradient", r, X.rows());
  const Eigenfunctions own = functions.retuned(hyper.kernel);
  const RowScales rows(r);
  return evaluate(hyper, own, moments(own, X, y, rows), X, y, rows);
}

FitSummary fit(Hyperparameters& hyper, Eigenfunctions& functions, const Matrix& X, const Vector& y, const FitOptions& options,
               const Vector& r) {
  check_hyper("fit", hyper, functions.num_dims());
  check_data("fit", X, y, functions.num_dims());
  check_ratios("fit", r, X.rows());
  const RowScales rows(r);
  constexpr int kRounds = 4;
  constexpr double kSame = 0.1;  // log length-scales that moved less stay in the box chosen for them
  const bool fixed = functions.type == EigenType::box;
  FitSummary summary;
  for (int round = 0; round < kRounds; ++round) {
    const Vector before = hyper.kernel.lengthscales;
    const Moments once = fixed ? moments(functions, X, y, rows) : Moments{};
    const FitSummary now = maximise_bound(hyper, options, [&](const Hyperparameters& at) {
      const Eigenfunctions own = functions.retuned(at.kernel);
      return fixed ? evaluate(at, own, once, X, y, rows) : evaluate(at, own, moments(own, X, y, rows), X, y, rows);
    });
    if (round == 0) summary.initial_bound = now.initial_bound;
    summary.num_evaluations += now.num_evaluations;
    summary.bound = now.bound;
    summary.message = now.message;
    functions = eigenfunctions(functions.type, hyper.kernel, functions.size());
    if ((hyper.kernel.lengthscales.array() / before.array()).log().abs().maxCoeff() < kSame) break;
  }
  return summary;
}

}  // namespace salvo

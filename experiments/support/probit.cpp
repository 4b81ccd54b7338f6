#include "support/probit.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "acquire/normal.h"
#include "compute/gram.h"
#include "math/lbfgs.h"
#include "math/linalg.h"

namespace salvo::experiments {
namespace {

constexpr int kMostSweeps = 100;
constexpr double kStill = 1e-5;         // relative change of the observations' precisions at which they are found
constexpr Eigen::Index kTogether = 32;  // labels whose changes the covariance takes at once

struct Gaussian {
  double mean, precision;
};

// What an observation leaves when it is taken from N(mean, variance).
Gaussian without(double mean, double variance, double S, double nu) {
  const double precision = 1 / variance - S;
  return {(mean / variance - nu) / precision, precision};
}

}  // namespace

Probit::Probit(Hyperparameters hyper, Matrix X, Vector s, const Probit* start)
    : hyper_(std::move(hyper)), X_(std::move(X)), s_(std::move(s)), K_(gram(hyper_.kernel, X_, X_)) {
  S_ = start ? start->S_ : Vector::Zero(s_.size());
  nu_ = start ? start->nu_ : Vector::Zero(s_.size());
  condition();
  for (int k = 0; k < kMostSweeps && sweep() > kStill; ++k) condition();  // sums of many small changes would drift
  condition();
  weigh();
}

// Matches the observation of each label in turn to the first two moments that Φ(s f) leaves of what the others say (R&W (3.58),
// (3.59)). The covariance loses the rows of U, times c, of a block of labels at a time; until then each row is brought up to date
// when its label's turn comes.
double Probit::sweep() {
  const Eigen::Index n = s_.size();
  double moved = 0;
  Matrix U(kTogether, n);
  Vector c(kTogether);
  for (Eigen::Index first = 0; first < n; first += kTogether) {
    const Eigen::Index size = std::min(kTogether, n - first);
    for (Eigen::Index k = 0; k < size; ++k) {
      const Eigen::Index i = first + k;
      const Vector known = U.col(i).head(k).cwiseProduct(c.head(k));
      U.row(k) = Sigma_.row(i) - known.transpose() * U.topRows(k);
      const Gaussian others = without(mean_(i), U(k, i), S_(i), nu_(i));
      const double variance = 1 / others.precision, wide = std::sqrt(1 + variance);
      const double z = s_(i) * (others.mean + hyper_.mean) / wide, ratio = inverse_mills(z);
      const double mean = others.mean + s_(i) * variance * ratio / wide;
      const double left = variance - variance * variance * ratio * (z + ratio) / (1 + variance);
      const double S = std::max(0.0, 1 / left - others.precision), nu = mean / left - others.mean * others.precision;
      const double more = S - S_(i), scale = 1 + more * U(k, i);
      c(k) = more / scale;
      mean_ += ((nu - nu_(i) - more * mean_(i)) / scale) * U.row(k).transpose();
      S_(i) = S;
      nu_(i) = nu;
      moved = std::max(moved, std::abs(more) / (1e-3 + S));
    }
    const Matrix scaled = c.head(size).asDiagonal() * U.topRows(size);
    gemm(-1, U.topRows(size), Trans::yes, scaled, Trans::no, 1, Sigma_);
  }
  return moved;
}

// Σ = K − K√S B⁻¹√S K, B = I + √S K √S.
void Probit::condition() {
  const Vector root = S_.cwiseSqrt();
  Matrix B = root.asDiagonal() * K_ * root.asDiagonal();
  B.diagonal().array() += 1;
  L_ = cholesky(B, 1, 0).L;
  Matrix V = root.asDiagonal() * K_;
  solve_lower(L_, Trans::no, V);
  Sigma_ = K_;
  gemm(-1, V, Trans::yes, V, Trans::no, 1, Sigma_);
  mean_ = Sigma_ * nu_;
}

// R&W (3.65) for the evidence, (5.27) for its gradient: where EP has settled the observations themselves count as constant.
void Probit::weigh() {
  const Eigen::Index n = s_.size(), d = X_.cols();
  const Vector root = S_.cwiseSqrt();
  Vector b = root.cwiseProduct(K_ * nu_);
  solve_lower(L_, Trans::no, b);
  solve_lower(L_, Trans::yes, b);
  weights_ = nu_ - root.cwiseProduct(b);
  evidence_ = 0.5 * nu_.dot(mean_) - log_diagonal(L_);
  double slope = 0;  // along c₀
  left_out_.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Gaussian others = without(mean_(i), Sigma_(i, i), S_(i), nu_(i));
    const double T = others.precision, wide = std::sqrt(1 + 1 / T);
    left_out_(i) = (others.mean + hyper_.mean) / wide;
    evidence_ += log_normal_cdf(s_(i) * left_out_(i)) + 0.5 * std::log1p(S_(i) / T) - 0.5 * nu_(i) * nu_(i) / (T + S_(i)) +
                 0.5 * others.mean * T / (T + S_(i)) * (S_(i) * others.mean - 2 * nu_(i));
    slope += s_(i) * inverse_mills(s_(i) * left_out_(i)) / wide;
  }
  const Matrix A = invert_lower(L_) * root.asDiagonal();
  Matrix G = 0.5 * weights_ * weights_.transpose();  // ∂/∂K = (wwᵀ − √S B⁻¹ √S)/2
  gemm(-0.5, A, Trans::yes, A, Trans::no, 1, G);
  const KernelGradient kernel = contract_inducing(hyper_.kernel, X_, G);
  gradient_.resize(d + 2);
  gradient_.head(d) = kernel.log_lengthscales;
  gradient_(d) = kernel.log_variance;
  gradient_(d + 1) = slope;
}

Prediction Probit::predict(const Matrix& X) const {
  const Matrix k = gram(hyper_.kernel, X_, X);  // [n,X]
  Matrix V = S_.cwiseSqrt().asDiagonal() * k;
  solve_lower(L_, Trans::no, V);
  return {(k.transpose() * weights_).array() + hyper_.mean,
          (hyper_.kernel.variance - V.colwise().squaredNorm().transpose().array()).max(0.0)};
}

Vector Probit::chance(const Matrix& X) const {
  const Prediction there = predict(X);
  Vector out(X.rows());
  for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = normal_cdf(there.mean(i) / std::sqrt(1 + there.variance(i)));
  return out;
}

Vector Probit::chance_left_out() const {
  Vector out(left_out_.size());
  for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = normal_cdf(left_out_(i));
  return out;
}

Probit fitted_probit(const Hyperparameters& start, const Matrix& X, const Vector& s, const FitOptions& options) {
  const Eigen::Index d = X.cols();
  std::optional<Probit> last;
  const auto at = [&](const Eigen::RowVectorXd& p) {
    Hyperparameters hyper = start;
    hyper.kernel.lengthscales = p.head(d).array().exp().transpose();
    hyper.kernel.variance = std::exp(p(d));
    hyper.mean = p(d + 1);
    return hyper;
  };
  const auto evaluate = [&](const Matrix& P, const std::vector<int>&, Vector& f, Matrix& G) {
    last = Probit(at(P.row(0)), X, s, last ? &*last : nullptr);
    f = Vector::Constant(1, last->evidence());
    G = last->gradient().transpose();
  };
  Matrix p(1, d + 2), low(1, d + 2), high(1, d + 2);
  p << start.kernel.lengthscales.array().log().transpose(), std::log(start.kernel.variance), start.mean;
  low << options.min_lengthscales.array().log().transpose(), std::log(options.min_variance), start.mean - options.max_mean;
  high << options.max_lengthscales.array().log().transpose(), std::log(options.max_variance), start.mean + options.max_mean;
  const LbfgsResult found = lbfgs_maximise(evaluate, p, low, high,
                                           {.max_evaluations = options.max_evaluations, .tolerance = options.absolute_tolerance});
  return {at(found.X.row(0)), X, s, &*last};
}

}  // namespace salvo::experiments

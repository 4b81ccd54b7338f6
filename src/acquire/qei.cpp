#include "acquire/qei.h"

#include <fmt/format.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "acquire/improvement.h"
#include "acquire/normal.h"
#include "math/linalg.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

Matrix without(const Matrix& S, Index i) {
  Matrix out(S.rows() - 1, S.cols() - 1);
  for (Index r = 0; r < out.rows(); ++r)
    for (Index c = 0; c < out.cols(); ++c) out(r, c) = S(r < i ? r : r + 1, c < i ? c : c + 1);
  return out;
}

Vector without(const Vector& v, Index i) {
  Vector out(v.size() - 1);
  for (Index r = 0; r < out.size(); ++r) out(r) = v(r < i ? r : r + 1);
  return out;
}

// P(X ≤ b) for X ~ N(0, S): one coordinate integrated after another, by Gauss's rule on panels of one deviation.
double normal_probability(const Vector& b, const Matrix& S) {
  if (b.size() == 0) return 1;
  const double sd = std::sqrt(S(0, 0)), end = std::min(b(0) / sd, 9.0);
  if (b.size() == 1) return normal_cdf(b(0) / sd);
  const Vector slope = S.col(0).tail(b.size() - 1) / sd;
  const Matrix rest = S.bottomRightCorner(b.size() - 1, b.size() - 1) - slope * slope.transpose();
  const auto integrand = [&](double z) { return normal_pdf(z) * normal_probability(b.tail(b.size() - 1) - z * slope, rest); };
  double sum = 0;
  for (double begin = -9; begin < end; begin += 1)
    sum += boost::math::quadrature::gauss<double, 15>::integrate(integrand, begin, std::min(begin + 1, end));
  return sum;
}

}  // namespace

double batch_improvement_draws(const Vector& mean, const Matrix& cov, double best, int num_draws, Key key) {
  const Matrix L = cholesky(cov, cov.diagonal().maxCoeff(), 1e-12).L;
  Matrix E(num_draws, mean.size());
  key.fill_normal({E.data(), static_cast<std::size_t>(E.size())});
  double sum = 0;
  for (Index s = 0; s < E.rows(); ++s) {
    const Vector f = mean + L.triangularView<Eigen::Lower>() * E.row(s).transpose();
    sum += std::max(0.0, f.maxCoeff() - best);
  }
  return sum / num_draws;
}

// Σ_k E[(f_k − η) 1(f_k is the largest, and above η)]. In Z_j = f_j − f_k, Z_k = −f_k the event is Z ≤ b, and the truncated
// mean of Z_k is Tallis' formula.
double batch_improvement_exact(const Vector& mean, const Matrix& cov, double best) {
  const Index q = mean.size();
  if (q < 1 || q > 3) throw std::invalid_argument(fmt::format("batch_improvement_exact: expected 1 to 3 points, got {}", q));
  double total = 0;
  for (Index k = 0; k < q; ++k) {
    Matrix T = Matrix::Identity(q, q);  // Z = T f
    T.col(k).setConstant(-1);
    const Vector m = T * mean;
    const Matrix S = T * cov * T.transpose();
    Vector b = Vector::Zero(q);
    b(k) = -best;
    b -= m;
    total += (mean(k) - best) * normal_probability(b, S);
    for (Index i = 0; i < q; ++i) {
      const double sd = std::sqrt(S(i, i));
      const Vector slope = without(Vector(S.col(i)), i) / S(i, i);
      const Matrix rest = without(S, i) - slope * slope.transpose() * S(i, i);
      total += S(i, k) * normal_pdf(b(i) / sd) / sd * normal_probability(without(b, i) - b(i) * slope, rest);
    }
  }
  return total;
}

Score batch_improvement_score(const Belief& belief, double best, int num_draws, Key key) {
  const Index p = belief.added().rows();
  if (p == 0) return log_expected_improvement(belief, best);
  struct Draws {
    Matrix A;          // [S,p] given draw s, μ(x) moves by A_s · cov(f(x), f_added)
    Vector threshold;  // [S] the better of η and the best of the batch so far
  };
  auto draws = std::make_shared<Draws>();
  const Matrix L = cholesky(belief.covariance(), belief.signal(), 1e-10).L;
  draws->A.resize(num_draws, p);
  // One column of draws per point: those of the points before do not change when the batch grows.
  for (Index j = 0; j < p; ++j) {
    Vector column(num_draws);
    key.fold(static_cast<std::uint64_t>(j)).fill_normal({column.data(), static_cast<std::size_t>(num_draws)});
    draws->A.col(j) = column;
  }
  const Matrix F = (draws->A * L.triangularView<Eigen::Lower>().transpose()).rowwise() + belief.mean().transpose();
  draws->threshold = F.rowwise().maxCoeff().cwiseMax(best);
  Matrix At = draws->A.transpose();
  solve_lower(L, Trans::yes, At);
  draws->A = At.transpose();
  const auto remaining = std::make_shared<const Remaining>(belief, 0.0);

  return [=, draws = std::shared_ptr<const Draws>(draws)](const Local& local, Slope* slope) {
    const double variance = remaining->variance(local), sd = std::sqrt(variance);
    const Vector shift = draws->A * Vector::Map(local.shared, p);
    const Index S = shift.size();
    Vector z = (local.mean + shift.array() - draws->threshold.array()) / sd, logs(S);
    for (Index s = 0; s < S; ++s) logs(s) = log_improvement(z(s));
    const double top = logs.maxCoeff();
    const Vector share = (logs.array() - top).exp();
    const double sum = share.sum();
    if (slope) {
      Vector by_mean(S);
      double by_variance = 0;
      for (Index s = 0; s < S; ++s) {
        const double steep = log_improvement_slope(z(s)), weight = share(s) / sum;
        by_mean(s) = weight * steep / sd;
        by_variance += weight * 0.5 * (1 - steep * z(s)) / variance;
      }
      slope->mean += by_mean.sum();
      slope->shared += draws->A.transpose() * by_mean;
      remaining->add_slope(local, by_variance, *slope);
    }
    return std::log(sd) + top + std::log(sum / static_cast<double>(S));
  };
}

}  // namespace salvo

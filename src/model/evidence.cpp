#include "model/evidence.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "compute/gram.h"
#include "math/linalg.h"
#include "model/check.h"

namespace salvo {

BoundGradient evidence_gradient(const Hyperparameters& hyper, const Matrix& X, const Vector& y, const Vector& r) {
  check_hyper("evidence_gradient", hyper, X.cols());
  check_data("evidence_gradient", X, y, X.cols());
  check_ratios("evidence_gradient", r, X.rows());
  const Eigen::Index d = X.cols();
  const double n = static_cast<double>(X.rows());
  const Vector yc = y.array() - hyper.mean;
  Matrix K = gram(hyper.kernel, X, X);
  if (r.size() == 0)
    K.diagonal().array() += hyper.noise;
  else
    K.diagonal() += hyper.noise * r;
  Cholesky chol = cholesky(K, hyper.kernel.variance, 1e-12);
  Vector a = yc;  // (K + τ diag r)⁻¹(y − c₀)
  solve_lower(chol.L, Trans::no, a);
  const double fit = a.squaredNorm();
  solve_lower(chol.L, Trans::yes, a);

  BoundGradient out;
  out.jitter = chol.jitter;
  out.bound = -0.5 * n * std::log(2 * std::numbers::pi) - log_diagonal(chol.L) - 0.5 * fit;

  // ∂/∂K = (aaᵀ − (K + τI)⁻¹)/2
  Matrix G = gram_lower(invert_lower(chol.L));
  const double trace_inverse = r.size() == 0 ? G.trace() : G.diagonal().dot(r);
  G *= -0.5;
  G.noalias() += 0.5 * a * a.transpose();
  const KernelGradient kernel = contract_inducing(hyper.kernel, X, G);
  out.gradient.resize(d + 3);
  out.gradient.head(d) = kernel.log_lengthscales;
  out.gradient(d) = kernel.log_variance;
  out.gradient(d + 1) = 0.5 * hyper.noise * ((r.size() == 0 ? a.squaredNorm() : a.cwiseAbs2().dot(r)) - trace_inverse);
  out.gradient(d + 2) = a.sum();
  return out;
}

std::vector<Eigen::Index> places(const Matrix& X, const Matrix& Z) {
  if (Z.rows() > X.rows() || 2 * Z.rows() < X.rows() || Z.cols() != X.cols()) return {};  // no sort of a great many rows
  const auto sorted = [](const Matrix& A) {
    std::vector<Eigen::Index> rows(static_cast<std::size_t>(A.rows()));
    std::iota(rows.begin(), rows.end(), Eigen::Index{0});
    std::sort(rows.begin(), rows.end(), [&](Eigen::Index i, Eigen::Index j) {
      return std::lexicographical_compare(A.row(i).begin(), A.row(i).end(), A.row(j).begin(), A.row(j).end());
    });
    return rows;
  };
  const auto z = sorted(Z), x = sorted(X);
  const bool once = Z.rows() < X.rows();  // what X has several times
  std::vector<Eigen::Index> out(x.size());
  std::size_t next = 0;  // in z
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool again = once && i > 0 && X.row(x[i]) == X.row(x[i - 1]);
    if (!again && (next == z.size() || Z.row(z[next++]) != X.row(x[i]))) return {};
    out[static_cast<std::size_t>(x[i])] = z[next - 1];
  }
  return next == z.size() ? out : std::vector<Eigen::Index>{};
}

}  // namespace salvo

#pragma once
// Plain dense formulas, written without any of Salvo's own algebra, to hold the library against.
#include <salvo/sparse_gp.h>

namespace salvo::reference {

[[nodiscard]] double kernel(const Kernel& k, const Vector& x, const Vector& z);
[[nodiscard]] Eigen::MatrixXd dense_gram(const Kernel& k, const Matrix& X, const Matrix& Z);
[[nodiscard]] double determinant(const Eigen::MatrixXd& A);
[[nodiscard]] Eigen::MatrixXd cholesky(const Eigen::MatrixXd& A);                         // L with A = LLᵀ
[[nodiscard]] Vector eigenvalues(const Eigen::MatrixXd& A);                               // of a symmetric A, rising
[[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);  // A⁻¹B of a positive definite A

struct Exact {
  Vector mean, variance;
  double evidence;
};
// The exact GP with noise, O(n³).
[[nodiscard]] Exact exact_gp(const Hyperparameters& h, const Matrix& X, const Vector& y, const Matrix& at);

// Titsias' bound from its definition: log N(y | c₀, Qxx + τI) − Tr(Kxx − Qxx)/2τ, with Kzz's jitter.
[[nodiscard]] double bound(const Hyperparameters& h, const Matrix& Z, const Matrix& X, const Vector& y, double jitter);

}  // namespace salvo::reference

#pragma once
#include <salvo/matrix.h>

namespace salvo {

// Dense algebra over OpenBLAS, split into blocks that depend on the sizes alone: the same bits for any number of threads.

enum class Trans { no, yes };

// C = alpha op(A) op(B) + beta C
void gemm(double alpha, const Matrix& A, Trans ta, const Matrix& B, Trans tb, double beta, Matrix& C);
[[nodiscard]] Matrix product(const Matrix& A, Trans ta, const Matrix& B, Trans tb);

// C += alpha AᵀA, lower triangle only; rows of A are `ld` apart.
void add_gram(double alpha, const Matrix& A, Eigen::Index rows, Matrix& C);
// Copies the lower triangle to the upper.
void symmetrise(Matrix& A);

// Lower Cholesky factor in place, upper triangle zeroed. False when A is not positive definite (A is then spoilt).
[[nodiscard]] bool cholesky_in_place(Matrix& A);

struct Cholesky {
  Matrix L;
  double jitter = 0;  // what was added to the diagonal, as a share of `scale`
};
// chol(A + jitter·scale·I), the jitter ten times larger after each failure; throws std::runtime_error above 1e-2.
[[nodiscard]] Cholesky cholesky(const Matrix& A, double scale, double jitter);

[[nodiscard]] Matrix invert_lower(const Matrix& L);  // L⁻¹

// B = L⁻¹B or L⁻ᵀB in place, for B [m,k].
void solve_lower(const Matrix& L, Trans trans, Matrix& B);
void solve_lower(const Matrix& L, Trans trans, Vector& b);
// B = B L⁻ᵀ in place for B [k,m]: the rows of B are solved one by one.
void solve_rows(const Matrix& L, double alpha, double* B, Eigen::Index rows, Eigen::Index stride);

[[nodiscard]] double log_diagonal(const Matrix& L);  // Σ log L_ii

}  // namespace salvo

#pragma once
#include <salvo/matrix.h>

namespace salvo {

// Dense algebra over OpenBLAS, split into blocks that depend on the sizes alone: the same bits for any number of threads.

enum class Trans { no, yes };

// C = alpha op(A) op(B) + beta C
void gemm(double alpha, const Matrix& A, Trans ta, const Matrix& B, Trans tb, double beta, Matrix& C);
[[nodiscard]] Matrix product(const Matrix& A, Trans ta, const Matrix& B, Trans tb);

// op(T) op(B) for a lower triangular T: half the flops of a full product.
[[nodiscard]] Matrix product_lower(const Matrix& T, Trans tt, const Matrix& B, Trans tb);
// TᵀT for a lower triangular T: a third of the flops of a symmetric product.
[[nodiscard]] Matrix gram_lower(const Matrix& T);

// C += alpha AᵀA over the first `rows` rows of A, lower triangle only.
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
// L⁻¹T for a lower triangular T.
[[nodiscard]] Matrix solve_lower_lower(const Matrix& L, const Matrix& T);
// B = alpha B Tᵀ in place for B [rows,m] and a lower triangular T.
void multiply_rows(const Matrix& T, double alpha, double* B, Eigen::Index rows);
// B = B L⁻ᵀ in place for B [rows,m].
void solve_rows(const Matrix& L, double* B, Eigen::Index rows);

[[nodiscard]] double log_diagonal(const Matrix& L);  // Σ log L_ii

}  // namespace salvo

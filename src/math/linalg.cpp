#include "math/linalg.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "math/parallel.h"

extern "C" void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, std::size_t);

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kBlock = 128;  // rows of a product per task
constexpr Index kTile = 192;   // of a triangular update
constexpr Index kPanel = 192;  // of the Cholesky factorisation

CBLAS_TRANSPOSE flag(Trans t) { return t == Trans::yes ? CblasTrans : CblasNoTrans; }
blasint as_int(Index i) { return static_cast<blasint>(i); }

// The k-th pair (i ≥ j) of a triangle, row by row.
std::pair<Index, Index> triangle(Index k) {
  auto i = static_cast<Index>((std::sqrt(8.0 * static_cast<double>(k) + 1.0) - 1.0) / 2.0);
  while (i * (i + 1) / 2 > k) --i;
  while ((i + 1) * (i + 2) / 2 <= k) ++i;
  return {i, k - i * (i + 1) / 2};
}

}  // namespace

void gemm(double alpha, const Matrix& A, Trans ta, const Matrix& B, Trans tb, double beta, Matrix& C) {
  const Index inner = ta == Trans::yes ? A.rows() : A.cols();
  parallel_blocks(C.rows(), kBlock, [&](Index begin, Index end) {
    const double* a = ta == Trans::yes ? A.data() + begin : A.data() + begin * A.cols();
    cblas_dgemm(CblasRowMajor, flag(ta), flag(tb), as_int(end - begin), as_int(C.cols()), as_int(inner), alpha, a,
                as_int(A.cols()), B.data(), as_int(B.cols()), beta, C.data() + begin * C.cols(), as_int(C.cols()));
  });
}

Matrix product(const Matrix& A, Trans ta, const Matrix& B, Trans tb) {
  Matrix C(ta == Trans::yes ? A.cols() : A.rows(), tb == Trans::yes ? B.rows() : B.cols());
  gemm(1.0, A, ta, B, tb, 0.0, C);
  return C;
}

Matrix product_lower(const Matrix& T, Trans tt, const Matrix& B, Trans tb) {
  const Index m = T.rows(), n = tb == Trans::yes ? B.rows() : B.cols();
  Matrix C(m, n);
  parallel_blocks(m, kBlock, [&](Index begin, Index end) {
    const Index from = tt == Trans::yes ? begin : 0, inner = (tt == Trans::yes ? m : end) - from;  // where op(T) is not zero
    const double* t = tt == Trans::yes ? T.data() + from * m + begin : T.data() + begin * m;
    const double* b = tb == Trans::yes ? B.data() + from : B.data() + from * B.cols();
    cblas_dgemm(CblasRowMajor, flag(tt), flag(tb), as_int(end - begin), as_int(n), as_int(inner), 1.0, t, as_int(m), b,
                as_int(B.cols()), 0.0, C.data() + begin * n, as_int(n));
  });
  return C;
}

Matrix gram_lower(const Matrix& T) {
  const Index m = T.rows(), tiles = (m + kTile - 1) / kTile;
  Matrix C(m, m);
  parallel_for(tiles * (tiles + 1) / 2, [&](Index task) {
    const auto [ti, tj] = triangle(task);
    const Index i = ti * kTile, j = tj * kTile, p = std::min(kTile, m - i), q = std::min(kTile, m - j);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, as_int(p), as_int(q), as_int(m - i), 1.0, T.data() + i * m + i,
                as_int(m), T.data() + i * m + j, as_int(m), 0.0, C.data() + i * m + j,
                as_int(m));  // T's rows above i are zero there
  });
  symmetrise(C);
  return C;
}

void add_gram(double alpha, const Matrix& A, Index rows, Matrix& C) {
  const Index m = C.rows(), tiles = (m + kTile - 1) / kTile;
  parallel_for(tiles * (tiles + 1) / 2, [&](Index task) {
    const auto [ti, tj] = triangle(task);
    const Index i = ti * kTile, j = tj * kTile, p = std::min(kTile, m - i), q = std::min(kTile, m - j);
    double* c = C.data() + i * m + j;
    if (ti == tj)
      cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, as_int(p), as_int(rows), alpha, A.data() + i, as_int(A.cols()), 1.0, c,
                  as_int(m));
    else
      cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, as_int(p), as_int(q), as_int(rows), alpha, A.data() + i,
                  as_int(A.cols()), A.data() + j, as_int(A.cols()), 1.0, c, as_int(m));
  });
}

void symmetrise(Matrix& A) { A.triangularView<Eigen::StrictlyUpper>() = A.transpose(); }

bool cholesky_in_place(Matrix& A) {
  const Index m = A.rows();
  for (Index k = 0; k < m; k += kPanel) {
    const Index b = std::min(kPanel, m - k), rest = m - k - b;
    double* diagonal = A.data() + k * m + k;
    const int size = static_cast<int>(b), stride = static_cast<int>(m);
    int info = 0;
    dpotrf_("U", &size, diagonal, &stride, &info, 1);  // column-major upper is row-major lower
    if (info != 0) return false;
    if (rest == 0) break;
    parallel_blocks(rest, kBlock, [&](Index begin, Index end) {
      cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, as_int(end - begin), as_int(b), 1.0, diagonal,
                  as_int(m), A.data() + (k + b + begin) * m + k, as_int(m));
    });
    const Index tiles = (rest + kTile - 1) / kTile;
    parallel_for(tiles * (tiles + 1) / 2, [&](Index task) {
      const auto [ti, tj] = triangle(task);
      const Index i = k + b + ti * kTile, j = k + b + tj * kTile, p = std::min(kTile, m - i), q = std::min(kTile, m - j);
      double* c = A.data() + i * m + j;
      if (ti == tj)
        cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, as_int(p), as_int(b), -1.0, A.data() + i * m + k, as_int(m), 1.0, c,
                    as_int(m));
      else
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, as_int(p), as_int(q), as_int(b), -1.0, A.data() + i * m + k,
                    as_int(m), A.data() + j * m + k, as_int(m), 1.0, c, as_int(m));
    });
  }
  A.triangularView<Eigen::StrictlyUpper>().setZero();
  return A.diagonal().allFinite();
}

Cholesky cholesky(const Matrix& A, double scale, double jitter) {
  for (Cholesky out{{}, jitter}; out.jitter <= 1.0000001e-2; out.jitter *= 10) {
    out.L = A;
    out.L.diagonal().array() += out.jitter * scale;
    if (cholesky_in_place(out.L)) return out;
  }
  throw std::runtime_error("cholesky: a matrix of size " + std::to_string(A.rows()) +
                           " is not positive definite even with 1% of its scale added to the diagonal");
}

Matrix solve_lower_lower(const Matrix& L, const Matrix& T) {
  const Index m = L.rows();
  Matrix X = T;
  parallel_blocks(m, 64, [&](Index begin, Index end) {  // columns [begin, end) are zero above row `begin`
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, as_int(m - begin), as_int(end - begin), 1.0,
                L.data() + begin * m + begin, as_int(m), X.data() + begin * m + begin, as_int(m));
  });
  return X;
}

Matrix invert_lower(const Matrix& L) { return solve_lower_lower(L, Matrix::Identity(L.rows(), L.rows())); }

void solve_lower(const Matrix& L, Trans trans, Matrix& B) {
  parallel_blocks(B.cols(), 64, [&](Index begin, Index end) {
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, flag(trans), CblasNonUnit, as_int(L.rows()), as_int(end - begin), 1.0,
                L.data(), as_int(L.cols()), B.data() + begin, as_int(B.cols()));
  });
}

void solve_lower(const Matrix& L, Trans trans, Vector& b) {
  cblas_dtrsv(CblasRowMajor, CblasLower, flag(trans), CblasNonUnit, as_int(L.rows()), L.data(), as_int(L.cols()), b.data(), 1);
}

void multiply_rows(const Matrix& T, double alpha, double* B, Index rows) {
  cblas_dtrmm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, as_int(rows), as_int(T.rows()), alpha, T.data(),
              as_int(T.cols()), B, as_int(T.cols()));
}

void solve_rows(const Matrix& L, double* B, Index rows) {
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, as_int(rows), as_int(L.rows()), 1.0, L.data(),
              as_int(L.cols()), B, as_int(L.cols()));
}

double log_diagonal(const Matrix& L) { return L.diagonal().array().log().sum(); }

}  // namespace salvo

#include "compute/gram.h"

#include <cblas.h>

#include <algorithm>
#include <vector>

#include "compute/rows.h"
#include "math/linalg.h"
#include "math/parallel.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kChunk = 1024;  // rows of X whose Kxz is held at once
constexpr Index kRows = 64;     // rows built by one task
constexpr Index kBlock = 128;   // rows per task where a product follows at once: K stays in the cache

blasint as_int(Index i) { return static_cast<blasint>(i); }

// Builds Kxz for rows [begin, end) of X into K (and the derivative factors into D), `stride` apart.
void build_rows(const Kernel& kernel, const ScaledPoints<double>& Z, const Matrix& X, const Vector& scale, Index begin, Index end,
                double* K, double* D, Index stride) {
  std::vector<double> x(static_cast<std::size_t>(X.cols()));
  for (Index i = begin; i < end; ++i) {
    for (Index d = 0; d < X.cols(); ++d) x[static_cast<std::size_t>(d)] = X(i, d) / kernel.lengthscales(d);
    const Index at = (i - begin) * stride;
    kernel_row(kernel.type, kernel.variance, x.data(), Z, K + at, D ? D + at : nullptr);
    if (scale.size() == 0) continue;
    Eigen::Map<Eigen::ArrayXd>(K + at, stride) *= scale(i);
    if (D) Eigen::Map<Eigen::ArrayXd>(D + at, stride) *= scale(i);
  }
}

// Calls body(K, begin, rows) for one chunk of rows of X after another, K [≥rows, m] built in parallel.
template <class Body>
void for_chunks(const Kernel& kernel, const Matrix& Z, const Matrix& X, const Vector& scale, const Body& body) {
  const ScaledPoints<double> scaled(Z, kernel.lengthscales);
  const Index m = Z.rows(), n = X.rows();
  Matrix K(std::min(kChunk, n), m);
  for (Index begin = 0; begin < n; begin += kChunk) {
    const Index rows = std::min(kChunk, n - begin);
    parallel_blocks(rows, kRows, [&](Index a, Index b) {
      build_rows(kernel, scaled, X, scale, begin + a, begin + b, K.data() + a * m, nullptr, m);
    });
    body(K, begin, rows);
  }
}

// out += Kᵀ v over `rows` rows, columns split over the threads.
void add_product(const Matrix& K, Index rows, const double* v, Vector& out) {
  const Index m = K.cols();
  parallel_blocks(m, 256, [&](Index a, Index b) {
    cblas_dgemv(CblasRowMajor, CblasTrans, as_int(rows), as_int(b - a), 1.0, K.data() + a, as_int(m), v, 1, 1.0, out.data() + a,
                1);
  });
}

// Sums per task, added up in the order of the tasks.
struct Partial {
  std::vector<double> squares;
  double variance = 0;
};
KernelGradient total(const std::vector<Partial>& partials, Index dims) {
  KernelGradient sum{Vector::Zero(dims), 0};
  for (const Partial& p : partials) {
    for (Index d = 0; d < dims; ++d) sum.log_lengthscales(d) += p.squares[static_cast<std::size_t>(d)];
    sum.log_variance += p.variance;
  }
  return sum;
}

}  // namespace

GramMoments gram_moments(const Kernel& kernel, const Matrix& Z, const Matrix& X, const Vector& y, const Vector& scale) {
  const Index m = Z.rows();
  GramMoments out{Matrix::Zero(m, m), Vector::Zero(m), Vector::Zero(m)};
  const Vector ones = Vector::Ones(std::min(kChunk, X.rows()));
  for_chunks(kernel, Z, X, scale, [&](const Matrix& K, Index begin, Index rows) {
    add_gram(1.0, K, rows, out.S);
    add_product(K, rows, y.data() + begin, out.sy);
    add_product(K, rows, scale.size() > 0 ? scale.data() + begin : ones.data(), out.s1);
  });
  symmetrise(out.S);
  return out;
}

KernelGradient contract_data(const Kernel& kernel, const Matrix& Z, const Matrix& X, const Vector& y, const Matrix& G,
                             const Vector& g, const Vector& scale) {
  const ScaledPoints<double> scaled(Z, kernel.lengthscales);
  const Index m = Z.rows(), n = X.rows(), d = X.cols();
  std::vector<Partial> partials(static_cast<std::size_t>((n + kBlock - 1) / kBlock));
  parallel_blocks(n, kBlock, [&](Index begin, Index end) {
    static thread_local std::vector<double> buffer;
    const Index rows = end - begin;
    const Index slopes_size = is_additive(kernel.type) ? d * m : rows * m;
    buffer.resize(static_cast<std::size_t>(2 * rows * m + slopes_size));
    double *K = buffer.data(), *H = K + rows * m, *D = H + rows * m;
    build_rows(kernel, scaled, X, scale, begin, end, K, is_additive(kernel.type) ? nullptr : D, m);
    for (Index i = 0; i < rows; ++i)  // H = 2 K G + y gᵀ
      for (Index j = 0; j < m; ++j) H[i * m + j] = y(begin + i) * g(j);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, as_int(rows), as_int(m), as_int(m), 2.0, K, as_int(m), G.data(),
                as_int(m), 1.0, H, as_int(m));
    Partial& out = partials[static_cast<std::size_t>(begin / kBlock)];
    out.squares.assign(static_cast<std::size_t>(d), 0.0);
    std::vector<double> x(static_cast<std::size_t>(d));
    for (Index i = 0; i < rows; ++i) {
      for (Index e = 0; e < d; ++e) x[static_cast<std::size_t>(e)] = X(begin + i, e) / kernel.lengthscales(e);
      out.variance += weighted_sum(H + i * m, K + i * m, static_cast<int>(m));
      double* slopes = D + i * m;
      if (is_additive(kernel.type)) {  // there is no room for those of all rows: again, one row at a time
        slopes = D;
        kernel_row(kernel.type, kernel.variance, x.data(), scaled, K + i * m, slopes);
        if (scale.size() > 0) Eigen::Map<Eigen::ArrayXd>(H + i * m, m) *= scale(begin + i);
      }
      squared_differences(kernel.type, x.data(), scaled, H + i * m, slopes, out.squares.data());
    }
  });
  return total(partials, d);
}

KernelGradient contract_inducing(const Kernel& kernel, const Matrix& Z, const Matrix& G) {
  const ScaledPoints<double> scaled(Z, kernel.lengthscales);
  const Index m = Z.rows(), d = Z.cols();
  std::vector<Partial> partials(static_cast<std::size_t>((m + kRows - 1) / kRows));
  parallel_blocks(m, kRows, [&](Index begin, Index end) {
    std::vector<double> k(static_cast<std::size_t>(m)), g(num_slopes(kernel.type, scaled)), z(static_cast<std::size_t>(d));
    Partial& out = partials[static_cast<std::size_t>(begin / kRows)];
    out.squares.assign(static_cast<std::size_t>(d), 0.0);
    for (Index i = begin; i < end; ++i) {
      for (Index e = 0; e < d; ++e) z[static_cast<std::size_t>(e)] = Z(i, e) / kernel.lengthscales(e);
      kernel_row(kernel.type, kernel.variance, z.data(), scaled, k.data(), g.data());
      squared_differences(kernel.type, z.data(), scaled, G.data() + i * m, g.data(), out.squares.data());
      out.variance += weighted_sum(G.data() + i * m, k.data(), static_cast<int>(m));
    }
  });
  return total(partials, d);
}

void add_whitened(const Kernel& kernel, const Matrix& Z, const Matrix& Linv, double noise, const Matrix& X, const Vector& y,
                  Matrix& AAt, Vector& Ay, const Vector& scale) {
  const double per_noise = 1.0 / std::sqrt(noise);
  const Vector scaled_y = y * per_noise;
  for_chunks(kernel, Z, X, scale, [&](Matrix& A, Index begin, Index rows) {
    parallel_blocks(rows, kBlock, [&](Index a, Index b) { multiply_rows(Linv, per_noise, A.data() + a * A.cols(), b - a); });
    add_gram(1.0, A, rows, AAt);
    add_product(A, rows, scaled_y.data() + begin, Ay);
  });
}

Matrix gram(const Kernel& kernel, const Matrix& X, const Matrix& Z) {
  kernel.validate();
  if (X.cols() != kernel.lengthscales.size() || Z.cols() != X.cols())
    throw std::invalid_argument("gram: expected points of " + std::to_string(kernel.lengthscales.size()) +
                                " coordinates (one per length-scale), got " + std::to_string(X.cols()) + " and " +
                                std::to_string(Z.cols()));
  const ScaledPoints<double> scaled(Z, kernel.lengthscales);
  Matrix K(X.rows(), Z.rows());
  parallel_blocks(X.rows(), kRows,
                  [&](Index a, Index b) { build_rows(kernel, scaled, X, {}, a, b, K.data() + a * K.cols(), nullptr, K.cols()); });
  return K;
}

}  // namespace salvo

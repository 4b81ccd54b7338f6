// Derivatives with respect to the inducing points (docs/math.md §4): ∂k(x,z)/∂z_d = g (x_d − z_d)/ℓ_d².
#include <algorithm>

#include "compute/gram.h"
#include "compute/rows.h"
#include "math/linalg.h"
#include "math/parallel.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kPointsChunk = 1024;  // rows of X held at once

// Kxz and, where D has room, the derivative factors g for rows begin … begin+rows−1 of X.
void build(const Kernel& kernel, const ScaledPoints<double>& Z, const Matrix& X, Index begin, Index rows, Matrix& K, Matrix& D) {
  parallel_blocks(rows, 64, [&](Index a, Index b) {
    for (Index i = a; i < b; ++i) {
      const Vector x = X.row(begin + i).transpose().array() / kernel.lengthscales.array();
      kernel_row(kernel.type, kernel.variance, x.data(), Z, K.row(i).data(), D.rows() > 0 ? D.row(i).data() : nullptr);
    }
  });
}

// Σ_i E_ij (x_i − z_j)/ℓ², added to out.
void add_differences(const Kernel& kernel, const Matrix& Z, const Matrix& E, const Matrix& X, Matrix& out) {
  Matrix sum = product(E, Trans::yes, X, Trans::no);  // [m,d]
  sum.array() -= Z.array().colwise() * E.colwise().sum().transpose().array();
  out.array() += sum.array().rowwise() / kernel.lengthscales.transpose().array().square();
}

// Σ_i H_ij ∂k(x_i, z_j)/∂z_j, added to out, for an additive kernel: one input after another.
void add_inputs(const Kernel& kernel, const Matrix& Z, const Matrix& H, const Matrix& X, Matrix& out) {
  const Index dims = Z.cols();
  for (Index d = 0; d < dims; ++d) {
    const Kernel one{joint(kernel.type), kernel.variance / static_cast<double>(dims), kernel.lengthscales.segment(d, 1)};
    const Matrix z = Z.col(d), x = X.col(d);
    Matrix K(H.rows(), H.cols()), D(H.rows(), H.cols()), part = Matrix::Zero(Z.rows(), 1);
    build(one, ScaledPoints<double>(z, one.lengthscales), x, 0, H.rows(), K, D);
    D.array() *= H.array();
    add_differences(one, z, D, x, part);
    out.col(d) += part;
  }
}

}  // namespace

Matrix contract_data_points(const Kernel& kernel, const Matrix& Z, const Matrix& X, const Vector& y, const Matrix& G,
                            const Vector& g, const Vector& scale) {
  const ScaledPoints<double> scaled(Z, kernel.lengthscales);
  const Index m = Z.rows(), n = X.rows();
  Matrix out = Matrix::Zero(m, Z.cols());
  for (Index begin = 0; begin < n; begin += kPointsChunk) {
    const Index rows = std::min(kPointsChunk, n - begin);
    Matrix K(rows, m), D(is_additive(kernel.type) ? 0 : rows, m);
    build(kernel, scaled, X, begin, rows, K, D);
    if (scale.size() > 0) {
      K.array().colwise() *= scale.segment(begin, rows).array();
      if (D.rows() > 0) D.array().colwise() *= scale.segment(begin, rows).array();
    }
    Matrix H = y.segment(begin, rows) * g.transpose();
    gemm(2.0, K, Trans::no, G, Trans::no, 1.0, H);
    if (is_additive(kernel.type)) {
      if (scale.size() > 0) H.array().colwise() *= scale.segment(begin, rows).array();
      add_inputs(kernel, Z, H, X.middleRows(begin, rows), out);
      continue;
    }
    H.array() *= D.array();
    add_differences(kernel, Z, H, X.middleRows(begin, rows), out);
  }
  return out;
}

Matrix contract_inducing_points(const Kernel& kernel, const Matrix& Z, const Matrix& G) {
  Matrix out = Matrix::Zero(Z.rows(), Z.cols());
  if (is_additive(kernel.type)) {
    Matrix H = 2.0 * G;
    H.diagonal().setZero();
    add_inputs(kernel, Z, H, Z, out);
    return out;
  }
  Matrix K(Z.rows(), Z.rows()), D(Z.rows(), Z.rows());
  build(kernel, ScaledPoints<double>(Z, kernel.lengthscales), Z, 0, Z.rows(), K, D);
  D.array() *= 2.0 * G.array();
  D.diagonal().setZero();
  add_differences(kernel, Z, D, Z, out);
  return out;
}

}  // namespace salvo

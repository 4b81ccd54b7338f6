#include "sample/features.h"

#include <cmath>
#include <numbers>

#include "compute/rows.h"
#include "math/parallel.h"

namespace salvo {
namespace {

// 2ν of a Matérn kernel; 0 for the squared exponential.
int degrees_of_freedom(KernelType type) {
  switch (type) {
    case KernelType::matern12:
      return 1;
    case KernelType::matern32:
      return 3;
    case KernelType::matern52:
      return 5;
    case KernelType::se:
      break;
  }
  return 0;
}

}  // namespace

FourierFeatures fourier_features(const Kernel& kernel, int num_features, Key key) {
  const Eigen::Index M = num_features, d = kernel.lengthscales.size();
  FourierFeatures out{Matrix(M, d), Vector(M), std::sqrt(2.0 * kernel.variance / static_cast<double>(M))};
  key.fold("frequencies").fill_normal({out.W.data(), static_cast<std::size_t>(out.W.size())});
  key.fold("phases").fill_uniform({out.b.data(), static_cast<std::size_t>(M)});
  out.b *= 2.0 * std::numbers::pi;
  if (const int dof = degrees_of_freedom(kernel.type); dof > 0) {
    // A row is one multivariate t with 2ν degrees of freedom: one χ² shared by all its coordinates.
    Matrix normals(M, dof);
    key.fold("chi-squared").fill_normal({normals.data(), static_cast<std::size_t>(normals.size())});
    const Vector chi = normals.rowwise().squaredNorm() / dof;
    out.W.array().colwise() /= chi.array().sqrt();
  }
  out.W.array().rowwise() /= kernel.lengthscales.transpose().array();
  return out;
}

Matrix FourierFeatures::cosines(const Matrix& X) const {
  const ScaledPoints<double> frequencies(W, Vector::Ones(W.cols()));
  Matrix out(X.rows(), W.rows());
  parallel_blocks(X.rows(), 32, [&](Eigen::Index a, Eigen::Index b_end) {
    Vector phase(W.rows());
    for (Eigen::Index i = a; i < b_end; ++i) {
      phases(X.row(i).data(), frequencies, b.data(), phase.data());
      salvo::cosines(phase.data(), static_cast<int>(W.rows()), out.row(i).data());
    }
  });
  return out;
}

}  // namespace salvo

#include "support/reference.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

namespace salvo::reference {

double kernel(const Kernel& k, const Vector& x, const Vector& z) {
  if (k.type == KernelType::additive32 || k.type == KernelType::additive52) {
    double sum = 0;
    for (Eigen::Index d = 0; d < x.size(); ++d)
      sum += kernel({k.type == KernelType::additive32 ? KernelType::matern32 : KernelType::matern52, k.variance,
                     k.lengthscales.segment(d, 1)},
                    x.segment(d, 1), z.segment(d, 1));
    return sum / static_cast<double>(x.size());
  }
  const double r = ((x - z).array() / k.lengthscales.array()).matrix().norm();
  switch (k.type) {
    case KernelType::se:
      return k.variance * std::exp(-0.5 * r * r);
    case KernelType::matern12:
      return k.variance * std::exp(-r);
    case KernelType::matern32:
      return k.variance * (1 + std::sqrt(3.0) * r) * std::exp(-std::sqrt(3.0) * r);
    default:
      return k.variance * (1 + std::sqrt(5.0) * r + 5.0 * r * r / 3.0) * std::exp(-std::sqrt(5.0) * r);
  }
}

Eigen::MatrixXd dense_gram(const Kernel& k, const Matrix& X, const Matrix& Z) {
  Eigen::MatrixXd K(X.rows(), Z.rows());
  for (Eigen::Index i = 0; i < X.rows(); ++i)
    for (Eigen::Index j = 0; j < Z.rows(); ++j) K(i, j) = kernel(k, X.row(i), Z.row(j));
  return K;
}

double determinant(const Eigen::MatrixXd& A) { return A.determinant(); }
Eigen::MatrixXd cholesky(const Eigen::MatrixXd& A) { return A.llt().matrixL(); }
Vector eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}
Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) { return A.llt().solve(B); }

Exact exact_gp(const Hyperparameters& h, const Matrix& X, const Vector& y, const Matrix& at) {
  Eigen::MatrixXd K = dense_gram(h.kernel, X, X);
  K.diagonal().array() += h.noise;
  const Eigen::LLT<Eigen::MatrixXd> chol(K);
  const Vector yc = y.array() - h.mean;
  const Vector a = chol.solve(yc);
  const Eigen::MatrixXd Kx = dense_gram(h.kernel, at, X);
  Exact out;
  out.mean = (Kx * a).array() + h.mean;
  out.variance = h.kernel.variance - (Kx * chol.solve(Kx.transpose())).diagonal().array();
  const Eigen::MatrixXd L = chol.matrixL();
  out.evidence =
      -0.5 * yc.dot(a) - L.diagonal().array().log().sum() - 0.5 * static_cast<double>(X.rows()) * std::log(2 * std::numbers::pi);
  return out;
}

double bound(const Hyperparameters& h, const Matrix& Z, const Matrix& X, const Vector& y, double jitter) {
  Eigen::MatrixXd Kzz = dense_gram(h.kernel, Z, Z);
  Kzz.diagonal().array() += jitter * h.kernel.variance;
  const Eigen::MatrixXd Kxz = dense_gram(h.kernel, X, Z);
  Eigen::MatrixXd Q = Kxz * Kzz.llt().solve(Kxz.transpose());
  const double theta = static_cast<double>(X.rows()) * h.kernel.variance - Q.trace();
  Q.diagonal().array() += h.noise;
  const Eigen::LLT<Eigen::MatrixXd> chol(Q);
  const Vector yc = y.array() - h.mean;
  const Eigen::MatrixXd L = chol.matrixL();
  return -0.5 * yc.dot(chol.solve(yc)) - L.diagonal().array().log().sum() -
         0.5 * static_cast<double>(X.rows()) * std::log(2 * std::numbers::pi) - theta / (2 * h.noise);
}

}  // namespace salvo::reference

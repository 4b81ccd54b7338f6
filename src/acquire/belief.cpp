#include "acquire/belief.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/rows.h"
#include "math/linalg.h"
#include "math/parallel.h"

namespace salvo {

using Index = Eigen::Index;

Belief::Belief(const SparseGp& gp, bool exact) : gp_(gp), added_(0, gp.Z().cols()) {
  if (exact) {
    Matrix K = gram(gp.hyper().kernel, gp.Z(), gp.Z());
    K.diagonal().array() += gp.hyper().noise + gp.jitter() * signal();  // as the model has it that gives the mean
    const Matrix Linv = invert_lower(cholesky(K, signal(), 1e-12).L);
    P_ = gram_lower(Linv);  // (Kzz + τI)⁻¹, the jitter in τ
    root_ = Linv.cast<float>();
  } else {
    const Matrix Linv = invert_lower(gp.L());
    P_ = gram_lower(Linv) - gram_lower(solve_lower_lower(gp.R(), Linv));  // Kzz⁻¹ − Σ⁻¹
  }
  weights_ = gp.c();  // L⁻ᵀR⁻ᵀc
  solve_lower(gp.R(), Trans::yes, weights_);
  solve_lower(gp.L(), Trans::yes, weights_);
}

void Belief::add(const Matrix& points) {
  const Kernel& kernel = gp_.hyper().kernel;
  Matrix all(added_.rows() + points.rows(), added_.cols());
  all << added_, points;
  added_ = std::move(all);
  Kza_ = gram(kernel, gp_.Z(), added_);
  W_ = product(P_, Trans::no, Kza_, Trans::no);
  C_ = gram(kernel, added_, added_) - product(Kza_, Trans::yes, W_, Trans::no);
  mean_ = (Kza_.transpose() * weights_).array() + gp_.hyper().mean;
  gp_.trend().add_to(added_, mean_, nullptr);
}

Belief::Products Belief::products(const Matrix& X) const {
  const Kernel& kernel = gp_.hyper().kernel;
  Products out{.K = gram(kernel, X, gp_.Z()), .Q = Matrix(X.rows(), P_.rows()), .shared = Matrix(X.rows(), added_.rows())};
  gemm(1.0, out.K, Trans::no, P_, Trans::no, 0.0, out.Q);
  if (added_.rows() == 0) return out;
  out.shared = gram(kernel, X, added_);
  gemm(-1.0, out.K, Trans::no, W_, Trans::no, 1.0, out.shared);
  return out;
}

void Belief::evaluate(const Score& score, const Matrix& X, Vector& values, Matrix* gradients) const {
  const Kernel& kernel = gp_.hyper().kernel;
  const Vector& ell = kernel.lengthscales;
  const Index m = gp_.Z().rows(), p = added_.rows(), d = X.cols();
  const ScaledPoints<double> Z(gp_.Z(), ell), A(added_, ell);
  const bool follows = !gp_.trend().empty();
  values.resize(X.rows());
  if (gradients) gradients->resize(X.rows(), d);
  parallel_blocks(X.rows(), 64, [&](Index begin, Index end) {
    const Matrix rows = X.middleRows(begin, end - begin);
    const auto [K, Q, shared] = products(rows);
    std::vector<double> x(static_cast<std::size_t>(d)), k(static_cast<std::size_t>(m + p)),
        g(num_slopes(kernel.type, Z) + num_slopes(kernel.type, A)), part(x.size());
    Vector trend = Vector::Zero(follows ? rows.rows() : 0);
    Matrix trend_slopes = Matrix::Zero(trend.size(), d);
    if (follows) gp_.trend().add_to(rows, trend, gradients ? &trend_slopes : nullptr);
    for (Index i = 0; i < rows.rows(); ++i) {
      const Local local{.x = rows.row(i).data(),
                        .mean = gp_.hyper().mean + K.row(i).dot(weights_) + (follows ? trend(i) : 0.0),
                        .variance = std::max(kernel.variance - K.row(i).dot(Q.row(i)), 1e-12 * kernel.variance),
                        .shared = shared.row(i).data()};
      if (!gradients) {
        values(begin + i) = score(local, nullptr);
        continue;
      }
      Slope slope{.shared = Vector::Zero(p), .x = Vector::Zero(d)};
      values(begin + i) = score(local, &slope);
      for (Index e = 0; e < d; ++e) x[static_cast<std::size_t>(e)] = rows(i, e) / ell(e);
      // mean, variance and covariances are sums of kernels at Z and at the added points: so is the gradient.
      Vector v = slope.mean * weights_ - 2 * slope.variance * Q.row(i).transpose();
      if (p > 0) v.noalias() -= W_ * slope.shared;
      kernel_row(kernel.type, kernel.variance, x.data(), Z, k.data(), g.data());
      (void)kernel_sum(kernel.type, x.data(), Z, v.data(), k.data(), g.data(), part.data());
      for (Index e = 0; e < d; ++e) slope.x(e) += part[static_cast<std::size_t>(e)] / ell(e);
      if (follows) slope.x += slope.mean * trend_slopes.row(i).transpose();
      if (p > 0) {
        kernel_row(kernel.type, kernel.variance, x.data(), A, k.data(), g.data());
        (void)kernel_sum(kernel.type, x.data(), A, slope.shared.data(), k.data(), g.data(), part.data());
        for (Index e = 0; e < d; ++e) slope.x(e) += part[static_cast<std::size_t>(e)] / ell(e);
      }
      gradients->row(begin + i) = slope.x;
    }
  });
}

Moments Belief::moments(const Matrix& X) const {
  const double variance = gp_.hyper().kernel.variance;
  Moments out{Vector(X.rows()), Vector(X.rows()), Matrix(X.rows(), added_.rows())};
  parallel_blocks(X.rows(), 128, [&](Index begin, Index end) {
    if (root_.size() > 0) return add_single(X, begin, end, out);
    const auto [K, Q, shared] = products(X.middleRows(begin, end - begin));
    out.mean.segment(begin, end - begin) = (K * weights_).array() + gp_.hyper().mean;
    out.variance.segment(begin, end - begin) = (variance - K.cwiseProduct(Q).rowwise().sum().array()).max(1e-12 * variance);
    out.shared.middleRows(begin, end - begin) = shared;
  });
  gp_.trend().add_to(X, out.mean, nullptr);
  return out;
}

// A block of rows in single precision. ‖root k‖² is a sum of squares: its error is about 1e-4 of the prior's variance at worst.
void Belief::add_single(const Matrix& X, Index begin, Index end, Moments& out) const {
  constexpr int kColumns = 128;
  const Kernel& kernel = gp_.hyper().kernel;
  const int rows = static_cast<int>(end - begin), m = static_cast<int>(gp_.Z().rows());
  const Index p = added_.rows();
  const ScaledPoints<float> Z(gp_.Z(), kernel.lengthscales), A(added_, kernel.lengthscales);
  MatrixF K(rows, m), shared(rows, p), part(rows, kColumns);
  for (Index i = 0; i < rows; ++i) {
    const Eigen::VectorXf x = (X.row(begin + i).transpose().array() / kernel.lengthscales.array()).cast<float>();
    kernel_row(kernel.type, kernel.variance, x.data(), Z, K.row(i).data());
    if (p > 0) kernel_row(kernel.type, kernel.variance, x.data(), A, shared.row(i).data());
  }
  Eigen::VectorXf explained = Eigen::VectorXf::Zero(rows);
  for (int j = 0; j < m; j += kColumns) {  // those rows of root end at column j + width
    const int width = std::min(kColumns, m - j);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, width, j + width, 1.0F, K.data(), m, root_.row(j).data(), m, 0.0F,
                part.data(), kColumns);
    explained += part.leftCols(width).rowwise().squaredNorm();
  }
  out.mean.segment(begin, rows) = (K * weights_.cast<float>()).cast<double>().array() + gp_.hyper().mean;
  out.variance.segment(begin, rows) = (kernel.variance - explained.cast<double>().array()).max(1e-5 * kernel.variance);
  if (p > 0) out.shared.middleRows(begin, rows) = (shared - K * W_.cast<float>()).cast<double>();
}

Vector Belief::slopes_of_mean(const Matrix& X) const {
  Vector values;
  Matrix gradients;
  const Score mean = [](const Local& local, Slope* slope) {
    if (slope) slope->mean = 1;
    return local.mean;
  };
  evaluate(mean, X, values, &gradients);
  return gradients.rowwise().norm();
}

}  // namespace salvo

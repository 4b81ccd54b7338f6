#include "acquire/belief.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/rows.h"
#include "math/linalg.h"
#include "math/parallel.h"

namespace salvo {

using Index = Eigen::Index;

Belief::Belief(const SparseGp& gp) : gp_(gp), added_(0, gp.Z().cols()) {
  const Matrix Linv = invert_lower(gp.L());
  P_ = gram_lower(Linv) - gram_lower(solve_lower_lower(gp.R(), Linv));  // Kzz⁻¹ − Σ⁻¹
  weights_ = gp.c();                                                    // L⁻ᵀR⁻ᵀc
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
}

void Belief::evaluate(const Score& score, const Matrix& X, Vector& values, Matrix* gradients) const {
  const Kernel& kernel = gp_.hyper().kernel;
  const Vector& ell = kernel.lengthscales;
  const Index m = gp_.Z().rows(), p = added_.rows(), d = X.cols();
  const ScaledPoints<double> Z(gp_.Z(), ell), A(added_, ell);
  values.resize(X.rows());
  if (gradients) gradients->resize(X.rows(), d);
  parallel_blocks(X.rows(), 64, [&](Index begin, Index end) {
    const Matrix rows = X.middleRows(begin, end - begin);
    const Matrix K = gram(kernel, rows, gp_.Z());      // [b,m]
    Matrix Q(rows.rows(), m), shared(rows.rows(), p);  // k P, and k_xa − k P k_Za
    gemm(1.0, K, Trans::no, P_, Trans::no, 0.0, Q);
    if (p > 0) {
      shared = gram(kernel, rows, added_);
      gemm(-1.0, K, Trans::no, W_, Trans::no, 1.0, shared);
    }
    std::vector<double> x(static_cast<std::size_t>(d)), k(static_cast<std::size_t>(m + p)), g(k.size()), part(x.size());
    for (Index i = 0; i < rows.rows(); ++i) {
      const Local local{.x = rows.row(i).data(),
                        .mean = gp_.hyper().mean + K.row(i).dot(weights_),
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
      (void)kernel_sum(x.data(), Z, v.data(), k.data(), g.data(), part.data());
      for (Index e = 0; e < d; ++e) slope.x(e) += part[static_cast<std::size_t>(e)] / ell(e);
      if (p > 0) {
        kernel_row(kernel.type, kernel.variance, x.data(), A, k.data(), g.data());
        (void)kernel_sum(x.data(), A, slope.shared.data(), k.data(), g.data(), part.data());
        for (Index e = 0; e < d; ++e) slope.x(e) += part[static_cast<std::size_t>(e)] / ell(e);
      }
      gradients->row(begin + i) = slope.x;
    }
  });
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

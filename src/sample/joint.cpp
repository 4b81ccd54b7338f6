#include "sample/joint.h"

#include "math/linalg.h"
#include "model/jitter.h"

namespace salvo {

double joint_bytes(double num_points, double num_inducing, double num_samples) {
  return 8 * num_points * (2 * num_points + 2 * num_inducing + 2 * num_samples);
}

// docs/math.md §5a: k(C,C) − TTᵀ + UUᵀ with T = (L⁻¹k_ZC)ᵀ and U = (R⁻¹L⁻¹k_ZC)ᵀ.
Matrix joint_samples(const SparseGp& gp, const Matrix& C, int num_samples, double alpha, Key key) {
  const Kernel& kernel = gp.hyper().kernel;
  Matrix T = gram(kernel, C, gp.Z());  // [N,m]
  solve_rows(gp.L(), T.data(), T.rows());
  Matrix K = gram(kernel, C, C);  // [N,N]
  gemm(-1.0, T, Trans::no, T, Trans::yes, 1.0, K);
  solve_rows(gp.R(), T.data(), T.rows());
  gemm(1.0, T, Trans::no, T, Trans::yes, 1.0, K);
  const Matrix L = cholesky(K, kernel.variance, kJitter).L;
  Matrix eps(num_samples, C.rows());
  key.fill_normal({eps.data(), static_cast<std::size_t>(eps.size())});
  eps *= alpha;
  Matrix F = product_lower(L, Trans::no, eps, Trans::yes);  // [N,B]
  F.colwise() += gp.predict_mean(C);
  return F;
}

}  // namespace salvo

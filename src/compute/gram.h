#pragma once
#include <salvo/kernel.h>
#include <salvo/matrix.h>

namespace salvo {

// The heavy operations of the sparse GP, streamed over the rows of X in chunks: memory O(m² + chunk·m), the sums in
// an order that depends on the sizes alone. Kernels are built block by block, twice rather than stored.
// scale [n], where it is given: row i of Kxz stands multiplied by scale(i), as where noise differs; y is taken as it is.

// What the collapsed bound needs of the data (docs/math.md §3).
struct GramMoments {
  Matrix S;   // Kzx Kxz [m,m]
  Vector sy;  // Kzx y [m]
  Vector s1;  // Kzx 1 [m], or Kzx times the scales
};
[[nodiscard]] GramMoments gram_moments(const Kernel& kernel, const Matrix& Z, const Matrix& X, const Vector& y,
                                       const Vector& scale = {});

// Derivatives of a scalar F with respect to (log ℓ, log σ²) through a Gram matrix.
struct KernelGradient {
  Vector log_lengthscales;  // [d]
  double log_variance = 0;
};
// For ∂F/∂Kzx = 2 G Kzx + g yᵀ with G symmetric [m,m].
[[nodiscard]] KernelGradient contract_data(const Kernel& kernel, const Matrix& Z, const Matrix& X, const Vector& y,
                                           const Matrix& G, const Vector& g, const Vector& scale = {});
// For ∂F/∂Kzz = G. The jitter on the diagonal is not included.
[[nodiscard]] KernelGradient contract_inducing(const Kernel& kernel, const Matrix& Z, const Matrix& G);

// The same with respect to the rows of Z: [m,d].
[[nodiscard]] Matrix contract_data_points(const Kernel& kernel, const Matrix& Z, const Matrix& X, const Vector& y,
                                          const Matrix& G, const Vector& g, const Vector& scale = {});
[[nodiscard]] Matrix contract_inducing_points(const Kernel& kernel, const Matrix& Z, const Matrix& G);

// AAt += A Aᵀ (lower triangle) and Ay += A y/√τ, for A = L⁻¹Kzx/√τ.
void add_whitened(const Kernel& kernel, const Matrix& Z, const Matrix& Linv, double noise, const Matrix& X, const Vector& y,
                  Matrix& AAt, Vector& Ay, const Vector& scale = {});

}  // namespace salvo

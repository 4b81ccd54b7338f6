#pragma once
#include <salvo/kinds.h>
#include <salvo/matrix.h>

namespace salvo {

// A stationary kernel with one length-scale per input (ARD): σ² φ(r), r² = Σ ((x_d − x'_d)/ℓ_d)²; an additive one is
// σ²/d Σ φ(|x_d − x'_d|/ℓ_d), whose functions are sums of functions of one input each.
struct Kernel {
  KernelType type = KernelType::matern52;
  double variance = 1.0;  // σ²
  Vector lengthscales;    // ℓ [d]

  void validate() const;  // throws std::invalid_argument
};

[[nodiscard]] Matrix gram(const Kernel& kernel, const Matrix& X, const Matrix& Z);  // [n,m]

}  // namespace salvo

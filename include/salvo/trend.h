#pragma once
#include <salvo/kernel.h>

namespace salvo {

// What is known of a function before it is observed: t(x) = k(x, Z) weights. The prior mean of a model is c₀ + t(x) (docs/math.md
// §16). The kernel is its own: how fast the old function varies says nothing of how fast the new one deviates from it.
struct Trend {
  Kernel kernel{};
  Matrix Z{};        // [p,d]
  Vector weights{};  // [p]

  // Through these values at Z, up to the jitter.
  static Trend through(const Kernel& kernel, const Matrix& Z, const Vector& values);

  [[nodiscard]] bool empty() const { return weights.size() == 0; }  // then it is 0 everywhere
  [[nodiscard]] Vector values(const Matrix& X) const;               // [n]
  // Adds t and, where these are asked for, its gradients [n,d] to those of something else.
  void add_to(const Matrix& X, Vector& values, Matrix* gradients) const;
  [[nodiscard]] Trend times(double slope) const;
};

}  // namespace salvo

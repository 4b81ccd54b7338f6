#pragma once
#include <salvo/kernel.h>
#include <salvo/random.h>

namespace salvo {

// Random Fourier features of a stationary kernel (docs/math.md §2): Φ(x) = scale · cos(Wx + b).
struct FourierFeatures {
  Matrix W;                                             // [M,d], divided by the length-scales
  Vector b;                                             // [M]
  double scale = 1;                                     // √(2σ²/M)
  [[nodiscard]] Matrix cosines(const Matrix& X) const;  // cos(XWᵀ + b) [n,M], without the scale
};

[[nodiscard]] FourierFeatures fourier_features(const Kernel& kernel, int num_features, Key key);

}  // namespace salvo

#pragma once
#include <salvo/features.h>
#include <salvo/kernel.h>
#include <salvo/random.h>

namespace salvo {

// Fourier features of a stationary kernel (docs/math.md §2): Φ(x) = scale · cos(Wx + b). The kinds differ in W and b alone:
// a sine is a cosine with the phase −π/2.
struct FourierFeatures {
  Matrix W;                                              // [M,d], divided by the length-scales
  Vector b;                                              // [M]
  double scale = 1;                                      // √(2σ²/M)
  [[nodiscard]] Matrix cosines(const Matrix& X) const;   // cos(XWᵀ + b) [n,M], without the scale
  [[nodiscard]] Matrix features(const Matrix& X) const;  // Φ [n,M]
};

// Throws std::invalid_argument: no feature at all, a type that is none of these, more coordinates than it can do.
[[nodiscard]] FourierFeatures fourier_features(const Kernel& kernel, int num_features, Key key,
                                               FeatureType type = FeatureType::fourier);

}  // namespace salvo

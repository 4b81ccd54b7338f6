#pragma once
#include <salvo/sparse_gp.h>

namespace salvo {

// The bound, its gradient with respect to the hyperparameters and, where by_Z is given, to Z [m,d]; r as in fit().
[[nodiscard]] BoundGradient bound_gradient(const Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y,
                                           Matrix* by_Z, const Vector& r = {});

}  // namespace salvo

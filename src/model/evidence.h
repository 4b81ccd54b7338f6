#pragma once
#include <salvo/sparse_gp.h>

namespace salvo {

// The log evidence of the exact GP and its gradient, as bound_gradient() gives them for Z = X, at a tenth of the flops: n³
// and a little. What the collapsed bound adds to Kzz as jitter is not in it.
[[nodiscard]] BoundGradient evidence_gradient(const Hyperparameters& hyper, const Matrix& X, const Vector& y);

// Whether Z has the rows of X, in whatever order: the model is the exact GP then.
[[nodiscard]] bool same_rows(const Matrix& Z, const Matrix& X);

}  // namespace salvo

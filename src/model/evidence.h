#pragma once
#include <salvo/sparse_gp.h>

#include <vector>

namespace salvo {

// The log evidence of the exact GP and its gradient, as bound_gradient() gives them for Z = X, at a tenth of the flops: n³
// and a little. What the collapsed bound adds to Kzz as jitter is not in it.
[[nodiscard]] BoundGradient evidence_gradient(const Hyperparameters& hyper, const Matrix& X, const Vector& y,
                                              const Vector& r = {});

// Where each row of X is in Z, when Z has the rows of X in whatever order, those that X has more than once as often or once, and
// the model is the exact GP; otherwise, and where most of X is repeated, nothing.
[[nodiscard]] std::vector<Eigen::Index> places(const Matrix& X, const Matrix& Z);
[[nodiscard]] inline bool same_rows(const Matrix& Z, const Matrix& X) { return !places(X, Z).empty(); }

}  // namespace salvo

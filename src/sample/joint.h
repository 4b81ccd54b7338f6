#pragma once
#include <salvo/sparse_gp.h>

namespace salvo {

// Bytes that joint_samples needs for N points and a model with m inducing points.
[[nodiscard]] double joint_bytes(double num_points, double num_inducing, double num_samples);

// The posterior drawn at all rows of C together, by the Cholesky factor of its covariance: O(N³ + N²m). [N,B]
// α scales the spread and leaves the mean.
[[nodiscard]] Matrix joint_samples(const SparseGp& gp, const Matrix& C, int num_samples, double alpha, Key key);

}  // namespace salvo

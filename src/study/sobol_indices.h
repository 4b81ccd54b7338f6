#pragma once
#include <salvo/encoding.h>
#include <salvo/random.h>

#include <functional>

namespace salvo {

// First-order and total Sobol' indices of functions over a space, one row per function and one column per parameter that
// varies, with the Monte-Carlo error of those of the first function.
struct SobolIndices {
  Matrix first, total;              // [F,d]
  Vector first_error, total_error;  // [d] standard deviations
};

// `functions` maps encoded points [n,D] to values [n,F]; it is called with at most kSobolRows rows at once. `num_points` is
// N ≥ 16. Functions that are constant have indices of zero.
inline constexpr Eigen::Index kSobolRows = 1024;
[[nodiscard]] SobolIndices sobol_indices(const std::function<Matrix(const Matrix&)>& functions, const Encoding& space,
                                         int num_points, Key key);

}  // namespace salvo

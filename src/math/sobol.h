#pragma once
#include <salvo/matrix.h>
#include <salvo/random.h>

namespace salvo {

inline constexpr int kMaxSobolDims = 3667;  // of the direction numbers at hand (Joe & Kuo 2008)

// Points first … first+count−1 of the scrambled Sobol sequence in [0,1)^dims: [count,dims].
// Nested uniform scrambling (Owen 1995) keyed by `key`: every point is uniform by itself, and the first 2^k points put
// exactly one into each dyadic interval of length 2^−k of every coordinate. Point i depends on i, dims and key only.
[[nodiscard]] Matrix sobol(int first, int count, int dims, Key key);

}  // namespace salvo

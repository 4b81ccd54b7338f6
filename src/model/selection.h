#pragma once
#include <salvo/kernel.h>
#include <salvo/matrix.h>
#include <salvo/random.h>

namespace salvo {

// Ways to choose inducing points among the rows of X (docs/math.md §4).

// The rows of X without repetitions, in their first order.
[[nodiscard]] Matrix distinct_rows(const Matrix& X);

// Where k-means begins: spread out (k-means++), or at random rows, which leaves most centres where most data are.
enum class Seeding { spread, random };

// Seeds, then ten rounds of Lloyd, on inputs divided by the length-scales. Fewer than m centres when X has fewer
// distinct rows.
[[nodiscard]] Matrix kmeans(const Kernel& kernel, const Matrix& X, int m, Seeding seeding, Key key);

// Greedy conditional variance: the pivots of the pivoted Cholesky factorisation of Kxx, O(n m²). Stops when what
// variance remains is numerically zero. Above 256 MB of work space, on a random subset of X.
[[nodiscard]] Matrix greedy_variance(const Kernel& kernel, const Matrix& X, int m, Key key);

// Farthest-point traversal of X in the unit box, beginning where y is largest.
[[nodiscard]] Matrix farthest_points(const Matrix& X, const Vector& y, int m);

}  // namespace salvo

#pragma once
#include <salvo/kernel.h>
#include <salvo/matrix.h>
#include <salvo/random.h>
#include <salvo/sparse_gp.h>

#include <cstdint>
#include <vector>

namespace salvo {

// Ways to choose inducing points among the rows of X (docs/math.md §4).

[[nodiscard]] Matrix rows_of(const Matrix& X, const std::vector<Eigen::Index>& rows);

// The rows of X without repetitions, in their first order.
[[nodiscard]] Matrix distinct_rows(const Matrix& X);

// Where k-means begins: spread out (k-means++), or at random rows, which leaves most centres where most data are.
enum class Seeding { spread, random };

// Seeds, then ten rounds of Lloyd, on inputs divided by the length-scales. Fewer than m centres when X has fewer
// distinct rows.
[[nodiscard]] Matrix kmeans(const Kernel& kernel, const Matrix& X, int m, Seeding seeding, Key key);

// Greedy conditional variance: the pivots of the pivoted Cholesky factorisation of Kxx, O(n m²). With weights [n] (empty:
// all the same) each pick has the largest weight · variance. Stops when what variance remains is numerically zero. Above
// 256 MB of work space, on a random subset of X.
[[nodiscard]] std::vector<Eigen::Index> greedy_rows(const Kernel& kernel, const Matrix& X, const Vector& weights, int m, Key key);
[[nodiscard]] Matrix greedy_variance(const Kernel& kernel, const Matrix& X, const Vector& weights, int m, Key key);

// A sample of the k-DPP: m rows S with a chance ∝ det(K_SS + jitter). Greedy start, then num_steps steps of the
// Metropolis chain that exchanges one row (Anari, Oveis Gharan & Rezaei 2016), O(m²) each. X holds no row twice.
[[nodiscard]] Matrix kdpp(const Kernel& kernel, const Matrix& X, int m, std::int64_t num_steps, Key key);
// Steps after which the chain is within ε₀ of the k-DPP in total variation, by the bound of that paper for a greedy start.
[[nodiscard]] double kdpp_steps(std::int64_t num_rows, int m, double epsilon0);

// num_rows rows of X at random, each with the same chance, in their order.
[[nodiscard]] Matrix uniform_rows(const Matrix& X, int num_rows, Key key);

// Scrambled Sobol points in the box that X spans.
[[nodiscard]] Matrix space_filling(const Matrix& X, int m, Key key);

// Z moved uphill on the collapsed bound at fixed hyperparameters, inside the box that X spans.
[[nodiscard]] Matrix optimise_inducing(const Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y,
                                       int max_evaluations);

// Expected improvement of f at the rows of X over the best posterior mean among them, from a sparse GP at Z.
[[nodiscard]] Vector expected_improvement(const Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y);

// Farthest-point traversal of X in the unit box, beginning where y is largest.
[[nodiscard]] Matrix farthest_points(const Matrix& X, const Vector& y, int m);

}  // namespace salvo

#include <fmt/core.h>
#include <salvo/sparse_gp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/check.h"
#include "model/selection.h"

namespace salvo {
namespace {

constexpr int kGradientEvaluations = 15;  // of the bound, as many as a warm-started fit has

// Half of Z spread over all that was ever visited, so that faint evidence far from the crowd is not forgotten; k-means
// for the rest, begun at random rows so that the crowd is resolved: with k-means++ Shekel's regret is twice as large
// (docs/how-it-works.md has the measurement).
Matrix coverage(const Kernel& kernel, const Matrix& X, const Vector& y, int m, Key key) {
  const Matrix far = farthest_points(X, y, m / 2);
  const Matrix centres = kmeans(kernel, X, m - static_cast<int>(far.rows()), Seeding::random, key);
  Matrix Z(far.rows() + centres.rows(), X.cols());
  Z << far, centres;
  return distinct_rows(Z);
}

// Diversity × expected improvement (Moss, Ober & Picheny 2023): greedy on q² · conditional variance. The floor keeps
// points that promise nothing eligible once those that do are covered.
Matrix by_quality(const Hyperparameters& hyper, const Matrix& X, const Vector& y, const Matrix& U, int m, Key key) {
  const Vector improvement = expected_improvement(hyper, coverage(hyper.kernel, X, y, m, key), X, y);
  std::map<std::vector<double>, double> of_row;  // equal inputs share a model's opinion
  for (Eigen::Index i = 0; i < X.rows(); ++i)
    of_row[std::vector<double>(X.row(i).data(), X.row(i).data() + X.cols())] = improvement(i);
  Vector weights(U.rows());
  for (Eigen::Index i = 0; i < U.rows(); ++i)
    weights(i) = of_row.at(std::vector<double>(U.row(i).data(), U.row(i).data() + U.cols()));
  weights = weights.cwiseMax(1e-3 * std::max(weights.maxCoeff(), 1e-300)).array().square();
  return greedy_variance(hyper.kernel, U, weights, m, key);
}

}  // namespace

KdppChain kdpp_chain(std::int64_t num_rows, int num_inducing, std::int64_t steps) {
  constexpr double kFlops = 2e9;
  if (num_rows <= num_inducing) return {};  // all of them: nothing to choose
  const double m = num_inducing, asked = std::ceil(kdpp_steps(num_rows, num_inducing, 1e-3));
  return {std::min(steps > 0 ? static_cast<double>(steps) : std::floor(kFlops / (4 * m * m + 100 * m)), asked), asked};
}

Matrix choose_inducing(Inducing how, const Hyperparameters& hyper, const Matrix& X, const Vector& y, int num_inducing, Key key,
                       std::int64_t kdpp_steps) {
  const Kernel& kernel = hyper.kernel;
  check_hyper("choose_inducing", hyper, kernel.lengthscales.size());
  check_data("choose_inducing", X, y, kernel.lengthscales.size());
  if (num_inducing < 1)
    throw std::invalid_argument(fmt::format("choose_inducing: expected num_inducing ≥ 1, got {}", num_inducing));
  if (X.rows() == 0) throw std::invalid_argument("choose_inducing: expected at least one row of X, got none");
  const Matrix U = distinct_rows(X);
  if (U.rows() <= num_inducing) return U;  // Z = X: the model is exact
  switch (how) {
    case Inducing::kmeans:
      return distinct_rows(kmeans(kernel, X, num_inducing, Seeding::spread, key));
    case Inducing::greedy:
      return greedy_variance(kernel, U, {}, num_inducing, key);
    case Inducing::kdpp:
      return kdpp(kernel, U, num_inducing, static_cast<std::int64_t>(kdpp_chain(U.rows(), num_inducing, kdpp_steps).made), key);
    case Inducing::uniform:
      return uniform_rows(U, num_inducing, key.fold("subset"));
    case Inducing::sobol:
      return distinct_rows(space_filling(U, num_inducing, key.fold("design")));
    case Inducing::gradient:
      return distinct_rows(optimise_inducing(hyper, coverage(kernel, X, y, num_inducing, key), X, y, kGradientEvaluations));
    case Inducing::quality:
      return by_quality(hyper, X, y, U, num_inducing, key);
    case Inducing::automatic:
    case Inducing::coverage:
      break;
  }
  return coverage(kernel, X, y, num_inducing, key);
}

}  // namespace salvo

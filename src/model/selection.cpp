#include "model/selection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "compute/rows.h"
#include "math/parallel.h"
#include "math/sobol.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kRows = 1024;

// min over j of the distances so far and that to row `pick`; returns the farthest row. Blocks are compared in order.
Index lower_distances(const Matrix& X, Index pick, Vector& distances) {
  const Index n = X.rows();
  std::vector<Index> farthest(static_cast<std::size_t>((n + kRows - 1) / kRows));
  parallel_blocks(n, kRows, [&](Index a, Index b) {
    Index best = a;
    for (Index i = a; i < b; ++i) {
      distances(i) = std::min(distances(i), (X.row(i) - X.row(pick)).squaredNorm());
      if (distances(i) > distances(best)) best = i;
    }
    farthest[static_cast<std::size_t>(a / kRows)] = best;
  });
  return *std::max_element(farthest.begin(), farthest.end(), [&](Index i, Index j) { return distances(i) < distances(j); });
}

// The first row at which the running sum of weights passes `share` of their total.
Index draw_by_weight(const Vector& weights, double share) {
  const double target = share * weights.sum();
  double sum = 0;
  Index last = 0;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights(i) <= 0) continue;
    last = i;
    if ((sum += weights(i)) >= target) return i;
  }
  return last;
}

// Each seed distinct from those before: with a chance proportional to its squared distance from them (k-means++), or
// the same for all.
std::vector<Index> seeds(const Matrix& X, int m, Seeding seeding, Key key) {
  Vector distances = Vector::Constant(X.rows(), std::numeric_limits<double>::infinity());
  std::vector<Index> picks{static_cast<Index>(key.at(0).below(static_cast<std::uint64_t>(X.rows())))};
  while (true) {
    const Index farthest = lower_distances(X, picks.back(), distances);
    if (static_cast<int>(picks.size()) == m || distances(farthest) == 0) return picks;
    const Vector weights = seeding == Seeding::spread ? distances : Vector((distances.array() > 0).cast<double>());
    picks.push_back(draw_by_weight(weights, key.uniform(picks.size())));
  }
}

}  // namespace

Matrix rows_of(const Matrix& X, const std::vector<Index>& picks) {
  Matrix out(static_cast<Index>(picks.size()), X.cols());
  for (std::size_t i = 0; i < picks.size(); ++i) out.row(static_cast<Index>(i)) = X.row(picks[i]);
  return out;
}

Matrix distinct_rows(const Matrix& X) {
  std::vector<Index> order(static_cast<std::size_t>(X.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto compare = [&](Index i, Index j) {
    for (Index d = 0; d < X.cols(); ++d)
      if (X(i, d) != X(j, d)) return X(i, d) < X(j, d) ? -1 : 1;
    return 0;
  };
  std::sort(order.begin(), order.end(), [&](Index i, Index j) {
    const int c = compare(i, j);
    return c != 0 ? c < 0 : i < j;
  });
  std::vector<Index> first;
  for (std::size_t k = 0; k < order.size(); ++k)
    if (k == 0 || compare(order[k - 1], order[k]) != 0) first.push_back(order[k]);
  std::sort(first.begin(), first.end());
  return static_cast<Index>(first.size()) == X.rows() ? X : rows_of(X, first);
}

Matrix kmeans(const Kernel& kernel, const Matrix& X, int m, Seeding seeding, Key key) {
  constexpr int kRounds = 10;
  const Index n = X.rows(), d = X.cols();
  const Matrix S = X.array().rowwise() / kernel.lengthscales.transpose().array();
  Matrix C = rows_of(S, seeds(S, m, seeding, key.fold("seeds")));
  std::vector<int> nearest_centre(static_cast<std::size_t>(n));
  for (int round = 0; round < kRounds; ++round) {
    const ScaledPoints<double> centres(C, Vector::Ones(d));
    parallel_blocks(n, 256, [&](Index a, Index b) {
      std::vector<double> scratch(static_cast<std::size_t>(C.rows()));
      for (Index i = a; i < b; ++i)
        nearest_centre[static_cast<std::size_t>(i)] = nearest(S.data() + i * d, centres, scratch.data()).index;
    });
    Matrix sums = Matrix::Zero(C.rows(), d);
    Vector counts = Vector::Zero(C.rows());
    for (Index i = 0; i < n; ++i) {
      const int j = nearest_centre[static_cast<std::size_t>(i)];
      sums.row(j) += S.row(i);
      counts(j) += 1;
    }
    Matrix next = C;
    for (Index j = 0; j < C.rows(); ++j)
      if (counts(j) > 0) next.row(j) = sums.row(j) / counts(j);
    if (next == C) break;
    C = std::move(next);
  }
  return C.array().rowwise() * kernel.lengthscales.transpose().array();
}

Matrix farthest_points(const Matrix& X, const Vector& y, int m) {
  Vector distances = Vector::Constant(X.rows(), std::numeric_limits<double>::infinity());
  Index pick = 0;
  y.maxCoeff(&pick);
  std::vector<Index> picks;
  while (static_cast<int>(picks.size()) < m && distances(pick) > 0) {
    picks.push_back(pick);
    pick = lower_distances(X, pick, distances);
  }
  return rows_of(X, picks);
}

Matrix space_filling(const Matrix& X, int m, Key key) {
  const Eigen::RowVectorXd low = X.colwise().minCoeff(), high = X.colwise().maxCoeff();
  const Matrix U = sobol(0, m, static_cast<int>(X.cols()), key);
  return (U.array().rowwise() * (high - low).array()).rowwise() + low.array();
}

}  // namespace salvo

#include "search/front.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/hypervolume.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

std::vector<Index> front_among(const Standing& all, std::span<const Index> rows) {
  return best_among(all, worth_something(all, rows), all.num_objectives());
}

Matrix objectives_at(const Standing& all, const std::vector<Index>& rows) {
  return all.mean(rows, Eigen::all).leftCols(all.num_objectives());
}

}  // namespace

std::vector<Index> allowed_rows(const Standing& all) {
  std::vector<Index> out;
  for (Index i = 0; i < all.size(); ++i)
    if (all.allowed[static_cast<std::size_t>(i)] && all.complete[static_cast<std::size_t>(i)]) out.push_back(i);
  return out;
}

// One whose objectives were all measured, if there is any; of equally safe ones the best.
Index safest(const Standing& all) {
  constexpr double kSaysSomething = 0.01;
  std::vector<Index> rows, found;
  for (Index i = 0; i < all.size(); ++i)
    if (all.complete[static_cast<std::size_t>(i)]) rows.push_back(i);
  const bool measured = !rows.empty();
  for (Index i = 0; !measured && i < all.size(); ++i) rows.push_back(i);
  const Vector feasible = all.feasible(rows), missed = all.missed(rows);
  const bool says = feasible.maxCoeff() > kSaysSomething;
  const Vector order = says ? feasible : Vector(-missed);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (order(static_cast<Index>(i)) == order.maxCoeff()) found.push_back(rows[i]);
  if (found.empty()) return rows.front();
  return measured ? best_among(all, found, all.num_objectives()).front() : found.front();
}

Index compromise(const Standing& all, std::span<const Index> rows, std::span<const double> weights) {
  const std::vector<Index> front = front_among(all, rows);
  const Matrix Y = objectives_at(all, front);
  const Eigen::RowVectorXd most = Y.colwise().maxCoeff(), least = Y.colwise().minCoeff();
  double best = std::numeric_limits<double>::infinity();
  Index found = front.front();
  for (Index i = 0; i < Y.rows(); ++i) {
    double worst = 0, sum = 0;
    for (Index k = 0; k < Y.cols(); ++k) {
      const double span = most(k) > least(k) ? most(k) - least(k) : 1.0;
      const double weight = weights.empty() ? 1.0 : weights[static_cast<std::size_t>(k)];
      const double lost = weight * (most(k) - Y(i, k)) / span;
      worst = std::max(worst, lost);
      sum += lost;
    }
    if (!(worst + 1e-3 * sum < best)) continue;
    best = worst + 1e-3 * sum;
    found = front[static_cast<std::size_t>(i)];
  }
  return found;
}

Recommended recommended_at(const Standing& all, Index row, bool noise_free) {
  const auto at = static_cast<std::size_t>(row);
  Recommended out{
      .id = all.ids[at], .noise_free = noise_free, .feasible = all.feasible(row), .allowed = all.allowed[at] && all.complete[at]};
  for (std::size_t o = 0; o < all.signs.size(); ++o)
    out.outputs.push_back({all.signs[o] * all.mean(row, static_cast<Index>(o)) + 0.0,  // no −0
                           all.sd(row, static_cast<Index>(o))});
  return out;
}

RecommendedFront front_of(const Standing& all, std::span<const Index> rows, bool noise_free) {
  RecommendedFront out;
  const std::vector<Index> front = front_among(all, rows);
  for (const Index row : front) out.points.push_back(recommended_at(all, row, noise_free));
  for (int k = 0; k < all.num_objectives(); ++k)
    out.reference.push_back(all.signs[static_cast<std::size_t>(k)] * all.reference(k));
  out.hypervolume = hypervolume(objectives_at(all, front), all.reference);
  if (!std::isfinite(out.hypervolume)) out.hypervolume = std::numeric_limits<double>::max();  // a product of values as large
  return out;
}

}  // namespace salvo

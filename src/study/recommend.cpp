#include "study/recommend.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace salvo {
namespace {

// 800 nearest observations: an exact fit of them takes about a second on two cores.
constexpr std::int64_t kNearest = 800;

// Rows by their distance from `centre` in length-scales, the nearest first.
std::vector<std::int64_t> nearest_rows(const Matrix& X, const Vector& lengthscales, Eigen::Index centre,
                                       const Observations& data) {
  const Vector distance =
      ((X.rowwise() - X.row(centre)).array().rowwise() / lengthscales.transpose().array()).square().rowwise().sum();
  std::vector<std::int64_t> rows(static_cast<std::size_t>(X.rows()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  const auto count = static_cast<std::ptrdiff_t>(std::min<std::int64_t>(kNearest, X.rows()));
  std::partial_sort(rows.begin(), rows.begin() + count, rows.end(), [&](std::int64_t a, std::int64_t b) {
    return distance(a) != distance(b) ? distance(a) < distance(b) : data.id(a) < data.id(b);
  });
  rows.resize(static_cast<std::size_t>(count));
  return rows;
}

// Of equal means the trial that was asked for first.
Recommended best_of(const SparseGp& gp, const Matrix& X, const std::vector<std::int64_t>& rows, const Observations& data) {
  const Vector mean = gp.predict_mean(X);
  Eigen::Index best = 0;
  for (Eigen::Index i = 1; i < mean.size(); ++i) {
    const auto id = [&](Eigen::Index j) { return data.id(rows[static_cast<std::size_t>(j)]); };
    if (mean(i) > mean(best) || (mean(i) == mean(best) && id(i) < id(best))) best = i;
  }
  return {rows[static_cast<std::size_t>(best)], mean(best), gp.predict(X.row(best)).variance(0)};
}

}  // namespace

Recommended recommend(const SparseGp& gp, const Observations& data, const Anchor& units, const FitOptions& fit_options) {
  const Matrix X = data.X();
  std::vector<std::int64_t> all(static_cast<std::size_t>(X.rows()));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  const Recommended global = best_of(gp, X, all, data);
  if (gp.num_observations() <= gp.Z().rows()) return global;  // exact already

  const auto rows = nearest_rows(X, gp.hyper().kernel.lengthscales, global.row, data);
  Matrix near(static_cast<Eigen::Index>(rows.size()), X.cols());
  Vector y(near.rows());
  for (Eigen::Index i = 0; i < near.rows(); ++i) {
    near.row(i) = X.row(rows[static_cast<std::size_t>(i)]);
    y(i) = units.to_model(data.y(rows[static_cast<std::size_t>(i)]));
  }
  Hyperparameters hyper = gp.hyper();
  // As many inducing points as there are rows: Z = X, whatever way is named.
  const Matrix Z = choose_inducing(Inducing::automatic, hyper.kernel, near, y, static_cast<int>(near.rows()), Key(0));
  fit(hyper, Z, near, y, fit_options);
  SparseGp local(hyper, Z);
  local.condition(near, y);
  return best_of(local, near, rows, data);
}

}  // namespace salvo

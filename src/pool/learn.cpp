#include "pool/learn.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace salvo {
namespace {

constexpr std::size_t kShapeRows = 2048;  // data that decide about the shape
constexpr int kShapePoints = 500;         // and inducing points for it
constexpr std::size_t kPowerRows = 1024;  // for the power, by the exact evidence: few points always speak for p = 1
constexpr int kMaxPower = 8;
// The evidence is about all that was seen, but a batch is chosen among the best, and there the many poor candidates mislead
// a kernel that reaches far. So a more local one may cost this many nats an observation beyond the first hundred. On CEP
// p = 2 costs next to nothing, on Enamine 0.04 to 0.12, and there it finds less (docs/results/pools.md).
constexpr double kPowerSlack = 0.03, kPowerFrom = 100;

PoolScaleBounds bounds_of(const PoolModelOptions& o) {
  return {o.min_variance, o.max_variance, o.min_noise, o.max_noise, o.max_mean};
}

int shape_points(const PoolModelOptions& o) { return o.num_inducing > 0 ? std::min(o.num_inducing, kShapePoints) : kShapePoints; }

std::string_view bytes_of(const Pool& pool, std::int64_t row) {
  if (pool.kind() == PoolKind::bits)
    return {reinterpret_cast<const char*>(pool.bits(row)), 8 * static_cast<std::size_t>(pool.words_per_row())};
  return {reinterpret_cast<const char*>(pool.numbers(row)), 4 * static_cast<std::size_t>(pool.num_features())};
}

// Positions 0 … count − 1 in a random order.
std::vector<std::size_t> shuffled(std::size_t count, Key key) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[key.below(i, i)]);
  return order;
}

// Pivots of the partial Cholesky factorisation of K(rows, rows).
std::vector<std::int64_t> greedy(const RowKernel& kernel, const std::vector<std::int64_t>& rows, std::size_t m) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  const PreparedRows all(kernel, rows);
  Matrix V = Matrix::Zero(static_cast<Eigen::Index>(m), n);
  Vector remaining = Vector::Ones(n), k(n);
  std::vector<std::int64_t> picks;
  while (picks.size() < m) {
    Eigen::Index pick = 0;
    if (remaining.maxCoeff(&pick) <= 1e-10) break;
    const auto j = static_cast<Eigen::Index>(picks.size());
    picks.push_back(rows[static_cast<std::size_t>(pick)]);
    kernel_row(kernel, picks.back(), all, k.data());
    const Vector pivot = V.col(pick).head(j);
    k.noalias() -= V.topRows(j).transpose() * pivot;
    V.row(j) = k.transpose() / std::sqrt(remaining(pick));
    remaining = (remaining - V.row(j).transpose().cwiseAbs2()).cwiseMax(0.0);
    remaining(pick) = 0;
  }
  return picks;
}

struct Data {
  std::vector<std::int64_t> rows;
  Vector y;
};

Data sample_of(std::span<const std::int64_t> rows, const Vector& y, std::size_t most, Key key) {
  std::vector<std::size_t> order = shuffled(rows.size(), key);
  order.resize(std::min(order.size(), most));
  std::sort(order.begin(), order.end());
  Data out{{}, Vector(static_cast<Eigen::Index>(order.size()))};
  for (const std::size_t i : order) {
    out.y(static_cast<Eigen::Index>(out.rows.size())) = y(static_cast<Eigen::Index>(i));
    out.rows.push_back(rows[i]);
  }
  return out;
}

// The bias of the arc-cosine kernel climbs by factors of two while the bound gains at least a nat.
void learn_bias(const Pool& pool, const PoolModelOptions& options, const Data& data, Key key, PoolLearned& learned) {
  const double low = 1.0 / 16, high = 64, gain = 1.0;
  const auto bound_at = [&](double bias) {
    const RowKernel kernel{pool, options.kernel, bias, {}, learned.power};
    PoolGp gp(kernel, choose_inducing(PoolInducing::uniform, kernel, data.rows, data.y, shape_points(options), key));
    gp.add(data.rows, data.y);
    return gp.best_scales(bounds_of(options), {learned.variance, learned.noise, learned.mean}).bound;
  };
  double at = learned.bias, best = bound_at(at);
  for (const double factor : {2.0, 0.5}) {
    bool moved = false;
    while (at * factor <= high && at * factor >= low) {
      const double there = bound_at(at * factor);
      if (!(there > best + gain)) break;
      best = there;
      at *= factor;
      moved = true;
    }
    if (moved) break;
  }
  learned.bias = at;
}

// The power of the Tanimoto kernel: the highest whose evidence is near the best one's, or, while data are few, a nat above.
void learn_power(const Pool& pool, const PoolModelOptions& options, const Data& data, PoolLearned& learned) {
  const double slack = std::max(-1.0, kPowerSlack * (static_cast<double>(data.rows.size()) - kPowerFrom));
  double best = -std::numeric_limits<double>::infinity();
  for (int power = 1; power <= kMaxPower; power *= 2) {
    const double evidence = exact_scales({pool, options.kernel, learned.bias, {}, power}, data.rows, data.y, bounds_of(options),
                                         {learned.variance, learned.noise, learned.mean}, 0.1)
                                .bound;
    if (power > 1 && !(evidence >= best - slack)) break;
    learned.power = power;
    best = std::max(best, evidence);
  }
}

void learn_lengthscales(const Pool& pool, const PoolModelOptions& options, const ColumnRanges& ranges, const Data& data, Key key,
                        PoolLearned& learned) {
  const Eigen::Index d = pool.num_features();
  const double longest = 0.7 * std::max(1.0, std::sqrt(static_cast<double>(d) / 6.0));
  Matrix X(static_cast<Eigen::Index>(data.rows.size()), d);  // in units of the columns' ranges
  for (Eigen::Index i = 0; i < X.rows(); ++i)
    for (Eigen::Index e = 0; e < d; ++e)
      X(i, e) = (static_cast<double>(pool.numbers(data.rows[static_cast<std::size_t>(i)])[e]) - ranges.low(e)) / ranges.extent(e);
  Hyperparameters hyper{{stationary(options.kernel), learned.variance, learned.lengthscales}, learned.noise, learned.mean};
  const Matrix Z = choose_inducing(Inducing::kmeans, hyper.kernel, X, data.y, shape_points(options), key);
  FitOptions fit_options{.max_evaluations = 30, .max_lengthscale = longest};
  fit_options.min_variance = options.min_variance, fit_options.max_variance = options.max_variance;
  fit_options.min_noise = options.min_noise, fit_options.max_noise = options.max_noise;
  fit_options.max_mean = options.max_mean;
  const FitSummary summary = fit(hyper, Z, X, data.y, fit_options);
  if (!std::isfinite(summary.bound)) return;
  learned.lengthscales = hyper.kernel.lengthscales;
  learned.variance = hyper.kernel.variance;
  learned.noise = hyper.noise;
  learned.mean = hyper.mean;
}

}  // namespace

RowKernel row_kernel(const Pool& pool, PoolKernelType type, const PoolLearned& learned, const ColumnRanges& ranges) {
  RowKernel kernel{pool, type, learned.bias, {}, learned.power, ranges};
  if (pool.kind() == PoolKind::numbers) kernel.lengthscales = learned.lengthscales.cwiseProduct(ranges.extent);
  return kernel;
}

std::vector<std::int64_t> choose_inducing(PoolInducing how, const RowKernel& kernel, std::span<const std::int64_t> rows,
                                          const Vector& y, int m, Key key) {
  struct Distinct {
    std::int64_t row;
    double y;  // the best seen of it
  };
  std::vector<Distinct> distinct;
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double value = y(static_cast<Eigen::Index>(i));
    const auto [at, fresh] = seen.try_emplace(bytes_of(kernel.pool, rows[i]), distinct.size());
    if (fresh)
      distinct.push_back({rows[i], value});
    else
      distinct[at->second].y = std::max(distinct[at->second].y, value);
  }
  std::vector<std::int64_t> all;
  for (const Distinct& at : distinct) all.push_back(at.row);
  const auto wanted = static_cast<std::size_t>(m);
  if (all.size() <= wanted) return all;
  if (how == PoolInducing::greedy) return greedy(kernel, all, wanted);
  if (how == PoolInducing::leaders)  // the best half first, the others follow in random order
    std::nth_element(distinct.begin(), distinct.begin() + static_cast<std::ptrdiff_t>(wanted / 2), distinct.end(),
                     [](const Distinct& a, const Distinct& b) { return a.y != b.y ? a.y > b.y : a.row < b.row; });
  const std::size_t kept = how == PoolInducing::leaders ? wanted / 2 : 0;
  all.clear();
  for (std::size_t i = 0; i < kept; ++i) all.push_back(distinct[i].row);
  std::vector<std::int64_t> rest;
  for (std::size_t i = kept; i < distinct.size(); ++i) rest.push_back(distinct[i].row);
  std::sort(rest.begin(), rest.end());
  for (const std::size_t i : shuffled(rest.size(), key)) {
    if (all.size() == wanted) break;
    all.push_back(rest[i]);
  }
  std::sort(all.begin(), all.end());
  return all;
}

void learn_shape(const Pool& pool, const PoolModelOptions& options, const ColumnRanges& ranges,
                 std::span<const std::int64_t> rows, const Vector& y, Key key, PoolLearned& learned) {
  // More data than are looked at cannot tell more.
  const std::size_t most = options.kernel == PoolKernelType::tanimoto ? kPowerRows : kShapeRows;
  if (!learned.inducing.empty() && rows.size() > 2 * most) return;
  const Data data = sample_of(rows, y, most, key.fold("rows"));
  if (pool.kind() == PoolKind::bits)
    options.kernel == PoolKernelType::tanimoto ? learn_power(pool, options, data, learned)
                                               : learn_bias(pool, options, data, key.fold("points"), learned);
  else
    learn_lengthscales(pool, options, ranges, data, key.fold("points"), learned);
}

}  // namespace salvo

#include "pool/learn.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <unordered_map>

#include "pool/rows.h"

namespace salvo {
namespace {

constexpr std::size_t kShapeRows = 2048;  // data that decide about length-scales
constexpr int kShapePoints = 500;         // and inducing points for them
// Data that decide, by their exact evidence, about bias, power and scales. The bound of a sparse model does not do for it: few
// points always speak for p = 1, and what they cannot follow passes for noise.
constexpr std::size_t kExactRows = 1024;

PoolScaleBounds bounds_of(const PoolModelOptions& o) {
  return {o.min_variance, o.max_variance, o.min_noise, o.max_noise, o.max_mean};
}

int shape_points(const PoolModelOptions& o) { return o.num_inducing > 0 ? std::min(o.num_inducing, kShapePoints) : kShapePoints; }

std::string_view row_bytes(const compute::Rows& rows, std::int64_t row) {
  if (rows.are_bits()) return {reinterpret_cast<const char*>(rows.bits(row)), 8 * static_cast<std::size_t>(rows.words_per_row())};
  return {reinterpret_cast<const char*>(rows.numbers(row)), 4 * static_cast<std::size_t>(rows.num_features())};
}

// Positions 0 … count − 1 in a random order.
std::vector<std::size_t> shuffled(std::size_t count, Key key) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[key.at(i).below(i)]);
  return order;
}

// Pivots of the partial Cholesky factorisation of K(rows, rows).
std::vector<std::int64_t> greedy(const compute::RowKernel& kernel, const std::vector<std::int64_t>& rows, std::size_t m) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  const compute::PreparedRows all(kernel, rows);
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
  Vector r;  // the noise of each over τ; empty: 1 for all
};

// Each candidate has a random rank for the whole campaign, and the lowest are taken: so the sample changes little from one
// learning to the next, and what it decides does not come and go.
Data sample_of(std::span<const std::int64_t> rows, const Vector& y, const Vector& r, std::size_t most,
               const PoolLearned& learned) {
  const Key key = Key(learned.features).fold("sample");
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() > most) {
    const auto rank = [&](std::size_t i) { return std::pair(key.bits(static_cast<std::uint64_t>(rows[i])), i); };
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    order.resize(most);
    std::sort(order.begin(), order.end());
  }
  const auto kept = static_cast<Eigen::Index>(order.size());
  Data out{{}, Vector(kept), Vector(r.size() == 0 ? 0 : kept)};
  for (const std::size_t i : order) {
    const auto at = static_cast<Eigen::Index>(out.rows.size());
    out.y(at) = y(static_cast<Eigen::Index>(i));
    if (r.size() > 0) out.r(at) = r(static_cast<Eigen::Index>(i));
    out.rows.push_back(rows[i]);
  }
  return out;
}

// Doubles or halves a number from where it is, while the evidence gains at least a nat.
template <class Evidence>
double climb(double at, double low, double high, const Evidence& evidence) {
  double best = evidence(at);
  for (const double factor : {2.0, 0.5}) {
    bool moved = false;
    while (at * factor <= high && at * factor >= low) {
      const double there = evidence(at * factor);
      if (!(there > best + 1.0)) break;
      best = there;
      at *= factor;
      moved = true;
    }
    if (moved) break;
  }
  return at;
}

// The power of the Tanimoto kernel or the bias of the arc-cosine one.
void learn_similarity(const Pool& pool, const PoolModelOptions& options, const Data& data, PoolLearned& learned) {
  const auto evidence = [&](double bias, int power) {
    PoolLearned at = learned;
    at.bias = bias;
    at.power = power;
    return exact_scales(row_kernel(pool, options.kernel, at, {}), data.rows, data.y, bounds_of(options),
                        {learned.variance, learned.noise, learned.mean}, 0.1, data.r)
        .bound;
  };
  if (options.kernel == PoolKernelType::tanimoto)
    learned.power = static_cast<int>(climb(learned.power, 1, 8, [&](double p) { return evidence(1, static_cast<int>(p)); }));
  else
    learned.bias = climb(learned.bias, 1.0 / 16, 64, [&](double b) { return evidence(b, 1); });
}

void learn_lengthscales(const Pool& pool, const PoolModelOptions& options, const compute::ColumnRanges& ranges, const Data& data,
                        Key key, PoolLearned& learned) {
  const Eigen::Index d = pool.num_features();
  const double longest = 0.7 * std::max(1.0, std::sqrt(static_cast<double>(d) / 6.0));
  Matrix X(static_cast<Eigen::Index>(data.rows.size()), d);  // in units of the columns' ranges
  for (Eigen::Index i = 0; i < X.rows(); ++i)
    for (Eigen::Index e = 0; e < d; ++e)
      X(i, e) = (static_cast<double>(pool.numbers(data.rows[static_cast<std::size_t>(i)])[e]) - ranges.low(e)) / ranges.extent(e);
  Hyperparameters hyper{{stationary(options.kernel), learned.variance, learned.lengthscales}, learned.noise, learned.mean};
  const Matrix Z = choose_inducing(Inducing::kmeans, hyper.kernel, X, data.y, shape_points(options), key);
  FitOptions fit_options{.max_evaluations = 30, .max_lengthscale = longest};
  fit_options.min_variance = options.min_variance;
  fit_options.max_variance = options.max_variance;
  fit_options.min_noise = options.min_noise;
  fit_options.max_noise = options.max_noise;
  fit_options.max_mean = options.max_mean;
  const FitSummary summary = fit(hyper, Z, X, data.y, fit_options, data.r);
  if (!std::isfinite(summary.bound)) return;
  learned.lengthscales = hyper.kernel.lengthscales;
  learned.variance = hyper.kernel.variance;
  learned.noise = hyper.noise;
  learned.mean = hyper.mean;
}

}  // namespace

compute::RowKernel row_kernel(const Pool& pool, PoolKernelType type, const PoolLearned& learned,
                              const compute::ColumnRanges& ranges) {
  compute::RowKernel kernel{.rows = rows_of(pool), .bias = learned.bias, .power = learned.power, .ranges = ranges};
  if (pool.kind() == PoolKind::bits) {
    kernel.over_bits = type == PoolKernelType::tanimoto ? compute::BitKernel::tanimoto : compute::BitKernel::arccosine;
  } else {
    kernel.over_numbers = stationary(type);
    kernel.lengthscales = learned.lengthscales.cwiseProduct(ranges.extent);
  }
  return kernel;
}

std::vector<std::int64_t> choose_inducing(PoolInducing how, const compute::RowKernel& kernel, std::span<const std::int64_t> rows,
                                          const Vector& y, int m, Key key) {
  struct Distinct {
    std::int64_t row;
    double y;  // the best seen of it
  };
  std::vector<Distinct> distinct;
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double value = y(static_cast<Eigen::Index>(i));
    const auto [at, fresh] = seen.try_emplace(row_bytes(kernel.rows, rows[i]), distinct.size());
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

void learn_shape(const Pool& pool, const PoolModelOptions& options, const compute::ColumnRanges& ranges,
                 std::span<const std::int64_t> rows, const Vector& y, Key key, PoolLearned& learned, const Vector& r) {
  if (pool.kind() == PoolKind::bits) {
    learn_similarity(pool, options, sample_of(rows, y, r, kExactRows, learned), learned);
  } else if (learned.inducing.empty() || rows.size() <= 2 * kShapeRows) {  // more data than are looked at cannot tell more
    learn_lengthscales(pool, options, ranges, sample_of(rows, y, r, kShapeRows, learned), key.fold("points"), learned);
  }
}

BestScales learn_scales(const PoolGp& gp, int m, const PoolModelOptions& options, std::span<const std::int64_t> rows,
                        const Vector& y, const PoolLearned& learned, const Vector& r) {
  const PoolScales start{learned.variance, learned.noise, learned.mean};
  if (rows.size() <= static_cast<std::size_t>(m)) return gp.best_scales(bounds_of(options), start);
  const Data data = sample_of(rows, y, r, kExactRows, learned);
  return exact_scales(gp.kernel(), data.rows, data.y, bounds_of(options), start, 0.03, data.r);
}

}  // namespace salvo

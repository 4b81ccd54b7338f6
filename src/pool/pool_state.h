#pragma once
#include <fmt/core.h>
#include <salvo/pool_model.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

#include "math/parallel.h"
#include "pool/gp.h"
#include "pool/learn.h"
#include "pool/prior.h"
#include "pool/rows.h"

namespace salvo {

struct PoolModel::State {
  Pool pool;
  PoolModelOptions options;
  compute::ColumnRanges ranges;
  PoolLearned learned;
  std::optional<PoolGp> gp;
  compute::PriorFeatures prior;
  std::vector<std::uint64_t> feature_table{};  // the prior's features of every row, while they fit into the budget
  std::mutex table_mutex{};

  // Made by the first who needs it, once for each prior: features are kept from step to step, if they fit into what there is room
  // for.
  const std::uint64_t* features(std::int64_t room) {
    const std::int64_t N = pool.size(), words = prior.words;
    const bool fits = words > 0 && N * words * 8 <= room;
    const std::lock_guard lock(table_mutex);
    if (!fits) feature_table = {};
    if (fits && feature_table.empty()) {
      const compute::Rows rows = rows_of(pool);
      feature_table.resize(static_cast<std::size_t>(N * words));
      parallel_blocks(N, 1024,
                      [&](std::int64_t a, std::int64_t b) { feature_bits(prior, rows, a, b, feature_table.data() + a * words); });
    }
    return fits ? feature_table.data() : nullptr;
  }
  [[nodiscard]] std::int64_t room_for_features() const { return options.byte_budget - options.byte_budget / 4; }

  [[nodiscard]] bool has_prior_of(const PoolLearned& what) const {
    return gp && learned.features == what.features && learned.bias == what.bias && learned.power == what.power &&
           learned.lengthscales.size() == what.lengthscales.size() && learned.lengthscales == what.lengthscales;
  }

  void install(PoolLearned what) {
    const compute::RowKernel kernel = row_kernel(pool, options.kernel, what, ranges);
    PoolGp next(kernel, what.inducing);
    next.set_scales({what.variance, what.noise, what.mean});
    if (!has_prior_of(what)) {
      prior = draw_prior(kernel, options.num_features, what.features);
      feature_table = {};
    }
    gp = std::move(next);
    learned = std::move(what);
  }

  void check_rows(const char* function, const char* argument, std::span<const std::int64_t> rows) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i] < 0 || rows[i] >= pool.size())
        throw std::invalid_argument(fmt::format("PoolModel::{}: {}[{}]: expected a row of the pool, 0 to {}, got {}", function,
                                                argument, i, pool.size() - 1, rows[i]));
  }
  void check_data(const char* function, std::span<const std::int64_t> rows, const Vector& y) const {
    check_rows(function, "rows", rows);
    if (static_cast<std::size_t>(y.size()) != rows.size())
      throw std::invalid_argument(
          fmt::format("PoolModel::{}: expected one y per row, got {} for {} rows", function, y.size(), rows.size()));
    for (Eigen::Index i = 0; i < y.size(); ++i)
      if (!std::isfinite(y(i)))
        throw std::invalid_argument(fmt::format("PoolModel::{}: y[{}]: expected a finite number, got {}", function, i, y(i)));
  }
  // What the floor is for: that the good are told apart. Where hardly any value is above it, it would do the opposite.
  std::optional<double> floor_for(const Vector& y) const {
    if (!options.floor || 10 * (y.array() > *options.floor).count() >= y.size()) return options.floor;
    return std::min(*options.floor, 0.0);
  }
  static Vector floored(const Vector& y, std::optional<double> floor) { return floor ? Vector(y.cwiseMax(*floor)) : y; }
  int num_inducing() const { return options.num_inducing > 0 ? options.num_inducing : automatic_inducing(pool.size()); }
  const PoolGp& model(const char* function) const {
    if (!gp) throw std::logic_error(fmt::format("PoolModel::{}: call learn or restore first", function));
    return *gp;
  }
};

}  // namespace salvo

#include <fmt/core.h>
#include <salvo/pool_model.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "math/parallel.h"
#include "model/check.h"
#include "model/noise_ratio.h"
#include "pool/choose.h"
#include "pool/gp.h"
#include "pool/learn.h"
#include "pool/paths.h"
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

  // Made by the first who needs it, once for each prior: features are kept from step to step.
  const std::uint64_t* features() {
    const std::int64_t N = pool.size(), words = prior.words;
    if (words == 0 || N * words * 8 > options.byte_budget - options.byte_budget / 4) return nullptr;
    const std::lock_guard lock(table_mutex);
    if (feature_table.empty()) {
      const compute::Rows rows = rows_of(pool);
      feature_table.resize(static_cast<std::size_t>(N * words));
      parallel_blocks(N, 1024,
                      [&](std::int64_t a, std::int64_t b) { feature_bits(prior, rows, a, b, feature_table.data() + a * words); });
    }
    return feature_table.data();
  }

  void install(PoolLearned what) {
    const compute::RowKernel kernel = row_kernel(pool, options.kernel, what, ranges);
    PoolGp next(kernel, what.inducing);
    next.set_scales({what.variance, what.noise, what.mean});
    const bool same_prior = gp && learned.features == what.features && learned.bias == what.bias && learned.power == what.power &&
                            learned.lengthscales.size() == what.lengthscales.size() && learned.lengthscales == what.lengthscales;
    if (!same_prior) {
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

int automatic_inducing(std::int64_t num_candidates) {
  constexpr std::int64_t kPass = 1'000'000'000, kFewest = 500, kMost = 2000;
  return static_cast<int>(std::clamp(kPass / std::max<std::int64_t>(num_candidates, 1), kFewest, kMost));
}

PoolModel::PoolModel(const Pool& pool, PoolModelOptions options, std::uint64_t seed) {
  options.validate();
  if (kind_of(options.kernel) != pool.kind())
    throw std::invalid_argument(
        fmt::format("PoolModel: the {} kernel is over {}, but the candidates of this pool are {}; take {}",
                    to_string(options.kernel), to_string(kind_of(options.kernel)), to_string(pool.kind()),
                    pool.kind() == PoolKind::bits ? "arccosine or tanimoto" : "matern52, matern32, matern12 or se"));
  state_.reset(new State{pool, options, column_ranges(rows_of(pool)), {}, {}, {}});
  state_->learned.features = Key(seed).fold("features of the pool's prior").bits(0);
  if (pool.kind() == PoolKind::numbers)
    state_->learned.lengthscales =
        Vector::Constant(pool.num_features(), 0.3 * std::max(1.0, std::sqrt(pool.num_features() / 6.0)));
}

PoolModel::~PoolModel() = default;
PoolModel::PoolModel(PoolModel&&) noexcept = default;
PoolModel& PoolModel::operator=(PoolModel&&) noexcept = default;

PoolFit PoolModel::learn(std::span<const std::int64_t> rows, const Vector& values, Key key, const Vector& r, double noise) {
  State& s = *state_;
  s.check_data("learn", rows, values);
  check_ratios("PoolModel::learn", r, values.size());
  if (rows.empty()) throw std::invalid_argument("PoolModel::learn: expected at least one observation, got none");
  PoolModelOptions options = s.options;
  if (noise > 0) {
    const NoiseBounds bounds = believed(noise, {options.min_noise, options.max_noise});
    options.min_noise = bounds.least;
    options.max_noise = bounds.most;
  }
  PoolLearned next = s.learned;
  next.floor = s.floor_for(values);
  const Vector y = s.floored(values, next.floor);
  learn_shape(s.pool, options, s.ranges, rows, y, key.fold("shape"), next, r);
  next.inducing = choose_inducing(s.options.inducing, row_kernel(s.pool, s.options.kernel, next, s.ranges), rows, y,
                                  s.num_inducing(), key.fold("inducing"));
  s.install(std::move(next));
  s.gp->add(rows, y, r);
  const BestScales best = learn_scales(*s.gp, s.num_inducing(), options, rows, y, s.learned, r);
  s.gp->set_scales(best.scales);
  s.learned.variance = best.scales.variance;
  s.learned.noise = best.scales.noise;
  s.learned.mean = best.scales.mean;
  return {s.gp->bound(), s.gp->theta(), s.gp->jitter(), best.num_evaluations};
}

void PoolModel::check(const PoolLearned& learned) const {
  const State& s = *state_;
  if (learned.inducing.empty()) throw std::invalid_argument("PoolModel::restore: expected at least one inducing row, got none");
  s.check_rows("restore", "inducing", learned.inducing);
  const auto positive = [](double v) { return v > 0 && std::isfinite(v); };
  if (!positive(learned.variance) || !positive(learned.noise) || !(learned.bias >= 0) || !std::isfinite(learned.bias) ||
      !std::isfinite(learned.mean))
    throw std::invalid_argument(
        fmt::format("PoolModel::restore: expected a positive variance and noise, a bias that is not negative and a finite mean, "
                    "got {}, {}, {} and {}",
                    learned.variance, learned.noise, learned.bias, learned.mean));
  if (learned.power != 1 && learned.power != 2 && learned.power != 4 && learned.power != 8)
    throw std::invalid_argument(fmt::format("PoolModel::restore: expected a power of 1, 2, 4 or 8, got {}", learned.power));
  const Eigen::Index d = s.pool.kind() == PoolKind::numbers ? s.pool.num_features() : 0;
  if (learned.lengthscales.size() != d || (d > 0 && !(learned.lengthscales.array() > 0).all()))
    throw std::invalid_argument(
        fmt::format("PoolModel::restore: expected {} positive length-scales, got {} numbers", d, learned.lengthscales.size()));
}

void PoolModel::restore(PoolLearned learned) {
  check(learned);
  State& s = *state_;
  if (!learned.floor) learned.floor = s.options.floor;  // stored before it was learned
  s.install(std::move(learned));
}

void PoolModel::add(std::span<const std::int64_t> rows, const Vector& y, const Vector& r) {
  State& s = *state_;
  s.model("add");
  s.check_data("add", rows, y);
  check_ratios("PoolModel::add", r, y.size());
  s.gp->add(rows, s.floored(y, s.learned.floor), r);
}

std::optional<double> PoolModel::floor_for(const Vector& y) const { return state_->floor_for(y); }
bool PoolModel::ready() const { return state_->gp.has_value(); }
const PoolLearned& PoolModel::learned() const { return state_->learned; }
std::int64_t PoolModel::num_observations() const { return state_->gp ? state_->gp->num_observations() : 0; }
const Pool& PoolModel::pool() const { return state_->pool; }
const PoolModelOptions& PoolModel::options() const { return state_->options; }
double PoolModel::bound() const { return state_->model("bound").bound(); }
double PoolModel::theta() const { return state_->model("theta").theta(); }
double PoolModel::jitter() const { return state_->model("jitter").jitter(); }

Prediction PoolModel::predict(std::span<const std::int64_t> rows) const {
  state_->check_rows("predict", "rows", rows);
  return state_->model("predict").predict(rows);
}

PoolChoice PoolModel::choose(int count, std::span<const std::int64_t> taken, Key key) const {
  const State& s = *state_;
  const PoolGp& gp = s.model("choose");
  if (count < 1) throw std::invalid_argument(fmt::format("PoolModel::choose: count must be at least 1, got {}", count));
  s.check_rows("choose", "taken", taken);
  PoolPaths paths =
      s.options.alpha > 0 ? draw_pool_paths(gp, s.prior, count, s.options.alpha, key.fold("draw")) : mean_path(gp, s.prior);
  paths.feature_table = state_->features();
  return choose_rows(paths, count, taken,
                     {.subset = s.options.subset, .screen = s.options.screen, .byte_budget = s.options.byte_budget},
                     key.fold("subsets"));
}

PoolChoice choose_together(std::span<const PoolModel* const> models, const PoolWorth& worth, int count,
                           std::span<const std::int64_t> taken, Key key) {
  constexpr const char* kName = "choose_together";
  const auto B = static_cast<Eigen::Index>(worth.num_members());
  if (models.empty() || static_cast<int>(models.size()) != worth.num_outputs() || worth.num_objectives() < 1)
    throw std::invalid_argument(fmt::format("{}: worth: expected an objective and {} outputs, one for each model, got {} and {}",
                                            kName, models.size(), worth.num_objectives(), worth.num_outputs()));
  if (count < 1 || (B != count && B != 1))
    throw std::invalid_argument(fmt::format("{}: worth: expected a member for each of {}, or one, got {}", kName, count, B));
  if (worth.shift.rows() != worth.scale.rows() || worth.shift.cols() != B || worth.high.rows() != worth.low.rows() ||
      worth.low.cols() != B || worth.high.cols() != B || !(worth.scale.array() > 0).all() || !worth.scale.allFinite() ||
      !worth.shift.allFinite() || worth.low.hasNaN() || worth.high.hasNaN())
    throw std::invalid_argument(
        fmt::format("{}: worth: expected positive finite scales, finite shifts and bounds for {} members", kName, B));
  std::vector<PoolPaths> paths;
  for (std::size_t o = 0; o < models.size(); ++o) {
    PoolModel::State& s = *models[o]->state_;
    const PoolGp& gp = s.model(kName);
    if (s.pool.size() != models[0]->pool().size())
      throw std::invalid_argument(
          fmt::format("{}: models: expected one pool, got {} and {} candidates", kName, models[0]->pool().size(), s.pool.size()));
    s.check_rows(kName, "taken", taken);
    paths.push_back(draw_pool_paths(gp, s.prior, static_cast<int>(B), s.options.alpha, key.fold("draw").fold(o)));
    paths.back().feature_table = s.features();
  }
  const PoolModelOptions& options = models[0]->options();
  return choose_rows(scored(paths, worth), count, taken,
                     {.subset = options.subset, .screen = options.screen, .byte_budget = options.byte_budget},
                     key.fold("subsets"));
}

}  // namespace salvo

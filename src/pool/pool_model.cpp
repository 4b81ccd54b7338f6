#include <fmt/core.h>
#include <salvo/pool_model.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "model/check.h"
#include "model/noise_ratio.h"
#include "pool/choose.h"
#include "pool/learn.h"
#include "pool/paths.h"
#include "pool/pool_state.h"

namespace salvo {

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
  paths.feature_table = state_->features(s.room_for_features());
  return choose_rows(paths, count, taken,
                     {.subset = s.options.subset, .screen = s.options.screen, .byte_budget = s.options.byte_budget},
                     key.fold("subsets"));
}

}  // namespace salvo

#include "search/output_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "acquire/normal.h"
#include "model/left_out.h"
#include "search/left_out_error.h"
#include "search/repeats.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kQuietOutput = 1e-3;    // a share of noise in the values below which they tell as much as any model
constexpr double kLikelyNoise = 0.01;    // … and one that a model without noise has to beat, before values are repeated, …
constexpr double kConvinced = 3;         // … by so many nats
constexpr double kTooSure = 1.35;        // how much wider than they say what noisy values tell has to be taken: see noisy_sd
constexpr double kQuietTest = 0.02;      // the same of a test that is passed or not
constexpr double kMeasuredOutput = 20;   // differences between values of a point that tell the noise to a third
constexpr double kClearlyLess = 0.9;     // how much less a model must err to be believed instead of another
constexpr std::size_t kFewestBoth = 20;  // observations that say so

}  // namespace

OutputModel::OutputModel(Output output, const Encoding& space)
    : seen_(std::move(output)), space_(space), data_(space.num_dims()) {
  if (std::isfinite(seen_.low())) data_.set_bound(seen_.low());
}

void OutputModel::observe(const Record& record, const Vector& x, double value) {
  if (std::isnan(value)) return;
  rows_[record.id] = data_.size();
  seen_.add(value);
  data_.add(record, x, seen_.seen(seen_.size() - 1));
}

void OutputModel::choose_warp(std::int64_t num_rows) {
  if (!seen_.choose_warp(num_rows)) return;
  if (std::isfinite(seen_.low())) data_.set_bound(seen_.warp().seen(seen_.low()));
  for (std::int64_t row = 0; row < data_.size(); ++row) data_.set_y(row, seen_.seen(row));
}

std::int64_t OutputModel::row(std::int64_t id) const {
  const auto found = rows_.find(id);
  return found == rows_.end() ? -1 : found->second;
}

void OutputModel::learn(const Learning& learning, const SpaceLearned* known, std::int64_t ask, Key key) {
  if (known && is_constraint() && known->settings != learning.settings()) known = nullptr;  // of other bounds
  if (known) choose_warp(known->num_fitted);  // as it was learned: between fits the units stay
  if (!known || grown(known->num_fitted, data_.size(), learning.model.refit_growth)) {
    const bool warped = seen_.warp().width > 0;
    choose_warp(data_.size());
    if (warped != (seen_.warp().width > 0)) known = nullptr;  // another function altogether
  }
  SpaceLearned now = salvo::learn(learning, data_, known, key);
  now.ask = ask;
  posterior_.emplace(std::move(now), data_, learning.model, learning.trend);
}

void OutputModel::take(SpaceLearned known, const Learning& learning) {
  choose_warp(known.num_fitted);
  posterior_.emplace(std::move(known), data_, learning.model, learning.trend);
}

void OutputModel::see_noise(std::int64_t num_rows) {
  const std::vector<std::int64_t> rows = data_.by_id(0, num_rows);
  const double unit = posterior_->learned().anchor.unit();  // squares of the values themselves might overflow
  constexpr double kHugeValue = 1e150;
  Vector values(std::ssize(rows));
  for (Index i = 0; i < values.size(); ++i)
    values(i) = std::clamp(data_.y(rows[static_cast<std::size_t>(i)]) / unit, -kHugeValue, kHugeValue);
  const RepeatedNoise noise = repeated_noise(data_.X()(rows, Eigen::all), values);
  // Two values of a number that are the same are no chance; a test that is passed by chance is often passed twice: there the
  // others have to speak against chance, too.
  const bool tells = !seen_.is_test() || noise.degrees >= kMeasuredOutput || (knows_shape() && shape_.hyper.noise < kQuietTest);
  noise_free_ = noise.none() && tells;
  least_noise_ = std::sqrt(noise.degrees >= kMeasuredOutput ? noise.variance : noise.at_least()) * unit;
  quiet_ = noise_free_;
  if (!knows_shape()) return;
  repeats_tell_ = noise.degrees >= 2 && tells;
  if (!repeats_tell_) {
    quiet_ = shape_.hyper.noise < kQuietOutput;
  } else if (!noise_free_) {
    const double share = std::sqrt(noise.variance) * unit / shape_.units.unit();
    quiet_ = share * share < kQuietOutput;
  }
}

void OutputModel::learn_around(std::span<const std::int64_t> ids, const ModelOptions& model) {
  const std::int64_t num_rows = posterior_->learned().num_observations;
  std::vector<std::int64_t> near;
  for (const std::int64_t id : ids)
    if (const std::int64_t at = row(id); at >= 0 && at < num_rows) near.push_back(at);
  shape_ = {};  // of before, which a resumed study has not
  likely_noise_ = 0;
  see_noise(num_rows);
  if (near.size() < 2) return;
  shape_ = learn_shape(space_, model, data_, num_rows, near, least_noise_, is_additive(posterior_->learned().hyper.kernel.type));
  see_noise(num_rows);  // again: with no value repeated the shape says whether there is any
  doubt_that_there_is_none(near, model, num_rows);
}

// A few values can be explained without noise as well as with it. Until repeated values say more, a search goes on as if there
// were none (where there is none, anything else costs digits), but what is said of its values takes some for likely.
void OutputModel::doubt_that_there_is_none(std::span<const std::int64_t> near, const ModelOptions& model, std::int64_t num_rows) {
  if (repeats_tell_ || shape_.hyper.noise >= kQuietOutput) return;
  const double least = std::max(least_noise_, std::sqrt(kLikelyNoise) * shape_.units.unit());
  const LocalShape noisy = learn_shape(space_, model, data_, num_rows, near, least, is_additive(shape_.hyper.kernel.type));
  if (shape_.evidence < noisy.evidence + kConvinced) likely_noise_ = noisy.hyper.noise;
}

void OutputModel::look_around(std::span<const std::int64_t> ids, std::int64_t centre) {
  std::vector<std::int64_t> near;
  for (const std::int64_t id : ids)
    if (const std::int64_t at = row(id); at >= 0) near.push_back(at);
  local_.reset();
  local_is_better_ = false;
  if (near.size() < 2 || !knows_shape()) return;
  const std::int64_t at = row(centre);
  local_.emplace(space_, shape_, data_, at >= 0 ? at : near.front(), std::move(near));
  compare_models();
}

void OutputModel::compare_models() {
  const std::vector<std::int64_t>& rows = local_->rows();
  if (rows.size() < kFewestBoth) return;
  const Matrix X = data_.X()(rows, Eigen::all);
  const Anchor& units = posterior_->learned().anchor;
  Vector values(X.rows()), y(X.rows());
  for (Index i = 0; i < y.size(); ++i) {
    values(i) = data_.y(rows[static_cast<std::size_t>(i)]);
    y(i) = units.to_model(values(i));
  }
  const double mine = left_out_error(local_->predict(X), local_->y(), shape_.hyper.noise, local_->r(), shape_.units, values);
  const double other = left_out_error(posterior_->gp().predict(X), y, posterior_->gp().hyper().noise, {}, units, values);
  local_is_better_ = mine < kClearlyLess * other;
}

// A model takes its length-scales and its noise for known, and the function for one that they suit: among noisy values it is too
// sure of what lies below them (`experiments calibration`). What another model says, `apart` from it, is as likely.
double OutputModel::noisy_sd(double variance, double apart) const {
  return quiet_ ? std::sqrt(variance) : std::hypot(kTooSure * std::sqrt(variance), apart / std::numbers::sqrt2);
}

void OutputModel::set_estimate(Estimates& out, Index i, const Anchor& units, double mean, double variance, double apart) const {
  const double seen = units.from_model(mean), known = std::max(0.0, variance),
               unit = units.unit_at(mean) * seen_.warp().slope(seen);
  constexpr double kMost = std::numeric_limits<double>::max();  // what was squeezed may be beyond it
  out.mean(i) = std::clamp(seen_.warp().meant(seen), -kMost, kMost);
  const double sd = noisy_sd(known, apart);
  out.sd(i) = std::min(sd * unit, kMost);
  out.holds(i) = seen_.holds(units, mean, sd, out.mean(i), out.sd(i));
}

// A model that was learned before it was told takes it for the lowest of note, which may keep to the bound.
bool OutputModel::is_hidden(std::int64_t row) const {
  return value(row) < seen_.low() && data_.y(row) < posterior_->learned().anchor.lowest;
}

OutputModel::Estimates OutputModel::estimates(const Matrix& X) const { return by_model(posterior_->gp(), X); }

OutputModel::Estimates OutputModel::by_model(const SparseGp& gp, const Matrix& X) const {
  Estimates out{Vector(X.rows()), Vector(X.rows()), Vector(X.rows())};
  const Prediction there = gp.predict(X);
  for (Index i = 0; i < X.rows(); ++i) set_estimate(out, i, posterior_->learned().anchor, there.mean(i), there.variance(i), 0);
  return out;
}

OutputModel::Estimates OutputModel::estimates(std::span<const std::int64_t> ids, const Matrix& X, When when) const {
  Estimates out{Vector(X.rows()), Vector(X.rows()), Vector(X.rows())};
  const bool by_value = quiet_ || when == When::first;
  std::vector<Index> open;  // what no value answers
  for (Index i = 0; i < X.rows(); ++i) {
    const std::int64_t at = row(ids[static_cast<std::size_t>(i)]);
    if (at < 0 || !(by_value || is_hidden(at))) {
      open.push_back(i);
      continue;
    }
    out.mean(i) = value(at);
    const Anchor& units = shape_.units;
    const bool certain = noise_free_ || !knows_shape() || is_hidden(at);
    const double unit = units.unit_at(units.to_model(data_.y(at))) * seen_.warp().slope(data_.y(at));
    out.sd(i) = certain ? 0.0 : std::sqrt(std::max(shape_.hyper.noise, repeats_tell_ ? 0.0 : likely_noise_)) * unit;
    out.holds(i) = certain ? seen_.chance(seen_.low(), seen_.high(), out.mean(i), 0)
                           : seen_.chance(seen_.seen_low(), seen_.seen_high(), out.mean(i), out.sd(i));
  }
  if (!open.empty()) {
    const Estimates found = by_model(when == When::now ? posterior_->gp() : posterior_->learned_gp(), X(open, Eigen::all));
    out.mean(open) = found.mean;
    out.sd(open) = found.sd;
    out.holds(open) = found.holds;
  }
  if (!by_value && when == When::now && local_) see_locally(out, ids);
  return out;
}

// Around the best the exact model of it is believed where it errs less. That the two differ counts where neither is known to be
// the better one, or both have few values.
void OutputModel::see_locally(Estimates& out, std::span<const std::int64_t> ids) const {
  const Prediction there = local_->predict(data_.X()(local_->rows(), Eigen::all));
  std::unordered_map<std::int64_t, Index> near;
  for (std::size_t k = 0; k < local_->rows().size(); ++k) near[data_.id(local_->rows()[k])] = static_cast<Index>(k);
  const bool either = !local_is_better_ || posterior_->exact();
  const Anchor& everywhere = posterior_->learned().anchor;
  for (Index i = 0; i < out.mean.size(); ++i) {
    const std::int64_t id = ids[static_cast<std::size_t>(i)];
    const auto k = near.find(id);
    if (k == near.end() || is_hidden(row(id))) continue;
    const double mean = there.mean(k->second), other = everywhere.to_model(seen_.warp().seen(out.mean(i)));
    const double apart = either ? shape_.units.from_model(mean) - seen_.warp().seen(out.mean(i)) : 0.0;
    if (local_is_better_) {
      set_estimate(out, i, shape_.units, mean, there.variance(k->second), apart / shape_.units.unit_at(mean));
    } else {
      const double known =
          out.sd(i) / (kTooSure * everywhere.unit_at(other) * seen_.warp().slope(seen_.warp().seen(out.mean(i))));
      set_estimate(out, i, everywhere, other, known * known, apart / everywhere.unit_at(other));
    }
  }
}

}  // namespace salvo

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
constexpr double kUnbounded = std::numeric_limits<double>::infinity();
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
    : output_(std::move(output)),
      space_(space),
      low_(-kUnbounded),
      high_(kUnbounded),
      seen_low_(low_),
      seen_high_(high_),
      data_(space.num_dims()) {
  if (const auto* objective = std::get_if<Objective>(&output_.role)) {
    sign_ = objective->direction == Direction::minimize ? -1.0 : 1.0;
    return;
  }
  const auto& constraint = std::get<Constraint>(output_.role);
  sign_ = std::isfinite(constraint.min) ? 1.0 : -1.0;
  low_ = sign_ > 0 ? constraint.min : -constraint.max;
  high_ = sign_ > 0 ? constraint.max : -constraint.min;
  seen_low_ = low_;
  seen_high_ = high_;
  if (std::isfinite(low_)) data_.set_bound(low_);
}

void OutputModel::observe(const Record& record, const Vector& x, double value) {
  if (std::isnan(value)) return;
  rows_[record.id] = data_.size();
  values_.push_back(sign_ * value);
  data_.add(record, x, warp_.seen(values_.back()));
}

double Warp::seen(double y) const {
  if (width == 0) return y;
  const double z = (y - centre) / width;
  return std::copysign(std::log1p(std::abs(z)), z);
}

double Warp::meant(double z) const { return width == 0 ? z : centre + width * std::copysign(std::expm1(std::abs(z)), z); }
double Warp::slope(double z) const { return width == 0 ? 1.0 : width * std::exp(std::abs(z)); }

// Half the distance from a bound to the nearest other value; 0 where hardly a value lies on it.
double OutputModel::room_at(double bound, std::int64_t num_rows) const {
  constexpr int kNoChance = 3;  // values that are the same to the last bit
  if (std::isinf(bound)) return 0;
  int there = 0;
  double nearest = kUnbounded;
  for (std::int64_t row = 0; row < num_rows; ++row) {
    const double apart = std::abs(value(row) - bound);
    there += apart == 0 ? 1 : 0;
    if (apart > 0) nearest = std::min(nearest, apart);
  }
  if (there < kNoChance) return 0;
  return std::isinf(nearest) ? std::max(1.0, std::abs(bound)) : 0.5 * nearest;
}

// From the values that a model is learned from, so that a resumed study sees them alike.
void OutputModel::choose_warp(std::int64_t num_rows) {
  constexpr double kFar = 0.95;   // of the values, the nearest: as far as the farthest of these …
  constexpr double kFarther = 5;  // … times the median distance (of a normal distribution 3) is far
  if (!is_constraint()) return;
  seen_low_ = low_ - room_at(low_, num_rows);
  seen_high_ = high_ + room_at(high_, num_rows);
  const double centre = std::isfinite(low_) && std::isfinite(high_) ? 0.5 * low_ + 0.5 * high_
                        : std::isfinite(low_)                       ? low_
                                                                    : high_;
  std::vector<double> distances;
  for (std::int64_t row = 0; row < num_rows; ++row) distances.push_back(std::abs(value(row) - centre));
  if (distances.empty()) distances.push_back(0);
  std::sort(distances.begin(), distances.end());
  const double middle = distances[distances.size() / 2];
  const double far = distances[static_cast<std::size_t>(kFar * static_cast<double>(distances.size() - 1))];
  const Warp now{centre, std::isnormal(middle) && far > kFarther * middle ? middle : 0.0};
  if (now.width == warp_.width) return;
  warp_ = now;
  if (std::isfinite(low_)) data_.set_bound(warp_.seen(low_));
  for (std::int64_t row = 0; row < data_.size(); ++row) data_.set_y(row, warp_.seen(value(row)));
}

double OutputModel::missed(double value) const {
  if (value >= seen_low_ && value <= seen_high_) return 0;
  const Anchor& units = posterior_->learned().anchor;
  const double there = units.to_model(warp_.seen(value));
  const double off =
      value < seen_low_ ? units.to_model(warp_.seen(seen_low_)) - there : there - units.to_model(warp_.seen(seen_high_));
  return std::max(off, std::numeric_limits<double>::min());  // however little, it does not hold
}

std::int64_t OutputModel::row(std::int64_t id) const {
  const auto found = rows_.find(id);
  return found == rows_.end() ? -1 : found->second;
}

void OutputModel::learn(const Learning& learning, const SpaceLearned* known, std::int64_t ask, Key key) {
  if (known && is_constraint() && known->settings != learning.settings()) known = nullptr;  // of other bounds
  if (known) choose_warp(known->num_fitted);  // as it was learned: between fits the units stay
  if (!known || grown(known->num_fitted, data_.size(), learning.model.refit_growth)) {
    const bool warped = warp_.width > 0;
    choose_warp(data_.size());
    if (warped != (warp_.width > 0)) known = nullptr;  // another function altogether
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
  const auto* constraint = std::get_if<Constraint>(&output_.role);
  const bool test = constraint && constraint->passed;
  const bool tells = !test || noise.degrees >= kMeasuredOutput || (knows_shape() && shape_.hyper.noise < kQuietTest);
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

namespace {

double below(double bound, double mean, double sd) {  // the chance that the value is
  if (std::isinf(bound)) return bound < 0 ? 0.0 : 1.0;
  return normal_cdf((bound - mean) / sd);
}

double bound_in(const Anchor& units, const Warp& warp, double bound) {
  return std::isinf(bound) ? bound : units.to_model(warp.seen(bound));
}

// Of a test that is passed or not its mean is the share that is passed, known as well as from 1/4v evaluations of its own; to
// these half a success and half a failure are added (Jeffreys), so that two passes are no certainty.
double passed_again(double mean, double variance) { return (std::clamp(mean, 0.0, 1.0) + 2 * variance) / (1 + 4 * variance); }

}  // namespace

// Of a certain value its bounds are kept exactly.
double OutputModel::chance(double low, double high, double mean, double sd) const {
  if (!is_constraint()) return 1;
  if (!(sd > 0)) return mean >= low && mean <= high ? 1.0 : 0.0;
  return std::max(0.0, below(high, mean, sd) - below(low, mean, sd));
}

// A model takes its length-scales and its noise for known, and the function for one that they suit: among noisy values it is too
// sure of what lies below them (`experiments calibration`). What another model says, `apart` from it, is as likely.
double OutputModel::noisy_sd(double variance, double apart) const {
  return quiet_ ? std::sqrt(variance) : std::hypot(kTooSure * std::sqrt(variance), apart / std::numbers::sqrt2);
}

// The chance is counted as the model sees values, where they are normal.
void OutputModel::set_estimate(Estimates& out, Index i, const Anchor& units, double mean, double variance, double apart) const {
  const double seen = units.from_model(mean), known = std::max(0.0, variance), unit = units.unit_at(mean) * warp_.slope(seen);
  constexpr double kMost = std::numeric_limits<double>::max();  // what was squeezed may be beyond it
  out.mean(i) = std::clamp(warp_.meant(seen), -kMost, kMost);
  const double sd = noisy_sd(known, apart);
  out.sd(i) = std::min(sd * unit, kMost);
  const auto* constraint = std::get_if<Constraint>(&output_.role);
  out.holds(i) = constraint && constraint->passed
                     ? passed_again(out.mean(i), out.sd(i) * out.sd(i))
                     : chance(bound_in(units, warp_, seen_low_), bound_in(units, warp_, seen_high_), mean, sd);
}

// A model that was learned before it was told takes it for the lowest of note, which may keep to the bound.
bool OutputModel::is_hidden(std::int64_t row) const {
  return value(row) < low_ && data_.y(row) < posterior_->learned().anchor.lowest;
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
    const double unit = units.unit_at(units.to_model(data_.y(at))) * warp_.slope(data_.y(at));
    out.sd(i) = certain ? 0.0 : std::sqrt(std::max(shape_.hyper.noise, repeats_tell_ ? 0.0 : likely_noise_)) * unit;
    out.holds(i) = certain ? chance(low_, high_, out.mean(i), 0) : chance(seen_low_, seen_high_, out.mean(i), out.sd(i));
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
    const double mean = there.mean(k->second), other = everywhere.to_model(warp_.seen(out.mean(i)));
    const double apart = either ? shape_.units.from_model(mean) - warp_.seen(out.mean(i)) : 0.0;
    if (local_is_better_) {
      set_estimate(out, i, shape_.units, mean, there.variance(k->second), apart / shape_.units.unit_at(mean));
    } else {
      const double known = out.sd(i) / (kTooSure * everywhere.unit_at(other) * warp_.slope(warp_.seen(out.mean(i))));
      set_estimate(out, i, everywhere, other, known * known, apart / everywhere.unit_at(other));
    }
  }
}

}  // namespace salvo

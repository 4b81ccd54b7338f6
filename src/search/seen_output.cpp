#include "search/seen_output.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "acquire/normal.h"

namespace salvo {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

double bound_in(const Anchor& units, const Warp& warp, double bound) {
  return std::isinf(bound) ? bound : units.to_model(warp.seen(bound));
}

double below(double bound, double mean, double sd) {  // the chance that the value is
  if (std::isinf(bound)) return bound < 0 ? 0.0 : 1.0;
  return normal_cdf((bound - mean) / sd);
}

// Of a test that is passed or not its mean is the share that is passed, known as well as from 1/4v evaluations of its own; to
// these half a success and half a failure are added (Jeffreys), so that two passes are no certainty.
double passed_again(double mean, double variance) { return (std::clamp(mean, 0.0, 1.0) + 2 * variance) / (1 + 4 * variance); }

}  // namespace

double Warp::seen(double y) const {
  if (width == 0) return y;
  const double z = (y - centre) / width;
  return std::copysign(std::log1p(std::abs(z)), z);
}

double Warp::meant(double z) const { return width == 0 ? z : centre + width * std::copysign(std::expm1(std::abs(z)), z); }
double Warp::slope(double z) const { return width == 0 ? 1.0 : width * std::exp(std::abs(z)); }

SeenOutput::SeenOutput(Output output)
    : output_(std::move(output)), low_(-kNoBound), high_(kNoBound), seen_low_(low_), seen_high_(high_) {
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
}

bool SeenOutput::is_test() const {
  const auto* constraint = std::get_if<Constraint>(&output_.role);
  return constraint && constraint->passed;
}

// Half the distance from a bound to the nearest other value; 0 where hardly a value lies on it.
double SeenOutput::room_at(double bound, std::int64_t num_rows) const {
  constexpr int kNoChance = 3;  // values that are the same to the last bit
  if (std::isinf(bound)) return 0;
  int there = 0;
  double nearest = kNoBound;
  for (std::int64_t row = 0; row < num_rows; ++row) {
    const double apart = std::abs(value(row) - bound);
    there += apart == 0 ? 1 : 0;
    if (apart > 0) nearest = std::min(nearest, apart);
  }
  if (there < kNoChance) return 0;
  return std::isinf(nearest) ? std::max(1.0, std::abs(bound)) : 0.5 * nearest;
}

bool SeenOutput::choose_warp(std::int64_t num_rows) {
  constexpr double kFar = 0.95;   // of the values, the nearest: as far as the farthest of these …
  constexpr double kFarther = 5;  // … times the median distance (of a normal distribution 3) is far
  if (!is_constraint()) return false;
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
  if (now.width == warp_.width) return false;
  warp_ = now;
  return true;
}

double SeenOutput::missed(double value, const Anchor& units) const {
  if (value >= seen_low_ && value <= seen_high_) return 0;
  const double there = units.to_model(warp_.seen(value));
  const double off =
      value < seen_low_ ? units.to_model(warp_.seen(seen_low_)) - there : there - units.to_model(warp_.seen(seen_high_));
  return std::max(off, std::numeric_limits<double>::min());  // however little, it does not hold
}

double SeenOutput::chance(double low, double high, double mean, double sd) const {
  if (!is_constraint()) return 1;
  if (!(sd > 0)) return mean >= low && mean <= high ? 1.0 : 0.0;
  return std::max(0.0, below(high, mean, sd) - below(low, mean, sd));
}

double SeenOutput::holds(const Anchor& units, double mean, double sd, double value, double value_sd) const {
  if (is_test()) return passed_again(value, value_sd * value_sd);
  return chance(bound_in(units, warp_, seen_low_), bound_in(units, warp_, seen_high_), mean, sd);
}

double SeenOutput::bound_of_paths(double bound, const Anchor& units) const {
  constexpr double kPassed = 0.9;  // of a test that was passed (1) or not (0): where paths go
  return bound_in(units, warp_, std::isfinite(bound) && is_test() ? kPassed : bound);
}

}  // namespace salvo

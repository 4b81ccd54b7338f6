#include "space/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "text/numbers.h"

namespace salvo {
namespace {

constexpr int kMostDecimals = 18;  // ten to that power is a double
constexpr double kWhole = 0x1p53;
constexpr double kRounding = 1e-6;  // of a step: 0.7 lies 7 steps of 0.1 above 0

double power_of_ten(int e) {
  double out = 1;
  for (int i = 0; i < e; ++i) out *= 10;
  return out;
}

bool is_decimal(double x, double units) {
  const double whole = std::nearbyint(x * units);
  return std::abs(whole) < kWhole && whole / units == x;
}

// The fewest decimals with which both can be written.
std::optional<int> decimals_of(double a, double b) {
  for (int e = 0; e <= kMostDecimals; ++e)
    if (is_decimal(a, power_of_ten(e)) && is_decimal(b, power_of_ten(e))) return e;
  return std::nullopt;
}

std::int64_t below(double steps) { return static_cast<std::int64_t>(std::floor(steps + kRounding)); }
std::int64_t above(double steps) { return static_cast<std::int64_t>(std::ceil(steps - kRounding)); }

// Where a positive number lies among those with so many significant digits: decades of 9·10^(digits−1) each.
double place_of(double value, int digits) {
  double exponent = std::floor(std::log10(value));
  double mantissa = value / std::pow(10.0, exponent);
  if (mantissa < 1 || mantissa >= 10) {  // log10 has rounded across a power of ten
    exponent += mantissa < 1 ? -1 : 1;
    mantissa = value / std::pow(10.0, exponent);
  }
  return (9 * exponent + mantissa - 1) * power_of_ten(digits - 1);
}

}  // namespace

Grid::Grid(const Float& domain) {
  if (domain.digits != 0 && domain.scale == Scale::log) {
    kind_ = Kind::significant;
    digits_ = domain.digits;
    first_ = above(place_of(domain.low, digits_));
    last_ = below(place_of(domain.high, digits_));
    return;
  }
  if (domain.digits != 0) {  // the multiples of a power of ten
    units_ = power_of_ten(domain.digits);
    first_ = above(domain.low * units_);
    last_ = below(domain.high * units_);
    return;
  }
  last_ = below((domain.high - domain.low) / domain.step);
  const auto decimals = decimals_of(domain.low, domain.step);
  kind_ = decimals ? Kind::decimal : Kind::plain;
  units_ = decimals ? power_of_ten(*decimals) : 1;
  low_ = decimals ? std::nearbyint(domain.low * units_) : domain.low;
  step_ = decimals ? std::nearbyint(domain.step * units_) : domain.step;
}

double Grid::at(std::int64_t k) const {
  if (kind_ == Kind::decimal) return (low_ + static_cast<double>(k) * step_) / units_;
  if (kind_ == Kind::plain) return low_ + static_cast<double>(k) * step_;
  const auto per_digit = static_cast<std::int64_t>(power_of_ten(digits_ - 1)), per_decade = 9 * per_digit;
  const std::int64_t decade = k >= 0 ? k / per_decade : -((-k + per_decade - 1) / per_decade);
  const std::int64_t mantissa = per_digit + k - decade * per_decade;
  return to_double(fmt::format("{}e{}", mantissa, decade - (digits_ - 1))).value();
}

double Grid::value(std::int64_t level) const { return at(first_ + std::clamp<std::int64_t>(level, 0, last_ - first_)); }

std::int64_t Grid::nearest(double value) const {
  const double place = kind_ == Kind::significant ? place_of(value, digits_)
                       : kind_ == Kind::decimal   ? (value * units_ - low_) / step_
                                                  : (value - low_) / step_;
  return std::clamp(static_cast<std::int64_t>(std::nearbyint(place)), first_, last_) - first_;
}

}  // namespace salvo

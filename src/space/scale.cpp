#include "space/scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "space/grid.h"

namespace salvo {
namespace {

constexpr double kSteps = 0x1p40;           // of the grid that floats are coded on
constexpr double kFineResolution = 0x1p44;  // a range with fewer doubles than this needs no grid

// log(b / a) for 0 < a <= b, accurate when they are close and when b / a overflows.
double log_ratio(double a, double b) {
  const double ratio = b / a;
  if (ratio < 2) return std::log1p((b - a) / a);
  return std::isfinite(ratio) ? std::log(ratio) : std::log(b) - std::log(a);
}

double decode_log(double low, double range, double u) {
  const double t = u * range;
  if (range < 0.5) return low + low * std::expm1(t);
  return range < 700 ? low * std::exp(t) : std::exp(std::log(low) + t);
}

// How many distinct doubles the range holds, about.
double resolution(const Float& domain) {
  if (domain.scale == Scale::log) return log_ratio(domain.low, domain.high) * 0x1p52;
  const double largest = std::max(std::abs(domain.low), std::abs(domain.high));
  return (domain.high / 2 - domain.low / 2) / (largest / 2 - std::nextafter(largest, 0.0) / 2);
}

// A double does not survive encode and decode to the last bit. On a grid much coarser than rounding it does; where
// doubles are themselves much coarser than rounding of u, they are their own grid.
double to_grid(const Float& domain, double u) {
  return resolution(domain) >= kFineResolution ? std::nearbyint(u * kSteps) / kSteps : u;
}

double any_number(const Float& domain, double u) {
  const double low = domain.low, high = domain.high;
  if (!(u > 0)) return low;
  if (u >= 1) return high;
  u = to_grid(domain, u);
  if (u >= 1) return high;
  const double value = domain.scale == Scale::log ? decode_log(low, log_ratio(low, high), u) : std::lerp(low, high, u);
  return std::clamp(value, low, high);
}

// How far value lies above low; the difference of two int64 always fits in uint64.
std::uint64_t offset_of(const Int& domain, std::int64_t value) {
  return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(domain.low);
}

// The whole number so far above low, on the nearest step.
std::int64_t at_offset(const Int& domain, double offset) {
  const double span = static_cast<double>(offset_of(domain, domain.high));
  auto up = static_cast<std::uint64_t>(std::clamp(offset, 0.0, span));
  if (domain.step > 1) {
    const auto step = static_cast<std::uint64_t>(domain.step), last = static_cast<std::uint64_t>(span) / step;
    up = std::min((up + step / 2) / step, last) * step;
  }
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(domain.low) + up);
}

}  // namespace

double encode_number(const Float& domain, double value) {
  const double low = domain.low, high = domain.high;
  if (!(value > low)) return 0;
  if (value >= high) return 1;
  if (domain.scale == Scale::log) return to_grid(domain, std::min(1.0, log_ratio(low, value) / log_ratio(low, high)));
  const double range = high - low;
  const double u = std::isfinite(range) ? (value - low) / range : (value / 2 - low / 2) / (high / 2 - low / 2);
  return to_grid(domain, u);
}

double number_slope(const Float& domain, double u) {
  if (domain.scale == Scale::linear) return domain.high - domain.low;
  const double range = log_ratio(domain.low, domain.high);
  return decode_log(domain.low, range, std::clamp(u, 0.0, 1.0)) * range;
}

double decode_number(const Float& domain, double u) {
  if (!domain.on_grid()) return any_number(domain, u);
  const Grid grid(domain);
  return grid.value(grid.nearest(any_number(domain, u)));
}

double pick_number(const Float& domain, double u) {
  if (!domain.on_grid() || domain.scale == Scale::log) return decode_number(domain, u);
  const Grid grid(domain);
  return grid.value(static_cast<std::int64_t>(u * static_cast<double>(grid.num_levels())));
}

double encode_number(const Int& domain, std::int64_t value) {
  if (value <= domain.low) return 0;
  if (value >= domain.high) return 1;
  if (domain.scale == Scale::log) {
    const auto low = static_cast<double>(domain.low);
    return log_ratio(low, static_cast<double>(value)) / log_ratio(low, static_cast<double>(domain.high));
  }
  return static_cast<double>(offset_of(domain, value)) / static_cast<double>(offset_of(domain, domain.high));
}

std::int64_t decode_number(const Int& domain, double u) {
  if (!(u > 0)) return domain.low;
  if (u >= 1) return at_offset(domain, std::numeric_limits<double>::infinity());
  if (domain.scale == Scale::linear)
    return at_offset(domain, std::nearbyint(u * static_cast<double>(offset_of(domain, domain.high))));
  const auto low = static_cast<double>(domain.low);
  const double value = decode_log(low, log_ratio(low, static_cast<double>(domain.high)), u);
  const double below = std::floor(value);
  // Nearest on the log scale: the border between two neighbours is their geometric mean.
  const double nearest = value * value < below * (below + 1) ? below : below + 1;
  return at_offset(domain, nearest - low);
}

std::int64_t pick_number(const Int& domain, double u) {
  if (!(u > 0)) return domain.low;
  if (domain.scale == Scale::linear) {
    const auto step = static_cast<double>(domain.step);
    return at_offset(domain, step * std::floor(u * (std::floor(static_cast<double>(offset_of(domain, domain.high)) / step) + 1)));
  }
  const double from = static_cast<double>(domain.low) - 0.5;
  const double to = static_cast<double>(domain.high) + 0.5;
  const double value = from * std::exp(u * std::log(to / from));
  return at_offset(domain, std::nearbyint(value) - static_cast<double>(domain.low));
}

}  // namespace salvo

#pragma once
#include <fmt/format.h>
#include <salvo/space.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "space/domain.h"
#include "space/expression.h"
#include "space/grid.h"
#include "space/value.h"

// What linear forms of a space's parameters come to: of where.cpp.
namespace salvo {

using Linear = Expression::Linear;

struct Range {
  double low = 0, high = 0;
  [[nodiscard]] double width() const { return high - low; }
};

inline Range range_of(const Parameter& parameter) {
  if (const auto* d = std::get_if<Float>(&parameter.domain)) return {d->low, d->high};
  if (const auto* d = std::get_if<Int>(&parameter.domain)) return {static_cast<double>(d->low), static_cast<double>(d->high)};
  const auto* choices = choices_of(parameter.domain);
  const std::vector<Value> all = choices ? *choices : std::vector{std::get<Fixed>(parameter.domain).value};
  Range out{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Value& each : all) {
    const double seen = seen_by_expressions(parameter, each);
    out = {std::min(out.low, seen), std::max(out.high, seen)};
  }
  return out;
}

inline double at(const Linear& form, std::span<const double> values) {
  double out = form.constant;
  for (std::size_t i = 0; i < form.of.size(); ++i)
    if (form.of[i] != 0) out += form.of[i] * values[i];
  return out;
}

inline double size_of(const Linear& form, const std::vector<Parameter>& parameters) {
  double out = 0;
  for (std::size_t i = 0; i < form.of.size(); ++i) {
    const Range range = range_of(parameters[i]);
    out += std::abs(form.of[i]) * std::max(range.width(), 1e-12 * std::max(std::abs(range.low), std::abs(range.high)));
  }
  return out;
}

inline Range range_of(const Linear& form, const std::vector<Parameter>& parameters) {
  Range out{form.constant, form.constant};
  for (std::size_t i = 0; i < form.of.size(); ++i) {
    if (form.of[i] == 0) continue;
    const Range range = range_of(parameters[i]);
    out.low += form.of[i] * (form.of[i] > 0 ? range.low : range.high);
    out.high += form.of[i] * (form.of[i] > 0 ? range.high : range.low);
  }
  return out;
}

inline double at_lows(const Linear& form, const std::vector<Parameter>& parameters) {
  double out = form.constant;
  for (std::size_t i = 0; i < form.of.size(); ++i)
    if (form.of[i] != 0) out += form.of[i] * range_of(parameters[i]).low;
  return out;
}

inline void add_times(Linear& form, double factor, const Linear& other) {
  form.constant += factor * other.constant;
  for (std::size_t i = 0; i < form.of.size(); ++i) form.of[i] += factor * other.of[i];
}

// The first number and the distance of the next ones, where a parameter's numbers lie at equal distances.
inline std::optional<std::pair<double, double>> lattice(const Domain& domain) {
  if (const auto* d = std::get_if<Int>(&domain)) return std::pair(static_cast<double>(d->low), static_cast<double>(d->step));
  const auto* d = std::get_if<Float>(&domain);
  if (!d || !d->on_grid() || (d->digits != 0 && d->scale == Scale::log)) return std::nullopt;
  return std::pair(Grid(*d).value(0), d->step != 0 ? d->step : std::pow(10.0, -d->digits));
}

inline bool is_whole(double x) { return std::abs(x - std::nearbyint(x)) <= 1e-6; }

// Whether the values of the others always give a number of the parameter's own.
inline bool falls_on_lattice(const Linear& from, int parameter, const std::vector<Parameter>& parameters) {
  const auto own = lattice(parameters[static_cast<std::size_t>(parameter)].domain);
  if (!own) return false;
  double first = from.constant;
  for (std::size_t i = 0; i < from.of.size(); ++i) {
    if (from.of[i] == 0) continue;
    const auto other = lattice(parameters[i].domain);
    if (!other || !is_whole(from.of[i] * other->second / own->second)) return false;
    first += from.of[i] * other->first;
  }
  return is_whole((first - own->first) / own->second);
}

inline bool is_any_number(const Domain& domain) {
  const auto* d = std::get_if<Float>(&domain);
  return d && !d->on_grid();
}

[[noreturn]] inline void refuse_huge(const std::string& text) {
  throw std::invalid_argument(fmt::format("\"{}\" speaks of numbers that are too large, or of none", text));
}

// value of `parameter` that makes the difference 0.
inline Linear solved(const Linear& difference, int parameter) {
  Linear out = difference;
  const double own = out.of[static_cast<std::size_t>(parameter)];
  out.constant /= -own;
  for (double& c : out.of) c = c == 0 ? 0 : c / -own;
  out.of[static_cast<std::size_t>(parameter)] = 0;
  return out;
}

}  // namespace salvo

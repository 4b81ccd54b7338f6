// What people may leave out of a point.
#include <fmt/format.h>
#include <salvo/space.h>

#include <cmath>
#include <stdexcept>

#include "space/domain.h"
#include "space/expression.h"
#include "space/value.h"
#include "space/where.h"

namespace salvo {
namespace {

// Before it is brought to the bounds and steps of its parameter.
double exactly(const Follower& follower, const std::vector<double>& values) {
  double out = follower.from.constant;
  for (std::size_t i = 0; i < values.size(); ++i) out += follower.from.of[i] * values[i];
  return out;
}

}  // namespace

bool Space::may_be_left_out(int parameter) const {
  return follows(parameter) || std::holds_alternative<Fixed>(parameters_.at(static_cast<std::size_t>(parameter)).domain);
}

Params Space::completed(const std::vector<std::optional<Value>>& given) const {
  if (given.size() != parameters_.size())
    throw std::invalid_argument(fmt::format("expected {} parameter values, got {}", parameters_.size(), given.size()));
  Params out(given.size());
  std::vector<double> seen(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Parameter& parameter = parameters_[i];
    const auto* fixed = std::get_if<Fixed>(&parameter.domain);
    const bool left_out = !given[i] && follows(static_cast<int>(i));
    if (!given[i] && !fixed && !left_out)
      throw std::invalid_argument(fmt::format("parameter \"{}\" has no value", parameter.name));
    if (given[i])
      out[i] = check(static_cast<int>(i), *given[i]);
    else if (fixed)
      out[i] = fixed->value;
    if (conditions_ && !left_out) seen[i] = seen_by_expressions(parameter, out[i]);
  }
  if (!conditions_) return out;
  const Follower* beyond = nullptr;  // one whose parameter cannot be what the others make it
  for (const Follower& follower : conditions_->followers()) {
    const auto i = static_cast<std::size_t>(follower.parameter);
    if (given[i]) continue;
    out[i] = conditions_->follower_value(follower, seen);
    const double exact = exactly(follower, seen);
    if (std::abs(exact - number(out[i]).value()) > 1e-9 * (1 + std::abs(exact))) beyond = &follower;
  }
  if (!beyond) return out;
  try {
    conditions_->check(out, false);  // a little beyond is what rounding of measured numbers explains
  } catch (const std::invalid_argument&) {
    const Parameter& parameter = parameters_[static_cast<std::size_t>(beyond->parameter)];
    throw std::invalid_argument(fmt::format("parameter \"{}\" follows from the others by \"{}\": expected {}, got {}",
                                            parameter.name, beyond->because, expectation(parameter.domain),
                                            to_string(Value(exactly(*beyond, seen)))));
  }
  return out;
}

}  // namespace salvo

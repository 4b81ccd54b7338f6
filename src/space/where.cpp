#include "space/where.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "space/domain.h"
#include "space/grid.h"
#include "space/room.h"
#include "space/value.h"

namespace salvo {
namespace {

using Op = Expression::Op;
using Linear = Expression::Linear;

constexpr double kRounded = 1e-9;        // of what the parts of a condition come to
constexpr double kOfDoubles = 1e-12;     // of doubles in a sum
constexpr double kMeasured = 1e-6;       // the same of what people tell …
constexpr double kMeasuredEqual = 1e-3;  // … where 33.3 + 33.3 + 33.3 is 100
constexpr double kThin = 1e-9;           // of the cube's side

struct Range {
  double low = 0, high = 0;
  [[nodiscard]] double width() const { return high - low; }
};

Range range_of(const Parameter& parameter) {
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

double at(const Linear& form, std::span<const double> values) {
  double out = form.constant;
  for (std::size_t i = 0; i < form.of.size(); ++i)
    if (form.of[i] != 0) out += form.of[i] * values[i];
  return out;
}

double size_of(const Linear& form, const std::vector<Parameter>& parameters) {
  double out = 0;
  for (std::size_t i = 0; i < form.of.size(); ++i) {
    const Range range = range_of(parameters[i]);
    out += std::abs(form.of[i]) * std::max(range.width(), 1e-12 * std::max(std::abs(range.low), std::abs(range.high)));
  }
  return out;
}

Range range_of(const Linear& form, const std::vector<Parameter>& parameters) {
  Range out{form.constant, form.constant};
  for (std::size_t i = 0; i < form.of.size(); ++i) {
    if (form.of[i] == 0) continue;
    const Range range = range_of(parameters[i]);
    out.low += form.of[i] * (form.of[i] > 0 ? range.low : range.high);
    out.high += form.of[i] * (form.of[i] > 0 ? range.high : range.low);
  }
  return out;
}

void add_times(Linear& form, double factor, const Linear& other) {
  form.constant += factor * other.constant;
  for (std::size_t i = 0; i < form.of.size(); ++i) form.of[i] += factor * other.of[i];
}

// The first number and the distance of the next ones, where a parameter's numbers lie at equal distances.
std::optional<std::pair<double, double>> lattice(const Domain& domain) {
  if (const auto* d = std::get_if<Int>(&domain)) return std::pair(static_cast<double>(d->low), static_cast<double>(d->step));
  const auto* d = std::get_if<Float>(&domain);
  if (!d || !d->on_grid() || (d->digits != 0 && d->scale == Scale::log)) return std::nullopt;
  return std::pair(Grid(*d).value(0), d->step != 0 ? d->step : std::pow(10.0, -d->digits));
}

bool is_whole(double x) { return std::abs(x - std::nearbyint(x)) <= 1e-6; }

// Whether the values of the others always give a number of the parameter's own.
bool falls_on_lattice(const Linear& from, int parameter, const std::vector<Parameter>& parameters) {
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

bool is_any_number(const Domain& domain) {
  const auto* d = std::get_if<Float>(&domain);
  return d && !d->on_grid();
}

[[noreturn]] void refuse_huge(const std::string& text) {
  throw std::invalid_argument(fmt::format("\"{}\" speaks of numbers that are too large, or of none", text));
}

// value of `parameter` that makes the difference 0.
Linear solved(const Linear& difference, int parameter) {
  Linear out = difference;
  const double own = out.of[static_cast<std::size_t>(parameter)];
  out.constant /= -own;
  for (double& c : out.of) c = c == 0 ? 0 : c / -own;
  out.of[static_cast<std::size_t>(parameter)] = 0;
  return out;
}

}  // namespace

bool Condition::holds(std::span<const double> values) const {
  return node >= 0 ? expression->holds(node, values) : gap_at(values) >= -slack;
}

double Condition::gap_at(std::span<const double> values) const {
  return gap ? at(*gap, values) : expression->value(high, values) - expression->value(low, values);
}

void Condition::slopes_at(std::span<const double> values, std::span<double> slopes) const {
  if (gap) {
    std::copy(gap->of.begin(), gap->of.end(), slopes.begin());
    return;
  }
  std::fill(slopes.begin(), slopes.end(), 0.0);
  expression->add_slopes(high, values, 1, slopes);
  expression->add_slopes(low, values, -1, slopes);
}

Where::Where(const std::vector<Parameter>& parameters, const std::vector<std::string>& expressions) : parameters_(parameters) {
  struct Part {
    std::shared_ptr<const Expression> expression;
    int node;
  };
  std::vector<Part> others;
  for (const std::string& text : expressions) {
    const auto expression = std::make_shared<const Expression>(text, parameters);
    for (const int node : expression->conditions()) {
      const auto numbers = [&](int i) { return expression->linear(i); };
      const Expression::Node& what = expression->node(node);
      const auto left = what.op == Op::equal ? numbers(what.of[0]) : std::nullopt;
      const auto right = what.op == Op::equal ? numbers(what.of[1]) : std::nullopt;
      const std::vector<int> of = expression->parameters(node);
      const bool any_number =
          std::any_of(of.begin(), of.end(), [&](int i) { return is_any_number(parameters[static_cast<std::size_t>(i)].domain); });
      if (of.empty()) throw std::invalid_argument(fmt::format("\"{}\" speaks of no parameter", expression->text(node)));
      const auto is_logic = [&](int i) { return expression->node(i).op >= Op::below; };
      const bool of_numbers = what.op == Op::equal && !is_logic(what.of[0]) && !is_logic(what.of[1]);
      if (of_numbers && any_number && !(left && right))
        throw std::invalid_argument(
            fmt::format("\"{}\": an equality of numbers must be linear in them, such as a + 2 * b == 1. Leave out one of its "
                        "parameters and compute it in your program",
                        expression->text(node)));
      if (left && right) {
        Linear difference = *left;
        add_times(difference, -1, *right);
        add_equality(expression, node, std::move(difference));
      } else {
        others.push_back({expression, node});
      }
    }
  }
  for (const Follower& follower : followers_) add_bounds(follower);
  for (const Part& part : others) add(part.expression, part.node);
  check_room();
}

bool Where::follows(int parameter) const {
  return std::any_of(followers_.begin(), followers_.end(), [&](const Follower& each) { return each.parameter == parameter; });
}

Linear Where::without_followers(Linear form) const {
  for (const Follower& follower : followers_) {
    const double factor = std::exchange(form.of[static_cast<std::size_t>(follower.parameter)], 0.0);
    if (factor != 0) add_times(form, factor, follower.from);
  }
  return form;
}

// The last float that may take any number; or the last number that always falls on its own steps.
std::optional<int> Where::follower_of(const Linear& difference) const {
  const auto last = static_cast<int>(parameters_.size()) - 1;
  for (int i = last; i >= 0; --i)
    if (difference.of[static_cast<std::size_t>(i)] != 0 && is_any_number(parameters_[static_cast<std::size_t>(i)].domain))
      return i;
  for (int i = last; i >= 0; --i)
    if (difference.of[static_cast<std::size_t>(i)] != 0 && falls_on_lattice(solved(difference, i), i, parameters_)) return i;
  return std::nullopt;
}

void Where::add_equality(const std::shared_ptr<const Expression>& expression, int node, Linear difference) {
  const std::string text = expression->text(node);
  const double size = size_of(difference, parameters_);
  if (!std::isfinite(size + difference.constant)) refuse_huge(text);
  Equality written{text, difference, expression->parameters(node)};
  std::vector<double> parts(difference.of.size());  // of each factor, which may cancel
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i] = std::abs(difference.of[i]);
    for (const Follower& follower : followers_)
      parts[i] += std::abs(difference.of[static_cast<std::size_t>(follower.parameter)] * follower.from.of[i]);
  }
  difference = without_followers(std::move(difference));
  for (std::size_t i = 0; i < difference.of.size(); ++i) {
    if (range_of(parameters_[i]).width() == 0 || std::abs(difference.of[i]) <= kOfDoubles * parts[i]) {
      difference.constant += difference.of[i] * range_of(parameters_[i]).low;
      difference.of[i] = 0;
    }
  }
  if (std::all_of(difference.of.begin(), difference.of.end(), [](double c) { return c == 0; })) {
    if (std::abs(difference.constant) > kRounded * size)
      throw std::invalid_argument(fmt::format("\"{}\" never holds beside the equalities before it", text));
    return;
  }
  const auto parameter = follower_of(difference);
  if (!parameter) {  // of choices and steps that may miss each other: some points keep it
    given_.push_back({.text = text, .expression = expression, .node = node, .parameters = expression->parameters(node)});
    conditions_.push_back(given_.back());
    return;
  }
  Follower follower{*parameter, solved(difference, *parameter), text};
  for (Follower& earlier : followers_) {
    const double factor = std::exchange(earlier.from.of[static_cast<std::size_t>(*parameter)], 0.0);
    if (factor != 0) add_times(earlier.from, factor, follower.from);
  }
  followers_.push_back(std::move(follower));
  equalities_.push_back(std::move(written));
}

void Where::add_bounds(const Follower& follower) {
  const Parameter& parameter = parameters_[static_cast<std::size_t>(follower.parameter)];
  const Range range = range_of(parameter);
  const auto bound = [&](double sign, double constant, const std::string& words) {
    Linear gap{.constant = constant, .of = std::vector<double>(parameters_.size())};
    add_times(gap, sign, follower.from);
    const double size = size_of(gap, parameters_);
    add_gap({.text = fmt::format("{} {}, as {}", parameter.name, words, follower.because),
             .gap = std::move(gap),
             .slack = kOfDoubles * size},
            size);
  };
  bound(1, -range.low, ">= " + to_string(Value(range.low)));
  bound(-1, range.high, "<= " + to_string(Value(range.high)));
}

void Where::add(const std::shared_ptr<const Expression>& expression, int node) {
  const Expression::Node& what = expression->node(node);
  Condition condition{
      .text = expression->text(node), .expression = expression, .node = node, .parameters = expression->parameters(node)};
  double size = 0;
  if (what.op == Op::below || what.op == Op::at_most) {
    condition.low = what.of[0];
    condition.high = what.of[1];
    auto gap = expression->linear(condition.high);
    const auto other = expression->linear(condition.low);
    if (gap && other) {
      add_times(*gap, -1, *other);
      size = size_of(*gap, parameters_);
      condition.gap = without_followers(std::move(*gap));
    } else {
      gap.reset();
    }
  }
  given_.push_back(condition);
  if (condition.gap)
    add_gap(std::move(condition), size);
  else
    conditions_.push_back(std::move(condition));
}

// Whether it holds, as it is written, where the bounds leave the least of its gap: elsewhere rounding cannot take it.
bool Where::holds_at_worst(const Condition& condition) const {
  std::vector<double> values(parameters_.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Range range = range_of(parameters_[i]);
    values[i] = condition.gap->of[i] < 0 ? range.high : range.low;
  }
  follow(values);
  return condition.holds(values);
}

// What the bounds keep by themselves is no condition.
void Where::add_gap(Condition condition, double size) {
  const Range range = range_of(*condition.gap, parameters_);
  const double slack = kRounded * size;
  const bool strict = condition.node >= 0 && condition.expression->node(condition.node).op == Op::below;
  if (!std::isfinite(size + range.low + range.high)) refuse_huge(condition.text);
  if (range.high < -slack || (strict && range.high <= 0))
    throw std::invalid_argument(fmt::format("\"{}\" holds nowhere between the bounds of the parameters", condition.text));
  if (condition.node < 0 ? range.low >= -condition.slack : range.low >= slack && range.low > 0) return;
  if (condition.node >= 0 && range.low >= -slack && (range.width() <= slack ? !strict : holds_at_worst(condition))) return;
  if (condition.parameters.empty())
    for (std::size_t i = 0; i < condition.gap->of.size(); ++i)
      if (condition.gap->of[i] != 0) condition.parameters.push_back(static_cast<int>(i));
  conditions_.push_back(std::move(condition));
}

// A linear program says whether those that are linear leave room, one after the other, so that the one that takes it is named.
void Where::check_room() const {
  std::vector<int> numbers;
  bool floats = true;  // a thin region has no inside; whole numbers may be alone on it
  for (int i = 0; i < static_cast<int>(parameters_.size()); ++i) {
    const Range range = range_of(parameters_[static_cast<std::size_t>(i)]);
    if (range.width() > 0) numbers.push_back(i);
  }
  std::vector<HalfSpace> half_spaces;
  for (const Condition& condition : conditions_) {
    if (!condition.gap) continue;
    HalfSpace next{.of = {}, .most = condition.gap->constant};
    double length = 0;
    for (const int i : numbers) {
      const Range range = range_of(parameters_[static_cast<std::size_t>(i)]);
      const double c = condition.gap->of[static_cast<std::size_t>(i)];
      next.most += c * range.low;
      next.of.push_back(-c * range.width());
      length += std::abs(next.of.back());
      if (c != 0 && !is_any_number(parameters_[static_cast<std::size_t>(i)].domain)) floats = false;
    }
    if (length == 0) continue;
    next.most /= length;
    for (double& c : next.of) c /= length;
    half_spaces.push_back(std::move(next));
    const double radius = room_for_a_ball(half_spaces, static_cast<int>(numbers.size()));
    if (radius < -kThin)
      throw std::invalid_argument(
          fmt::format("\"{}\" leaves no point that the conditions before it and the bounds allow", condition.text));
    if (radius <= kThin && floats)
      throw std::invalid_argument(fmt::format(
          "\"{}\" leaves points without room around them; where two sides are to be equal, write ==", condition.text));
  }
}

void Where::follow(std::span<double> values) const {
  for (const Follower& follower : followers_)
    values[static_cast<std::size_t>(follower.parameter)] =
        seen_by_expressions(parameters_[static_cast<std::size_t>(follower.parameter)], follower_value(follower, values));
}

void Where::fill_in(Params& params) const {
  if (followers_.empty()) return;
  std::vector<double> values;
  for (std::size_t i = 0; i < params.size(); ++i)
    values.push_back(follows(static_cast<int>(i)) ? 0.0 : seen_by_expressions(parameters_[i], params[i]));
  for (const Follower& follower : followers_)
    params[static_cast<std::size_t>(follower.parameter)] = follower_value(follower, values);
}

Value Where::follower_value(const Follower& follower, std::span<const double> values) const {
  const Domain& domain = parameters_[static_cast<std::size_t>(follower.parameter)].domain;
  const double value = at(follower.from, values);
  if (const auto* d = std::get_if<Int>(&domain))
    return nearest_offered(domain, std::clamp(static_cast<std::int64_t>(std::nearbyint(value)), d->low, d->high));
  const auto& d = std::get<Float>(domain);
  return nearest_offered(domain, std::clamp(value, d.low, d.high));
}

bool Where::holds(std::span<double> values) const {
  // A follower beyond its bounds would be brought back to them: those conditions come first.
  const auto kept = [&](const Condition& condition) { return condition.holds(values); };
  const auto is_bound = [](const Condition& condition) { return condition.node < 0; };
  for (const Condition& condition : conditions_)
    if (is_bound(condition) && !kept(condition)) return false;
  follow(values);
  for (const Condition& condition : conditions_)
    if (!is_bound(condition) && !kept(condition)) return false;
  return true;
}

void Where::check(const Params& params, bool offered) const {
  std::vector<double> values;
  for (std::size_t i = 0; i < params.size(); ++i) values.push_back(seen_by_expressions(parameters_[i], params[i]));
  const auto refuse = [&](const Condition& condition) {
    std::string words = fmt::format("\"{}\" does not hold with ", condition.text);
    for (std::size_t k = 0; k < condition.parameters.size(); ++k) {
      const auto i = static_cast<std::size_t>(condition.parameters[k]);
      words += fmt::format("{}{} = {}", k == 0 ? "" : ", ", parameters_[i].name, quoted(params[i]));
    }
    throw std::invalid_argument(words);
  };
  for (const Equality& equality : equalities_)
    if (std::abs(at(equality.difference, values)) >
        (offered ? kRounded : kMeasuredEqual) * size_of(equality.difference, parameters_))
      refuse({.text = equality.text, .parameters = equality.parameters});
  for (const Condition& condition : given_) {
    if (condition.holds(values)) continue;
    if (!condition.has_gap()) refuse(condition);
    const double size = condition.gap ? size_of(*condition.gap, parameters_)
                                      : std::abs(condition.expression->value(condition.low, values)) +
                                            std::abs(condition.expression->value(condition.high, values));
    const double gap = condition.expression->value(condition.high, values) - condition.expression->value(condition.low, values);
    if (!(gap >= -(offered ? kRounded : kMeasured) * size)) refuse(condition);
  }
}

}  // namespace salvo

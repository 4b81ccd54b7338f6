#include "space/where.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "space/linear_form.h"
#include "space/room.h"
#include "space/value.h"

namespace salvo {
namespace {

using Op = Expression::Op;

constexpr double kRounded = 1e-9;        // of what the parts of a condition come to
constexpr double kOfDoubles = 1e-12;     // of doubles in a sum
constexpr double kMeasured = 1e-6;       // the same of what people tell …
constexpr double kMeasuredEqual = 1e-3;  // … where 33.3 + 33.3 + 33.3 is 100
constexpr std::size_t kMostConditions = 1000;
constexpr double kThin = 1e-9;  // of the cube's side

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
  if (expressions.size() > kMostConditions)
    throw std::invalid_argument(fmt::format("expected {} conditions at most, got {}", kMostConditions, expressions.size()));
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

// A linear program says whether those that are linear leave room; if not, one after the other, so that the one that takes it is
// named. A thin region has no inside, but whole numbers may be alone on it.
void Where::check_room() const {
  std::vector<const Condition*> linear;
  std::set<int> numbers;
  for (const Condition& condition : conditions_) {
    if (!condition.gap) continue;
    linear.push_back(&condition);
    for (std::size_t i = 0; i < condition.gap->of.size(); ++i)
      if (condition.gap->of[i] != 0 && range_of(parameters_[i]).width() > 0) numbers.insert(static_cast<int>(i));
  }
  std::vector<HalfSpace> half_spaces;
  for (const Condition* condition : linear) {
    HalfSpace& next = half_spaces.emplace_back(HalfSpace{.of = {}, .most = at_lows(*condition->gap, parameters_)});
    double length = 0;
    for (const int i : numbers) {
      next.of.push_back(-condition->gap->of[static_cast<std::size_t>(i)] *
                        range_of(parameters_[static_cast<std::size_t>(i)]).width());
      length += std::abs(next.of.back());
    }
    next.most /= length;  // not 0: what no number can change is no condition
    for (double& c : next.of) c /= length;
  }
  const int dims = static_cast<int>(numbers.size());
  if (linear.empty() || room_for_a_ball(half_spaces, dims) > kThin) return;
  bool floats = true;
  for (std::size_t k = 0; k < linear.size(); ++k) {
    for (const int i : numbers)
      if (linear[k]->gap->of[static_cast<std::size_t>(i)] != 0 && !is_any_number(parameters_[static_cast<std::size_t>(i)].domain))
        floats = false;
    const double radius = room_for_a_ball({half_spaces.begin(), half_spaces.begin() + static_cast<std::ptrdiff_t>(k) + 1}, dims);
    if (radius < -kThin)
      throw std::invalid_argument(
          fmt::format("\"{}\" leaves no point that the conditions before it and the bounds allow", linear[k]->text));
    if (radius <= kThin && floats)
      throw std::invalid_argument(fmt::format(
          "\"{}\" leaves points without room around them; where two sides are to be equal, write ==", linear[k]->text));
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

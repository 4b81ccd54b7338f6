#include "space/expression.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "space/domain.h"
#include "space/value.h"

namespace salvo {
namespace {

using Op = Expression::Op;

void collect_conditions(const Expression& expression, int i, std::vector<int>& out) {
  const Expression::Node& node = expression.node(i);
  if (node.op != Op::all) {
    out.push_back(i);
    return;
  }
  for (const int each : node.of) collect_conditions(expression, each, out);
}

void collect_parameters(const Expression& expression, int i, std::set<int>& out) {
  const Expression::Node& node = expression.node(i);
  if (node.op == Op::parameter) out.insert(node.parameter);
  for (const int each : node.of) collect_parameters(expression, each, out);
}

// Which part min() or max() takes.
std::size_t extreme(const Expression::Node& node, std::span<const double> at) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < node.of.size(); ++k) {
    const double next = at[static_cast<std::size_t>(node.of[k])], now = at[static_cast<std::size_t>(node.of[best])];
    if (node.op == Op::least ? next < now : next > now) best = k;
  }
  return best;
}

}  // namespace

double seen_by_expressions(const Parameter& parameter, const Value& value) {
  const auto* choices = choices_of(parameter.domain);
  const auto* fixed = std::get_if<Fixed>(&parameter.domain);
  const std::vector<Value> all = choices ? *choices : fixed ? std::vector{fixed->value} : std::vector{value};
  const auto is_text = [](const Value& each) { return std::holds_alternative<std::string>(each); };
  const auto is_truth = [](const Value& each) { return std::holds_alternative<bool>(each); };
  const bool truths = std::all_of(all.begin(), all.end(), is_truth);
  if (std::none_of(all.begin(), all.end(), is_text) && (truths || std::none_of(all.begin(), all.end(), is_truth)))
    return truths ? (std::get<bool>(value) ? 1.0 : 0.0) : number(value).value();
  return choices ? static_cast<double>(choice_index(parameter, value)) : 0.0;
}

Expression::Expression(std::string text, const std::vector<Parameter>& parameters)
    : text_(std::move(text)), num_parameters_(parameters.size()), nodes_(parse_expression(text_, parameters)) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].first = static_cast<int>(i);
    for (const int part : nodes_[i].of) nodes_[i].first = std::min(nodes_[i].first, node(part).first);
  }
}

std::vector<int> Expression::conditions() const {
  std::vector<int> out;
  collect_conditions(*this, root(), out);
  return out;
}

std::vector<int> Expression::parameters(int i) const {
  std::set<int> out;
  collect_parameters(*this, i, out);
  return {out.begin(), out.end()};
}

// What is not defined, where a program would stop with an error, is NaN, and so is all that is made of it; but "and" and "or"
// look no further than they must.
double Expression::compute(const Node& node, std::span<const double> at, std::span<const double> values) const {
  constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  const auto part = [&](std::size_t k) { return at[static_cast<std::size_t>(node.of[k])]; };
  const auto first_that_is_not = [&](double truth) {
    for (std::size_t k = 0; k < node.of.size(); ++k)
      if (part(k) != truth) return part(k);
    return truth;
  };
  const auto finite = [](double x) { return std::isfinite(x) ? x : kUndefined; };
  if (node.op != Op::all && node.op != Op::any)
    for (std::size_t k = 0; k < node.of.size(); ++k)
      if (std::isnan(part(k))) return kUndefined;
  switch (node.op) {
    case Op::number:
      return node.number;
    case Op::parameter:
      return values[static_cast<std::size_t>(node.parameter)];
    case Op::negate:
      return -part(0);
    case Op::add:
      return part(0) + part(1);
    case Op::subtract:
      return part(0) - part(1);
    case Op::multiply:
      return part(0) * part(1);
    case Op::divide:
      return part(1) == 0 ? kUndefined : part(0) / part(1);
    case Op::power:
      return finite(part(1) == 2 ? part(0) * part(0) : std::pow(part(0), part(1)));
    case Op::absolute:
      return std::abs(part(0));
    case Op::square_root:
      return std::sqrt(part(0));
    case Op::exponential:
      return finite(std::exp(part(0)));
    case Op::natural_log:
      return finite(std::log(part(0)));
    case Op::decimal_log:
      return finite(std::log10(part(0)));
    case Op::least:
    case Op::greatest:
      return part(extreme(node, at));
    case Op::below:
      return part(0) < part(1) ? 1 : 0;
    case Op::at_most:
      return part(0) <= part(1) ? 1 : 0;
    case Op::equal:
      return part(0) == part(1) ? 1 : 0;
    case Op::unequal:
      return part(0) != part(1) ? 1 : 0;
    case Op::all:
      return first_that_is_not(1);
    case Op::any:
      return first_that_is_not(0);
    case Op::none:
      return 1 - part(0);
  }
  return 0;
}

std::vector<double> Expression::all_values(int i, std::span<const double> values) const {
  std::vector<double> at(static_cast<std::size_t>(i) + 1);
  for (std::size_t k = static_cast<std::size_t>(node(i).first); k < at.size(); ++k) at[k] = compute(nodes_[k], at, values);
  return at;
}

double Expression::value(int i, std::span<const double> values) const { return all_values(i, values).back(); }

// From the whole to its parts.
void Expression::add_slopes(int i, std::span<const double> values, double factor, std::span<double> slopes) const {
  const std::vector<double> at = all_values(i, values);
  std::vector<double> by(at.size());
  by.back() = factor;
  for (std::size_t k = at.size(); k-- > 0;) {
    if (by[k] == 0) continue;
    const Node& node = nodes_[k];
    const auto part = [&](std::size_t which) { return at[static_cast<std::size_t>(node.of[which])]; };
    const auto give = [&](std::size_t which, double slope) { by[static_cast<std::size_t>(node.of[which])] += by[k] * slope; };
    switch (node.op) {
      case Op::parameter:
        slopes[static_cast<std::size_t>(node.parameter)] += by[k];
        break;
      case Op::negate:
        give(0, -1);
        break;
      case Op::add:
        give(0, 1);
        give(1, 1);
        break;
      case Op::subtract:
        give(0, 1);
        give(1, -1);
        break;
      case Op::multiply:
        give(0, part(1));
        give(1, part(0));
        break;
      case Op::divide:
        give(0, 1 / part(1));
        give(1, -at[k] / part(1));
        break;
      case Op::power:
        give(0, part(1) == 2 ? 2 * part(0) : part(1) * std::pow(part(0), part(1) - 1));
        if (nodes_[static_cast<std::size_t>(node.of[1])].op != Op::number) give(1, at[k] * std::log(part(0)));
        break;
      case Op::absolute:
        give(0, part(0) < 0 ? -1 : 1);
        break;
      case Op::square_root:
        give(0, 0.5 / at[k]);
        break;
      case Op::exponential:
        give(0, at[k]);
        break;
      case Op::natural_log:
        give(0, 1 / part(0));
        break;
      case Op::decimal_log:
        give(0, 1 / (part(0) * std::log(10.0)));
        break;
      case Op::least:
      case Op::greatest:
        give(extreme(node, at), 1);
        break;
      default:  // numbers, and conditions, which have no slope
        break;
    }
  }
}

std::optional<Expression::Linear> Expression::linear(int i) const {
  const Node& node = this->node(i);
  Linear out{.constant = 0, .of = std::vector<double>(num_parameters_)};
  const auto is_constant = [](const Linear& a) { return std::all_of(a.of.begin(), a.of.end(), [](double c) { return c == 0; }); };
  const auto scaled = [](Linear a, double factor) {
    a.constant *= factor;
    for (double& c : a.of) c *= factor;
    return a;
  };
  switch (node.op) {
    case Op::number:
      out.constant = node.number;
      return out;
    case Op::parameter:
      out.of[static_cast<std::size_t>(node.parameter)] = 1;
      return out;
    case Op::negate: {
      const auto a = linear(node.of[0]);
      return a ? std::optional(scaled(*a, -1)) : a;
    }
    case Op::add:
    case Op::subtract: {
      auto a = linear(node.of[0]);
      const auto b = linear(node.of[1]);
      if (!a || !b) return std::nullopt;
      const double sign = node.op == Op::add ? 1 : -1;
      a->constant += sign * b->constant;
      for (std::size_t k = 0; k < a->of.size(); ++k) a->of[k] += sign * b->of[k];
      return a;
    }
    case Op::multiply: {
      const auto a = linear(node.of[0]), b = linear(node.of[1]);
      if (!a || !b || (!is_constant(*a) && !is_constant(*b))) return std::nullopt;
      return is_constant(*a) ? scaled(*b, a->constant) : scaled(*a, b->constant);
    }
    case Op::divide: {
      auto a = linear(node.of[0]);
      const auto b = linear(node.of[1]);
      if (!a || !b || !is_constant(*b)) return std::nullopt;
      a->constant /= b->constant;
      for (double& c : a->of) c /= b->constant;
      return a;
    }
    default: {  // of numbers alone it is a number
      if (!parameters(i).empty()) return std::nullopt;
      out.constant = value(i, {});
      return out;
    }
  }
}

}  // namespace salvo

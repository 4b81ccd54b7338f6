#include "space/expression.h"

#include <algorithm>
#include <cmath>
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
    : text_(std::move(text)), num_parameters_(parameters.size()), nodes_(parse_expression(text_, parameters)) {}

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

Expression::Dual Expression::function(const Node& node, Dual a) const {
  switch (node.op) {
    case Op::absolute:
      return {std::abs(a.value), a.value < 0 ? -a.slope : a.slope};
    case Op::square_root: {
      const double root = std::sqrt(a.value);
      return {root, a.slope == 0 ? 0 : a.slope / (2 * root)};
    }
    case Op::exponential: {
      const double e = std::exp(a.value);
      return {e, a.slope * e};
    }
    case Op::natural_log:
      return {std::log(a.value), a.slope / a.value};
    default:
      return {std::log10(a.value), a.slope / (a.value * std::log(10.0))};
  }
}

Expression::Dual Expression::dual(int i, std::span<const double> values, int parameter) const {
  const Node& node = this->node(i);
  const auto part = [&](std::size_t k) { return dual(node.of[k], values, parameter); };
  switch (node.op) {
    case Op::number:
      return {node.number, 0};
    case Op::parameter:
      return {values[static_cast<std::size_t>(node.parameter)], node.parameter == parameter ? 1.0 : 0.0};
    case Op::negate: {
      const Dual a = part(0);
      return {-a.value, -a.slope};
    }
    case Op::add: {
      const Dual a = part(0), b = part(1);
      return {a.value + b.value, a.slope + b.slope};
    }
    case Op::subtract: {
      const Dual a = part(0), b = part(1);
      return {a.value - b.value, a.slope - b.slope};
    }
    case Op::multiply: {
      const Dual a = part(0), b = part(1);
      return {a.value * b.value, a.slope * b.value + a.value * b.slope};
    }
    case Op::divide: {
      const Dual a = part(0), b = part(1);
      return {a.value / b.value, (a.slope - a.value / b.value * b.slope) / b.value};
    }
    case Op::power: {
      const Dual a = part(0), b = part(1);
      const double power = std::pow(a.value, b.value);
      double slope = a.slope == 0 ? 0 : a.slope * b.value * std::pow(a.value, b.value - 1);
      if (b.slope != 0) slope += b.slope * power * std::log(a.value);
      return {power, slope};
    }
    case Op::least:
    case Op::greatest: {
      Dual best = part(0);
      for (std::size_t k = 1; k < node.of.size(); ++k) {
        const Dual next = part(k);
        if (node.op == Op::least ? next.value < best.value : next.value > best.value) best = next;
      }
      return best;
    }
    case Op::below:
      return {part(0).value < part(1).value ? 1.0 : 0.0, 0};
    case Op::at_most:
      return {part(0).value <= part(1).value ? 1.0 : 0.0, 0};
    case Op::equal:
      return {part(0).value == part(1).value ? 1.0 : 0.0, 0};
    case Op::unequal:
      return {part(0).value != part(1).value ? 1.0 : 0.0, 0};
    case Op::all:
    case Op::any:
      for (std::size_t k = 0; k < node.of.size(); ++k)
        if ((part(k).value == 1) == (node.op == Op::any)) return {node.op == Op::any ? 1.0 : 0.0, 0};
      return {node.op == Op::any ? 0.0 : 1.0, 0};
    case Op::none:
      return {part(0).value == 1 ? 0.0 : 1.0, 0};
    default:
      return function(node, part(0));
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

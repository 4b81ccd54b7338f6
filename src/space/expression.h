#pragma once
#include <salvo/space.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

// What an expression sees of a value: the number; 1 for true and 0 for false; of texts which choice it is.
[[nodiscard]] double seen_by_expressions(const Parameter& parameter, const Value& value);

// A condition on the parameters of a space as people write it: "a + b <= 1", "low < high and kind != 'slow'".
class Expression {
 public:
  // Throws std::invalid_argument that quotes the text and says at which character what was expected.
  Expression(std::string text, const std::vector<Parameter>& parameters);

  enum class Op {
    number,
    parameter,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,  // NOLINT: by kind
    absolute,
    square_root,
    exponential,
    natural_log,
    decimal_log,
    least,
    greatest,
    below,
    at_most,
    equal,
    unequal,
    all,
    any,
    none
  };
  struct Node {
    Op op = Op::number;
    double number = 0;
    int parameter = -1;
    std::vector<int> of;             // nodes
    int first = 0;                   // of those that it is made of, all of which lie between
    std::size_t begin = 0, end = 0;  // in the text
  };
  struct Linear {  // constant + of·values
    double constant = 0;
    std::vector<double> of;
  };

  [[nodiscard]] const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int root() const { return static_cast<int>(nodes_.size()) - 1; }
  // The conditions that must all hold, from left to right: those that "and" joins, and the links of a < b < c.
  [[nodiscard]] std::vector<int> conditions() const;
  [[nodiscard]] std::string text(int i) const { return text_.substr(node(i).begin, node(i).end - node(i).begin); }
  [[nodiscard]] std::vector<int> parameters(int i) const;  // that a node speaks of, each once

  // values: what expressions see of each parameter. A condition is 1 or 0, or NaN where it is not defined: 1 / x at 0.
  [[nodiscard]] double value(int i, std::span<const double> values) const;
  [[nodiscard]] bool holds(int i, std::span<const double> values) const { return value(i, values) == 1; }
  // Adds `factor` times the slope with respect to each parameter.
  void add_slopes(int i, std::span<const double> values, double factor, std::span<double> slopes) const;
  [[nodiscard]] std::optional<Linear> linear(int i) const;  // none where it is no linear function

 private:
  [[nodiscard]] std::vector<double> all_values(int i, std::span<const double> values) const;  // of the nodes up to i
  [[nodiscard]] double compute(const Node& node, std::span<const double> at, std::span<const double> values) const;

  std::string text_;
  std::size_t num_parameters_ = 0;
  std::vector<Node> nodes_;  // each behind those that it is made of; the root is the last
};

// What the parser gives.
[[nodiscard]] std::vector<Expression::Node> parse_expression(std::string_view text, const std::vector<Parameter>& parameters);

}  // namespace salvo

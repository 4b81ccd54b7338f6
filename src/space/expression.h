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
    number, parameter, negate, add, subtract, multiply, divide, power,    // NOLINT: by kind
    absolute, square_root, exponential, natural_log, decimal_log, least, greatest,
    below, at_most, equal, unequal, all, any, none
  };
  struct Node {
    Op op = Op::number;
    double number = 0;
    int parameter = -1;
    std::vector<int> of;             // nodes
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

  // values: what expressions see of each parameter. A condition is 1 or 0.
  [[nodiscard]] double value(int i, std::span<const double> values) const { return dual(i, values, -1).value; }
  [[nodiscard]] bool holds(int i, std::span<const double> values) const { return value(i, values) == 1; }
  [[nodiscard]] double slope(int i, std::span<const double> values, int parameter) const {
    return dual(i, values, parameter).slope;
  }
  [[nodiscard]] std::optional<Linear> linear(int i) const;  // none where it is no linear function

 private:
  struct Dual {
    double value = 0, slope = 0;
  };
  [[nodiscard]] Dual dual(int i, std::span<const double> values, int parameter) const;
  [[nodiscard]] Dual function(const Node& node, Dual a) const;

  std::string text_;
  std::size_t num_parameters_ = 0;
  std::vector<Node> nodes_;  // the root is the last
};

// What the parser gives.
[[nodiscard]] std::vector<Expression::Node> parse_expression(std::string_view text, const std::vector<Parameter>& parameters);

}  // namespace salvo

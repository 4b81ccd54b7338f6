#pragma once
#include <salvo/space.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "space/expression.h"

namespace salvo {

// One condition on the values of a point, which are those that expressions see (seen_by_expressions).
struct Condition {
  std::string text;
  std::shared_ptr<const Expression> expression = {};
  int node = -1;                               // −1: a follower's bound, which is its gap alone
  int low = -1, high = -1;                     // of low <= high or low < high: nodes; −1 where there is no such form
  std::optional<Expression::Linear> gap = {};  // high − low where that is linear: at least 0
  std::vector<int> parameters = {};            // that it speaks of
  double slack = 0;                            // of a follower's bound: what rounding may take from its gap

  [[nodiscard]] bool holds(std::span<const double> values) const;
  [[nodiscard]] bool has_gap() const { return gap || low >= 0; }
  [[nodiscard]] double gap_at(std::span<const double> values) const;
  void slopes_at(std::span<const double> values, std::span<double> slopes) const;  // of the gap, by each parameter
};

// A number that others say: the last of a + b + c == 1 is no parameter that varies. `from` speaks of no other follower.
struct Follower {
  int parameter = 0;
  Expression::Linear from;
  std::string because;  // the equality
};

// What a space's conditions come to.
class Where {
 public:
  // Throws std::invalid_argument where an expression is none, or where some of them leave nothing.
  Where(const std::vector<Parameter>& parameters, const std::vector<std::string>& expressions);

  [[nodiscard]] const std::vector<Condition>& conditions() const { return conditions_; }  // those that can fail
  [[nodiscard]] const std::vector<Follower>& followers() const { return followers_; }
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] bool follows(int parameter) const;
  void fill_in(Params& params) const;  // the followers

  // Whether all hold for the values that vary; followers are computed into `values`.
  [[nodiscard]] bool holds(std::span<double> values) const;
  void follow(std::span<double> values) const;
  [[nodiscard]] Value follower_value(const Follower& follower, std::span<const double> values) const;  // as it is handed out

  // Throws std::invalid_argument with the values in it when one does not hold. What people measured is right to within rounding.
  void check(const Params& params, bool offered) const;

 private:
  void add(const std::shared_ptr<const Expression>& expression, int node);
  void add_equality(const std::shared_ptr<const Expression>& expression, int node, Expression::Linear difference);
  void add_bounds(const Follower& follower);
  void add_gap(Condition condition, double size);  // of its parts
  [[nodiscard]] bool holds_at_worst(const Condition& condition) const;
  [[nodiscard]] Expression::Linear without_followers(Expression::Linear form) const;
  [[nodiscard]] std::optional<int> follower_of(const Expression::Linear& difference) const;
  void check_room() const;

  std::vector<Parameter> parameters_;
  struct Equality {
    std::string text;
    Expression::Linear difference;  // 0
    std::vector<int> parameters;
  };
  std::vector<Equality> equalities_;
  std::vector<Condition> given_;  // as they were written, those that no follower keeps
  std::vector<Condition> conditions_;
  std::vector<Follower> followers_;
};

}  // namespace salvo

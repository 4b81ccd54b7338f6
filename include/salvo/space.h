#pragma once
#include <salvo/names.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace salvo {

using Value = std::variant<bool, std::int64_t, double, std::string>;
using Params = std::vector<Value>;  // one value per parameter, in the order of the space

[[nodiscard]] std::string to_string(const Value& value);  // shortest text that reads back as the same value

enum class Scale { linear, log };
template <>
struct Names<Scale> {
  static constexpr std::string_view what = "scale";
  static constexpr NameList<Scale, 2> list{{{Scale::linear, "linear"}, {Scale::log, "log"}}};
};

// With a step or digits only numbers of a grid are handed out: low, low + step, …, or those with so many digits, behind the point
// on a linear scale and significant ones on a log scale. What was measured elsewhere between the bounds may still be told.
struct Float {
  double low = 0, high = 1;
  Scale scale = Scale::linear;
  double step = 0;  // 0: any number
  int digits = 0;   // 0: any number

  [[nodiscard]] bool on_grid() const { return step != 0 || digits != 0; }
};
struct Int {
  std::int64_t low = 0, high = 1;  // both included
  Scale scale = Scale::linear;
  std::int64_t step = 1;  // low, low + step, …
};
struct Categorical {  // no order
  std::vector<Value> choices;
  // What is known of each choice, as many numbers of every one: a solvent's polarity and boiling point, a material's stiffness.
  // Choices with like numbers are expected to do alike. Empty: nothing is known, and every choice is as unlike as every other.
  std::vector<std::vector<double>> numbers = {};

  [[nodiscard]] bool described() const { return !numbers.empty(); }
};
struct Ordinal {  // in the order given
  std::vector<Value> choices;
};
struct Fixed {
  Value value;
};
struct Candidate {  // one of a pool, by its id; the pool itself is the study's
  std::int64_t count = 1;
};
using Domain = std::variant<Float, Int, Categorical, Ordinal, Fixed, Candidate>;

// A name is a placeholder, an environment variable and a column: letters, digits, '_', '.' and '-', not beginning with
// a digit, '.' or '-', and none of the words that are columns of their own (reserved_names()).
struct Parameter {
  std::string name;
  Domain domain;
  void validate() const;  // throws std::invalid_argument that names the parameter
};

[[nodiscard]] std::span<const std::string_view> reserved_names();  // trial, id, value, state, …

class Where;

// What may vary: parameters with their names, types and bounds. How points become coordinates is Encoding's (encoding.h); the
// candidates of a pool are a space, too, of one parameter and without coordinates.
class Space {
 public:
  Space() = default;
  // Points are handed out where all conditions hold: "a + b <= 1", "low < high", "kind != 'slow' or rate <= 3". A number that an
  // equality leaves no choice, the last of "a + b + c == 1", follows from the others and is no parameter that varies.
  // Throws std::invalid_argument that names the parameter or the condition.
  explicit Space(std::vector<Parameter> parameters, std::vector<std::string> where = {});

  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<std::string>& where() const { return where_; }
  [[nodiscard]] const std::shared_ptr<const Where>& shared_conditions() const { return conditions_; }  // null: none
  [[nodiscard]] bool follows(int parameter) const;          // from the others, by an equality
  [[nodiscard]] int num_free() const { return num_free_; }  // parameters that are not fixed and follow from no others
  [[nodiscard]] int num_continuous() const;                 // floats
  // Distinct points between the bounds that may be handed out, infinity when a float without a grid varies.
  [[nodiscard]] double num_points() const { return num_points_; }
  // Position of a parameter by name, −1 when there is none.
  [[nodiscard]] int find(std::string_view name) const;

  // Types a value for a parameter as its domain wants it (3 → 3.0 for a float, 4.0 → 4 for an int);
  // throws std::invalid_argument naming the parameter when the value is of the wrong type, not finite or out of bounds, or
  // naming the condition that does not hold, beyond what rounding of measured numbers explains.
  [[nodiscard]] Value check(int parameter, const Value& value) const;
  [[nodiscard]] Params check(const Params& params) const;
  // The same for a point that is to be handed out: on the grids, too, and where the conditions hold.
  [[nodiscard]] Value check_offered(int parameter, const Value& value) const;
  [[nodiscard]] Params check_offered(const Params& params) const;
  // Where people name a point they may leave out what is fixed and what follows from the others.
  [[nodiscard]] bool may_be_left_out(int parameter) const;
  // A point of which such values may be missing, with all of them. Throws std::invalid_argument for another that is missing, a
  // value that check() refuses, and where what follows would not be one of its parameter's; whether the conditions hold is
  // check()'s.
  [[nodiscard]] Params completed(const std::vector<std::optional<Value>>& given) const;
  // The same from text, as a CSV cell or a command line gives it.
  [[nodiscard]] Value parse(int parameter, std::string_view text) const;

 private:
  std::vector<Parameter> parameters_;
  std::vector<std::string> where_;
  std::shared_ptr<const Where> conditions_;
  int num_free_ = 0;
  double num_points_ = 1;
};

// The space of a study over a pool: one parameter, "candidate", of `count` ids.
[[nodiscard]] Space candidate_space(std::int64_t count);

}  // namespace salvo

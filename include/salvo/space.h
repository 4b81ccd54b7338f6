#pragma once
#include <salvo/matrix.h>

#include <cstdint>
#include <limits>
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

struct Float {
  double low = 0, high = 1;
  Scale scale = Scale::linear;
};
struct Int {
  std::int64_t low = 0, high = 1;  // both included
  Scale scale = Scale::linear;
};
struct Categorical {  // no order
  std::vector<Value> choices;
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

// What may vary, and its encoding in the unit cube: numbers and ordinals take one coordinate in [0,1],
// a categorical takes one coordinate per choice (one-hot), a fixed parameter takes none. A candidate of a pool takes one,
// its row, which only the study knows: such a space has no other parameter, and is neither encoded nor decoded here.
class Space {
 public:
  // A parameter with finitely many values: its coordinates [offset, offset + width) and its levels 0 … num_levels−1.
  struct Discrete {
    int parameter = 0;
    int offset = 0;
    int width = 1;  // > 1: one-hot
    std::int64_t num_levels = 0;
  };

  Space() = default;
  explicit Space(std::vector<Parameter> parameters);  // throws std::invalid_argument that names the parameter

  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] int num_dims() const { return num_dims_; }  // coordinates of the encoding
  [[nodiscard]] const std::vector<int>& continuous_dims() const { return continuous_; }
  [[nodiscard]] const std::vector<Discrete>& discretes() const { return discretes_; }
  // Distinct points, infinity when a float varies.
  [[nodiscard]] double num_points() const { return num_points_; }
  // Position of a parameter by name, −1 when there is none.
  [[nodiscard]] int find(std::string_view name) const;

  // Types a value for a parameter as its domain wants it (3 → 3.0 for a float, 4.0 → 4 for an int);
  // throws std::invalid_argument naming the parameter when the value is of the wrong type, not finite or out of bounds.
  [[nodiscard]] Value check(int parameter, const Value& value) const;
  [[nodiscard]] Params check(const Params& params) const;
  // The same from text, as a CSV cell or a command line gives it.
  [[nodiscard]] Value parse(int parameter, std::string_view text) const;

  void encode(const Params& params, std::span<double> x) const;  // params must be valid; x has num_dims()
  [[nodiscard]] Vector encode(const Params& params) const;
  // The nearest valid, typed point. decode(encode(p)) == p for every p that decode gave and for every discrete value;
  // floats are coded in steps of 2^-40 of their range, so one from elsewhere comes back to within half a step.
  [[nodiscard]] Params decode(std::span<const double> x) const;
  // Moves x to the nearest valid point of the encoding (exactly encode(decode(x))).
  void snap(std::span<double> x) const;

  [[nodiscard]] std::int64_t level(const Discrete& discrete, std::span<const double> x) const;
  void set_level(const Discrete& discrete, std::int64_t level, std::span<double> x) const;
  // Maps u in [0,1)^num_free(), one number per parameter that varies, to a valid encoded point: uniform in the
  // parameter's own scale, choices equally often.
  void from_unit(std::span<const double> u, std::span<double> x) const;
  [[nodiscard]] int num_free() const { return num_free_; }  // parameters that are not fixed
  [[nodiscard]] bool is_pool() const;                       // its one parameter is a candidate

 private:
  std::vector<Parameter> parameters_;
  std::vector<int> offsets_;  // first coordinate of each parameter
  std::vector<int> continuous_;
  std::vector<Discrete> discretes_;
  int num_dims_ = 0;
  int num_free_ = 0;
  double num_points_ = 1;
};

// The space of a study over a pool: one parameter, "candidate", of `count` ids.
[[nodiscard]] Space candidate_space(std::int64_t count);

}  // namespace salvo

#pragma once
#include <salvo/names.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace salvo {

enum class Direction { minimize, maximize };
template <>
struct Names<Direction> {
  static constexpr std::string_view what = "direction";
  static constexpr NameList<Direction, 2> list{{{Direction::maximize, "maximize"}, {Direction::minimize, "minimize"}}};
};

// One of the numbers that an evaluation gives: what is to be as large or as small as can be …
struct Objective {
  Direction direction;
  // Of several objectives: a value that is worse is worth nothing, however good the others are; none: learned from the values.
  std::optional<double> reference{};
  bool operator==(const Objective&) const = default;
};
// … or what has to stay within bounds.
struct Constraint {
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
  double probability = 0.95;  // a recommendation keeps to it with this probability at least
  bool passed = false;        // told as 1, passed, or 0, not passed, and nothing between; min is ½ then
  [[nodiscard]] bool holds(double value) const { return value >= min && value <= max; }
  bool operator==(const Constraint&) const = default;
};
[[nodiscard]] inline Constraint passes(double probability = 0.95) {
  return {.min = 0.5, .probability = probability, .passed = true};
}
struct Output {
  std::string name;
  std::variant<Objective, Constraint> role;
  bool operator==(const Output&) const = default;
};
using Outputs = std::vector<Output>;
inline constexpr int kMostObjectives = 6, kMostOutputs = 32;

inline constexpr std::string_view kOnlyOutput = "value";  // the name of the output of a study with one

// One objective, as most studies have.
[[nodiscard]] inline std::vector<Output> one_objective(Direction direction) {
  return {{std::string(kOnlyOutput), Objective{direction}}};
}

// Whether its outputs have names of their own: then they are columns of sheets and keys of JSON, in place of "value".
[[nodiscard]] inline bool has_names(const std::vector<Output>& outputs) {
  return outputs.size() != 1 || outputs[0].name != kOnlyOutput;
}
// The output of this name; −1: there is none.
[[nodiscard]] int find_output(const std::vector<Output>& outputs, std::string_view name);
// Of what is told as passed or failed: 1 for "passed", "true" and "1", 0 for "failed", "false" and "0", in letters of any size;
// none: it is another word.
[[nodiscard]] std::optional<double> passed_value(std::string_view word);
// What it is for: "maximize", "minimize, reference 20", "at least 0.95, with probability 0.9", "passed, with probability 0.95".
[[nodiscard]] std::string in_words(const Output& output);
// A line for each output of which something differs: "purity: it was at least 0.95, …, and is at least 0.97, …".
[[nodiscard]] std::vector<std::string> changed_outputs(const std::vector<Output>& before, const std::vector<Output>& now);

}  // namespace salvo

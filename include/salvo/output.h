#pragma once
#include <salvo/names.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
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
inline constexpr int kMostObjectives = 6, kMostOutputs = 32;

inline constexpr std::string_view kOnlyOutput = "value";  // the name of the output of a study with one

// One objective, as most studies have.
[[nodiscard]] inline std::vector<Output> one_objective(Direction direction) {
  return {{std::string(kOnlyOutput), Objective{direction}}};
}

}  // namespace salvo

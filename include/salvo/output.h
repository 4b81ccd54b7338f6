#pragma once
#include <salvo/names.h>

#include <cstddef>
#include <limits>
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

// One of the numbers that an evaluation gives: what is to be as large or as small as can be, or what has to stay within
// bounds.
struct Objective {
  Direction direction;
  bool operator==(const Objective&) const = default;
};
struct Constraint {
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
  bool operator==(const Constraint&) const = default;
};
struct Output {
  std::string name;
  std::variant<Objective, Constraint> role;
  bool operator==(const Output&) const = default;
};

inline constexpr std::string_view kOnlyOutput = "value";  // the name of the output of a study with one

// One objective, as most studies have.
[[nodiscard]] inline std::vector<Output> one_objective(Direction direction) {
  return {{std::string(kOnlyOutput), Objective{direction}}};
}

}  // namespace salvo

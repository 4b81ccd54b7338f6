#pragma once
#include <fmt/format.h>
#include <salvo/problems.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

using Coordinates = std::span<const double>;  // of a point, in the problem's own units
using Numbers = std::vector<double>;          // of every output there

[[nodiscard]] inline double square(double x) { return x * x; }

// Parameters x1, x2, … that all have the same bounds.
[[nodiscard]] inline Space box(int d, double low, double high) {
  std::vector<Parameter> parameters;
  for (int i = 1; i <= d; ++i) parameters.push_back({fmt::format("x{}", i), Float{low, high}});
  return Space(std::move(parameters));
}

inline constexpr int kMaxDims = 1000;

// Problems that exist in any number of dimensions D, as "prefixDsuffix".
struct OutputFamily {
  std::string_view prefix, suffix;
  int min_dims, example;
  Problem (*make)(int d);
};

// One objective and constraints, in the order of their names; those of fixed dimension by name, none: it is no such problem.
[[nodiscard]] std::vector<std::string_view> constrained_names();
[[nodiscard]] std::vector<OutputFamily> constrained_families();
[[nodiscard]] std::optional<Problem> constrained_problem(std::string_view name);
// Several objectives, with constraints or without.
[[nodiscard]] std::vector<std::string_view> several_names();
[[nodiscard]] std::vector<OutputFamily> several_families();
[[nodiscard]] std::optional<Problem> several_problem(std::string_view name);

}  // namespace salvo

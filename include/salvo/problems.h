#pragma once
#include <salvo/space.h>

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

// A built-in test problem: minimise f over a box, observed with Gaussian noise.
struct Problem {
  std::string name;
  Space space;
  double noise_variance = 0;
  double optimum = 0;                                       // f*
  std::vector<double> optimum_at;                           // one minimiser, in the problem's own units
  bool proved = true;                                       // false: f* is the best value known
  double stuck = std::numeric_limits<double>::quiet_NaN();  // regret above it means a wrong basin; NaN: no such line is known
  std::function<double(std::span<const double>)> f;         // the true value, in the problem's own units
  [[nodiscard]] double value(const Params& params) const;   // the true value at a typed point
};

// shekel, hartmann6, ackley5, …; those that exist in any number of dimensions with one example each.
[[nodiscard]] std::vector<std::string> problem_names();
// Also "levy3", "ackley20" and so on. Throws std::invalid_argument with the nearest known name.
[[nodiscard]] Problem problem(std::string_view name);

}  // namespace salvo

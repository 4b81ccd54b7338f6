#pragma once
#include <salvo/output.h>
#include <salvo/space.h>

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

// A built-in test problem: minimise f over a box, observed with Gaussian noise. Some have several outputs: constraints beside f,
// or several objectives, of which f is the first.
struct Problem {
  std::string name;
  Space space;
  double noise_variance = 0;
  double optimum = 0;              // f*, of the points that keep to the constraints; NaN: several objectives, or it is not known
  std::vector<double> optimum_at;  // one minimiser, in the problem's own units; empty where f* is NaN
  bool proved = true;              // false: f*, or the hypervolume, is the best value known
  double stuck = std::numeric_limits<double>::quiet_NaN();  // regret above it means a wrong basin; NaN: no such line is known
  std::function<double(std::span<const double>)> f;         // the true value, in the problem's own units
  std::vector<Output> outputs = one_objective(Direction::minimize);
  std::function<std::vector<double>(std::span<const double>)> all{};  // the true value of every output; none: f is the only one
  std::vector<double> noise{};  // deviation of every output; empty: that of noise_variance for each
  double hypervolume = std::numeric_limits<double>::quiet_NaN();         // of several objectives: the best there is
  [[nodiscard]] double value(const Params& params) const;                // the true value at a typed point
  [[nodiscard]] std::vector<double> values(const Params& params) const;  // of every output
  [[nodiscard]] std::vector<double> noise_deviations(const std::optional<double>& variance = {}) const;  // or of this variance
};

// shekel, hartmann6, ackley5, …, then those with several outputs; those that exist in any number of dimensions with one example
// each.
[[nodiscard]] std::vector<std::string> problem_names();
// Also "levy3", "ackley20" and so on. Throws std::invalid_argument with the nearest known name.
[[nodiscard]] Problem problem(std::string_view name);

}  // namespace salvo

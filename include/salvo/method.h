#pragma once
#include <span>
#include <string_view>

namespace salvo {

// The ways to choose a batch.
enum class Method {
  automatic,
  thompson,
  thompson_exact,
  thompson_grid,
  thompson_features,
  turbo,
  ei,
  aei,
  gibbon,
  lp,
  qei,
  random,
  sobol
};

enum class ModelUse {
  none,    // the method looks at no model
  sparse,  // a sparse GP, learned afresh when the data has grown enough
  exact    // an exact GP of all observations, learned afresh at every ask: O(n³)
};

struct MethodInfo {
  Method method;
  std::string_view name;  // as the study file, the command line and Python say it
  ModelUse model;
  std::string_view summary;  // one line for people
};

[[nodiscard]] std::span<const MethodInfo> methods();
[[nodiscard]] const MethodInfo& info(Method method);
[[nodiscard]] std::string_view to_string(Method method);
// What "auto" stands for where so many continuous parameters vary; any other method is itself.
[[nodiscard]] Method method_for(Method method, int num_continuous);
[[nodiscard]] Method method(std::string_view name);  // throws std::invalid_argument with the known names

}  // namespace salvo

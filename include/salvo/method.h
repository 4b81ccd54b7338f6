#pragma once
#include <salvo/names.h>

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

template <>
struct Names<Method> {
  static constexpr std::string_view what = "method";
  static constexpr NameList<Method, 13> list{{{Method::automatic, "auto"},
                                              {Method::thompson, "thompson"},
                                              {Method::thompson_exact, "thompson-exact"},
                                              {Method::thompson_grid, "thompson-grid"},
                                              {Method::thompson_features, "thompson-features"},
                                              {Method::turbo, "turbo"},
                                              {Method::ei, "ei"},
                                              {Method::aei, "aei"},
                                              {Method::gibbon, "gibbon"},
                                              {Method::lp, "lp"},
                                              {Method::qei, "qei"},
                                              {Method::random, "random"},
                                              {Method::sobol, "sobol"}}};
};

enum class ModelUse {
  none,    // the method looks at no model
  sparse,  // a sparse GP, learned afresh when the data has grown enough
  exact    // an exact GP of all observations, learned afresh at every ask: O(n³)
};

struct MethodInfo {
  Method method;
  ModelUse model;
  std::string_view summary;  // one line for people
};

[[nodiscard]] std::span<const MethodInfo> methods();
[[nodiscard]] const MethodInfo& info(Method method);
}  // namespace salvo

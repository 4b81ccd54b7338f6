#pragma once
#include <salvo/trial.h>

#include <cstdint>
#include <string>
#include <vector>

namespace salvo::app {

struct Pace {
  double last = 0;  // when the last outcome came
  double rate = 0;  // evaluations per second over the last hundred outcomes
};

// Of what this study handed out: points told from elsewhere took their time elsewhere, and results may come many at once, so
// that the time runs from when the first of them was asked for.
[[nodiscard]] Pace pace(const std::vector<Trial>& trials);

// The failures among the last evaluations, and why the last of them failed.
inline constexpr std::int64_t kLastEvaluations = 20;
struct Failures {
  std::int64_t lately = 0, of = 0;
  std::string last;
};
[[nodiscard]] Failures failures(const std::vector<Trial>& trials);

}  // namespace salvo::app

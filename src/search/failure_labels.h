#pragma once
#include <salvo/matrix.h>
#include <salvo/trial.h>

#include <cstdint>
#include <span>

namespace salvo {

// What a place that nothing is known of is expected to be, of +1 for a value and −1 for a failure: rather a value.
inline constexpr double kRatherWorks = 0.5;

// A trial with a value or a failure, and where the one who looks has it.
struct FailureLabel {
  std::int64_t id, row;
  bool works, chosen;  // by the search
};

// By id: how much higher the levels are, above which members stay, since many of the newest failed that the search chose.
[[nodiscard]] double care_after(std::span<const FailureLabel> labels);
// The weight of failures: 0 where they are chance, 1 where places foretell them. `told`: how much of the variance of the labels
// of some trials their places foretell.
[[nodiscard]] double weight_of_failures(std::span<const FailureLabel> labels, double told);
// That share, of labels y and what a model says of each of them that has not seen it, against the mean of the others. 0 on
// average where failures are chance, or less; along a run at an edge it is above a half.
[[nodiscard]] double told_by_the_place(const Vector& left_out, const Vector& y);

}  // namespace salvo

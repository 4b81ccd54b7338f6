#pragma once
#include <salvo/output.h>
#include <salvo/study.h>
#include <salvo/trial.h>

#include <cstdint>
#include <span>
#include <vector>

namespace salvo {

// What trials say by their values alone, without a model.

// Whether each constraint was measured and holds.
[[nodiscard]] bool keeps_to_constraints(const Values& values, const std::vector<Output>& outputs);
// A trial with a value of every objective that keeps to the constraints.
[[nodiscard]] bool is_feasible(const Trial& trial, const std::vector<Output>& outputs);

// The probability that all constraints hold where the outputs are estimated so, each by itself: normal, without the noise. Of an
// output without an estimate nothing is said.
[[nodiscard]] double probability_feasible(std::span<const Estimate> estimates, const std::vector<Output>& outputs);

// Each constraint with the probability that it asks for.
[[nodiscard]] bool allowed(std::span<const Estimate> estimates, const std::vector<Output>& outputs);

// The feasible trials that no other is better than in every objective, by the first objective, the best of it first.
[[nodiscard]] std::vector<Trial> observed_front(std::span<const Trial> trials, const std::vector<Output>& outputs);

// What the values told so far dominate above the reference, as it grew.
struct HypervolumeStep {
  std::int64_t evaluations = 0;  // done or failed
  double hypervolume = 0;
};
// After up to `steps` numbers of evaluations, evenly spread, the last one among them. Trials outside the space are left out.
[[nodiscard]] std::vector<HypervolumeStep> observed_hypervolumes(std::span<const Trial> trials,
                                                                 const std::vector<Output>& outputs,
                                                                 std::span<const double> reference, int steps = 60);

}  // namespace salvo

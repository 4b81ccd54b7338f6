#pragma once
#include <salvo/problems.h>

namespace salvo {

// Two problems with large budgets, after their published descriptions (Wang, Gehring, Kohli and Jegelka, "Batched
// large-scale Bayesian optimization in high-dimensional spaces", AISTATS 2018), simplified where the sources say.
[[nodiscard]] Problem push_problem();   // "push14"
[[nodiscard]] Problem rover_problem();  // "rover60"

}  // namespace salvo

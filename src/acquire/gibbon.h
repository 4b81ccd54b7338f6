#pragma once
#include <salvo/random.h>

#include <vector>

#include "acquire/belief.h"

namespace salvo {

// Samples of the maximum of f from a Gumbel distribution whose quartiles are those of the maximum over the given points,
// taken as independent (Wang & Jegelka 2017); point i stands for weight(i) ≥ 1 points like it.
[[nodiscard]] std::vector<double> sample_maxima(const Vector& mean, const Vector& variance, const Vector& weight, int count,
                                                Key key);

// GIBBON (Moss et al. 2021; docs/math.md §14): the information about the maximum that a noisy observation at x brings, and the
// repulsion, ½ log of the share of its variance that the added points leave, over the square of their number.
[[nodiscard]] Score gibbon_score(const Belief& belief, std::vector<double> maxima);

}  // namespace salvo

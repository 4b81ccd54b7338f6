#pragma once
#include <vector>

#include "search/observations.h"

namespace salvo {

// Rows of the best values that are due to be evaluated a second time in an ask for `count` points, so that one of 25
// evaluations at most is a repeat, and `wanted` points in all have one (docs/how-it-works.md, "The recommendation"). None of
// them was, nor is in `taken`: pending points, repeats among them count.
[[nodiscard]] std::vector<std::int64_t> due_repeats(const Observations& data, const Matrix& taken, int wanted, int count);

}  // namespace salvo

#pragma once
#include <vector>

#include "bench/summary.h"
#include "plot/picture.h"

namespace salvo::app::plot {

// Regret against evaluations and against batches, a figure with medians and quartiles and one with means for every
// problem.
[[nodiscard]] Picture regret_picture(const std::string& title, const std::vector<CaseSummary>& cases);

}  // namespace salvo::app::plot

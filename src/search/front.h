#pragma once
#include <span>
#include <vector>

#include "search/searcher.h"
#include "search/standing.h"

namespace salvo {

// What is recommended of trials with several outputs; values count as noise-free where `noise_free` says so.

// Every objective was measured, and each constraint holds with the probability it asks for.
[[nodiscard]] std::vector<Eigen::Index> allowed_rows(const Standing& all);
// Where none is allowed: what most probably keeps to the constraints, or where that says nothing, what misses least.
[[nodiscard]] Eigen::Index safest(const Standing& all);
// Of several objectives, by the weight of each (none: alike): the least of what is short of the best of these rows, in shares of
// what their front spans; of equals the least in all.
[[nodiscard]] Eigen::Index compromise(const Standing& all, std::span<const Eigen::Index> rows, std::span<const double> weights);
[[nodiscard]] Recommended recommended_at(const Standing& all, Eigen::Index row, bool noise_free);
// Of several objectives, of these rows.
[[nodiscard]] RecommendedFront front_of(const Standing& all, std::span<const Eigen::Index> rows, bool noise_free);

}  // namespace salvo

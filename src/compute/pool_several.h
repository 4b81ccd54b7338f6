#pragma once
#include <span>

#include "compute/pool_score.h"
#include "compute/pool_worth.h"

namespace salvo::compute {

// score_pool of what the samples of several outputs, B of each over the same rows, are worth together. probes: of each output
// kNumProbes others, as ScoreOptions has them of one, or none at all; those of the options are not looked at.
[[nodiscard]] Scores score_pool(std::span<const Samples* const> outputs, std::span<const Samples* const> probes,
                                const PoolWorth& worth, const RowSet& blocked, const ScoreOptions& options);

}  // namespace salvo::compute

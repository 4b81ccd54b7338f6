#pragma once
#include <salvo/pool_worth.h>

#include <span>

#include "compute/pool_score.h"

namespace salvo::compute {

// score_pool of what the samples of several outputs, B of each over the same rows, are worth together. Of the options no probes
// are taken: how widely one output's samples are spread does not say which row a member may want.
[[nodiscard]] Scores score_pool(std::span<const Samples* const> outputs, const PoolWorth& worth, const RowSet& blocked,
                                const ScoreOptions& options);

}  // namespace salvo::compute

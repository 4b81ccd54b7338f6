#pragma once
#include <salvo/pool_model.h>

#include <functional>
#include <span>

#include "compute/pool_several.h"
#include "pool/paths.h"

namespace salvo {

struct ChooseOptions {
  std::int64_t subset = 0;  // of the pool, for each path anew; 0: all
  bool screen = true;
  std::int64_t byte_budget = std::int64_t{512} << 20;  // an eighth of it for the samples' lists, if they can do with that
};

// Samples that rows are chosen for, and what finds the best rows of some of them.
struct Scored {
  std::int64_t num_rows = 0;
  int num_samples = 0;
  double alpha = 0;  // how far they differ
  std::function<compute::Scores(std::span<const int> which, const compute::RowSet& blocked, compute::ScoreOptions options)> score;
};
// What they refer to must live as long.
[[nodiscard]] Scored scored(const PoolPaths& paths);
// Of several outputs together; probes as score_pool takes them.
[[nodiscard]] Scored scored(std::span<const PoolPaths> outputs, std::span<const compute::Samples* const> probes,
                            const compute::PoolWorth& worth);

// One row for each of `count` samples, in their order: its best that is neither taken nor an earlier sample's. A single
// sample stands for all: then these are its `count` best.
[[nodiscard]] PoolChoice choose_rows(const Scored& samples, int count, std::span<const std::int64_t> taken,
                                     const ChooseOptions& options, Key key);
[[nodiscard]] inline PoolChoice choose_rows(const PoolPaths& paths, int count, std::span<const std::int64_t> taken,
                                            const ChooseOptions& options, Key key) {
  return choose_rows(scored(paths), count, taken, options, key);
}

}  // namespace salvo

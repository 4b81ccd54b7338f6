#pragma once
#include <salvo/pool_model.h>

#include <span>

#include "pool/paths.h"

namespace salvo {

struct ChooseOptions {
  std::int64_t subset = 0;  // of the pool, for each path anew; 0: all
  bool screen = true;
  std::int64_t byte_budget = std::int64_t{512} << 20;  // an eighth of it for the samples' lists, if they can do with that
};

// One row for each of `count` samples, in their order: its best that is neither taken nor an earlier sample's. A single
// path stands for all samples: then these are its `count` best.
[[nodiscard]] PoolChoice choose_rows(const PoolPaths& paths, int count, std::span<const std::int64_t> taken,
                                     const ChooseOptions& options, Key key);

}  // namespace salvo

#pragma once
#include <functional>
#include <vector>

#include "pool/paths.h"

namespace salvo {

struct Ranked {
  std::int64_t row = 0;
  double value = 0;
};
// The order of candidates: the larger value first, of equal ones the smaller row.
[[nodiscard]] inline bool before(const Ranked& a, const Ranked& b) {
  return a.value != b.value ? a.value > b.value : a.row < b.row;
}

struct ScoreOptions {
  int depth = 8;       // how many of each path's best are wanted
  bool screen = true;  // 8 bits first
  Key key{0};          // of the screen's rounding and its probes
  // Rows that path b may not have; called for few of them.
  std::function<bool(int path, std::int64_t row)> excluded{};
};

struct Scores {
  std::vector<std::vector<Ranked>> best;  // [B]
  std::int64_t num_scored = 0, num_kept = 0, num_refined = 0, num_rescored = 0;
};

// For every path the `depth` best rows of those not blocked, best first, as double precision orders them, whatever the screen,
// the chunks and the threads. Never holds more than a few chunks of scores beside these lists and what was found since the
// last round.
[[nodiscard]] Scores score_pool(const PoolPaths& paths, const std::vector<bool>& blocked, const ScoreOptions& options);

}  // namespace salvo

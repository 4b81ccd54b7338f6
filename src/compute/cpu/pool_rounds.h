#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "compute/pool_score.h"

namespace salvo::compute {

struct Found {
  int sample;
  Ranked at;
};

// A sample and one of a chunk's rows.
struct Pair {
  int sample;
  std::size_t row;
};

// What a run of rows has for the samples whose floors they were held against.
struct Chunk {
  std::vector<Found> found;
  std::int64_t num_rows = 0, num_kept = 0, num_refined = 0, num_rescored = 0;
};

// Of the rows [begin, end) all that reach their sample's floor, the value of the last of its best so far. Rows that no sample has
// at `bar` or above may be left out; −∞: none.
using ScoreChunk = std::function<Chunk(const std::vector<double>& floor, double bar, std::int64_t begin, std::int64_t end)>;

// The `depth` best of each of B samples among the rows 0 … N−1, chunk after chunk, several side by side.
[[nodiscard]] Scores score_in_rounds(std::int64_t N, int B, int depth, const ScoreChunk& score_chunk);

}  // namespace salvo::compute

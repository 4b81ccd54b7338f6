#pragma once
#include <salvo/random.h>

#include <span>
#include <vector>

#include "compute/pool_prior.h"
#include "compute/subset.h"

namespace salvo::compute {

// B samples over rows: f̃_b(x) = offset_b + Σ_r φ_r(x) w_br + Σ_j k̃(x, z_j) v_bj (docs/math.md §5, §11). What the pointers
// point at must live as long.
struct Samples {
  const RowKernel* kernel = nullptr;
  const PreparedRows* inducing = nullptr;        // z_j
  const PriorFeatures* prior = nullptr;          // φ
  const std::uint64_t* feature_table = nullptr;  // φ of every row as bits (feature_bits), where it is kept
  Vector offset;                                 // [B]
  Matrix w;                                      // [B,M]
  Matrix v;                                      // [B,m]
  double mean_offset = 0;                        // the mean of all such samples: mean_offset + Σ_j k̃(x, z_j) mean_weights_j
  Vector mean_weights;                           // [m]

  [[nodiscard]] const std::uint64_t* bits(std::int64_t row) const {
    return feature_table ? feature_table + row * prior->words : nullptr;
  }
  [[nodiscard]] int size() const { return static_cast<int>(v.rows()); }
  [[nodiscard]] int width() const { return static_cast<int>(w.cols() + v.cols()); }
};

// Φ and k̃ of one row in double precision, [M+m], and a sample's value there: sums in a fixed order.
void path_features(const Samples& samples, std::int64_t row, double* features);
[[nodiscard]] double path_value(const Samples& samples, int sample, const double* features);

// Some of the rows 0 … size − 1, a bit for each.
class RowSet {
 public:
  explicit RowSet(std::int64_t size) : words_(static_cast<std::size_t>((size + 63) / 64)) {}
  bool insert(std::int64_t row) {  // false when it was there
    const bool fresh = !contains(row);
    words_[static_cast<std::size_t>(row / 64)] |= std::uint64_t{1} << (row % 64);
    return fresh;
  }
  [[nodiscard]] bool contains(std::int64_t row) const {
    return ((words_[static_cast<std::size_t>(row / 64)] >> (row % 64)) & 1U) != 0;
  }
  [[nodiscard]] std::span<const std::uint64_t> words() const { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

struct Ranked {
  std::int64_t row = 0;
  double value = 0;
};
// The order of candidates: the larger value first, of equal ones the smaller row.
[[nodiscard]] inline bool before(const Ranked& a, const Ranked& b) {
  return a.value != b.value ? a.value > b.value : a.row < b.row;
}

constexpr int kNumProbes = 61;  // with three columns more they fill the registers of an 8-bit product

struct ScoreOptions {
  int depth = 8;       // how many of each sample's best are wanted
  bool screen = true;  // 8 bits first
  Key key{0};          // of the screen's rounding
  // kNumProbes others, drawn like the samples and independently of them: they tell how widely samples are spread at a row, so
  // that rows which no sample can want are passed over. None: all are scored, unless the samples are the mean itself.
  const Samples* probes = nullptr;
  std::span<const RandomSubset> subsets{};  // [B] rows that each sample may have; none: all
};

struct Scores {
  std::vector<std::vector<Ranked>> best;  // [B]
  std::int64_t num_scored = 0, num_kept = 0, num_refined = 0, num_rescored = 0;
};

// For every sample the `depth` best rows that are not blocked and in its subset, best first, as double precision orders them,
// whatever the screen, the chunks and the threads; fewer where there are fewer. Never holds more than a few chunks of scores
// beside these lists and what was found since the last round.
[[nodiscard]] Scores score_pool(const Samples& samples, const RowSet& blocked, const ScoreOptions& options);

}  // namespace salvo::compute

#pragma once
#include "pool/gp.h"
#include "pool/prior.h"

namespace salvo {

// B samples over the rows of a pool: f̃_b(x) = offset_b + Σ_r φ_r(x) w_br + Σ_j k̃(x, z_j) v_bj (docs/math.md §5, §11).
struct PoolPaths {
  const PoolGp* gp = nullptr;
  const PriorFeatures* prior = nullptr;
  Vector offset;                                 // [B]
  Matrix w;                                      // [B,M]
  Matrix v;                                      // [B,m]
  double alpha = 0;                              // f̃_b(x) ~ N(μ(x), α²…), each on its own; 0: the mean itself
  const std::uint64_t* feature_table = nullptr;  // φ of every row of the pool as bits, where it is kept
  [[nodiscard]] const std::uint64_t* bits(std::int64_t row) const {
    return feature_table ? feature_table + row * prior->words : nullptr;
  }
  [[nodiscard]] int size() const { return static_cast<int>(v.rows()); }
  [[nodiscard]] int width() const { return static_cast<int>(w.cols() + v.cols()); }
  [[nodiscard]] PoolPaths only(std::span<const int> which) const;
};

[[nodiscard]] PoolPaths draw_pool_paths(const PoolGp& gp, const PriorFeatures& prior, int num_paths, double alpha, Key key);
[[nodiscard]] PoolPaths mean_path(const PoolGp& gp, const PriorFeatures& prior);  // one path, the posterior mean

// Φ and k̃ of one row in double precision, [M+m], and a path's value there: sums in a fixed order.
void path_features(const PoolPaths& paths, std::int64_t row, double* features);
[[nodiscard]] double path_value(const PoolPaths& paths, int path, const double* features);

}  // namespace salvo

#pragma once
#include "compute/pool_score.h"
#include "pool/gp.h"

namespace salvo {

// Samples of a model over the rows of its pool. The model and the prior must live as long.
struct PoolPaths : compute::Samples {
  const PoolGp* gp = nullptr;
  double alpha = 0;  // f̃_b(x) ~ N(μ(x), α²…), each on its own; 0: the mean itself
  [[nodiscard]] PoolPaths only(std::span<const int> which) const;
};

[[nodiscard]] PoolPaths draw_pool_paths(const PoolGp& gp, const compute::PriorFeatures& prior, int num_paths, double alpha,
                                        Key key);
[[nodiscard]] PoolPaths mean_path(const PoolGp& gp, const compute::PriorFeatures& prior);  // one path, the posterior mean

}  // namespace salvo

#pragma once
#include <salvo/matrix.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "compute/pool_rows.h"

namespace salvo {

struct PoolScales {
  double variance = 1, noise = 0.1, mean = 0;  // σ², τ, c₀
};
struct PoolScaleBounds {
  double min_variance, max_variance, min_noise, max_noise, max_mean;
};
struct BestScales {
  PoolScales scales;
  double bound = 0;
  int num_evaluations = 0;
};

// What the evidence, or its bound, depends on at one ρ = σ²/τ: with y − c₀ for y,
// −2F = n log 2πτ + log|D| + (yᵀy − 2c₀ yᵀ1 + c₀² 1ᵀ1)/τ + ρθ̃, the products taken with D⁻¹.
struct EvidenceTerms {
  std::int64_t n = 0;
  double yy = 0, y1 = 0, one = 0;
  double half_log_det = 0;
  double theta = 0;  // of a kernel with variance 1; 0: exact
};

// σ², τ, c₀ that maximise it inside the box. Given ρ, c₀ and τ have closed forms: a search over log ρ alone, down to steps
// of `precision`. No terms: nothing could be factored at that ρ.
[[nodiscard]] BestScales best_scales(const std::function<std::optional<EvidenceTerms>(double ratio)>& terms,
                                     const PoolScaleBounds& bounds, const PoolScales& start, double precision);

// The same for the exact evidence of data that are few: O(n³) an evaluation, O(n²) memory. r: the noise of each over τ.
[[nodiscard]] BestScales exact_scales(const compute::RowKernel& kernel, std::span<const std::int64_t> rows, const Vector& y,
                                      const PoolScaleBounds& bounds, const PoolScales& start, double precision,
                                      const Vector& r = {});

}  // namespace salvo

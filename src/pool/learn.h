#pragma once
#include <salvo/pool_model.h>

#include <span>
#include <vector>

#include "pool/gp.h"

namespace salvo {

[[nodiscard]] compute::RowKernel row_kernel(const Pool& pool, PoolKernelType type, const PoolLearned& learned,
                                            const compute::ColumnRanges& ranges);

// At most m distinct rows among those observed, equal features counted once; all of them when they are few enough.
[[nodiscard]] std::vector<std::int64_t> choose_inducing(PoolInducing how, const compute::RowKernel& kernel,
                                                        std::span<const std::int64_t> rows, const Vector& y, int m, Key key);

// Learns what shapes the kernel (bias, power or length-scales), on a part of the data when they are many: O(1024³), length-scales
// O(2048 · 500²).
void learn_shape(const Pool& pool, const PoolModelOptions& options, const compute::ColumnRanges& ranges,
                 std::span<const std::int64_t> rows, const Vector& y, Key key, PoolLearned& learned, const Vector& r = {});

// σ², τ and c₀ for a model that holds these data, at most m of them kept: by the exact evidence, of 1024 where n > m.
[[nodiscard]] BestScales learn_scales(const PoolGp& gp, int m, const PoolModelOptions& options,
                                      std::span<const std::int64_t> rows, const Vector& y, const PoolLearned& learned,
                                      const Vector& r = {});

}  // namespace salvo

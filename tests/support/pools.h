#pragma once
// Small pools made from a key.
#include <salvo/pool.h>
#include <salvo/random.h>

#include <span>

#include "compute/pool_rows.h"

namespace salvo::testing {

inline constexpr PoolKernelType kPoolKernels[] = {PoolKernelType::arccosine, PoolKernelType::tanimoto, PoolKernelType::se,
                                                  PoolKernelType::matern12,  PoolKernelType::matern32, PoolKernelType::matern52};

// Fingerprints with a share of bits set that differs from bit to bit.
[[nodiscard]] Pool bit_pool(std::int64_t size, int num_bits, Key key);
[[nodiscard]] Pool number_pool(std::int64_t size, int dims, Key key, double offset = 0);
[[nodiscard]] Pool pool_for(PoolKernelType type, std::int64_t size, Key key);
[[nodiscard]] compute::RowKernel kernel_for(PoolKernelType type, const Pool& pool);
// A function of the candidates that a kernel can learn, with noise.
[[nodiscard]] Vector objective(const Pool& pool, std::span<const std::int64_t> rows, Key key);

}  // namespace salvo::testing

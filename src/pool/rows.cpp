#include "pool/rows.h"

#include <cassert>

namespace salvo {

compute::Rows rows_of(const Pool& pool) {
  const auto owner = std::make_shared<const Pool>(pool);
  return pool.kind() == PoolKind::bits ? compute::Rows::of_bits(pool.bits(0), pool.size(), pool.num_features(), owner)
                                       : compute::Rows::of_numbers(pool.numbers(0), pool.size(), pool.num_features(), owner);
}

KernelType stationary(PoolKernelType type) {
  switch (type) {
    case PoolKernelType::se:
      return KernelType::se;
    case PoolKernelType::matern12:
      return KernelType::matern12;
    case PoolKernelType::matern32:
      return KernelType::matern32;
    case PoolKernelType::arccosine:
    case PoolKernelType::tanimoto:
      assert(false);
      break;
    case PoolKernelType::matern52:
      break;
  }
  return KernelType::matern52;
}

}  // namespace salvo

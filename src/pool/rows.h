#pragma once
#include <salvo/pool.h>
#include <salvo/pool_model.h>

#include "compute/pool_rows.h"

namespace salvo {

// The pool's features, where they are; they keep the pool.
[[nodiscard]] compute::Rows rows_of(const Pool& pool);

[[nodiscard]] KernelType stationary(PoolKernelType type);  // of the kernels over numbers

}  // namespace salvo

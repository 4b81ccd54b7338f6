#pragma once
// The kernels between rows, written out plainly.
#include <vector>

#include "compute/pool_rows.h"

namespace salvo::testing {

[[nodiscard]] bool bit(const compute::Rows& rows, std::int64_t row, int j);
[[nodiscard]] double plain_kernel(const compute::RowKernel& kernel, std::int64_t a, std::int64_t b);  // from its definition
[[nodiscard]] std::vector<std::int64_t> first_rows(std::int64_t count, std::int64_t from = 0);

}  // namespace salvo::testing

#include "support/rows.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/reference.h"

namespace salvo::testing {

bool bit(const compute::Rows& rows, std::int64_t row, int j) { return ((rows.bits(row)[j / 64] >> (j % 64)) & 1U) != 0; }

double plain_kernel(const compute::RowKernel& kernel, std::int64_t a, std::int64_t b) {
  const compute::Rows& rows = kernel.rows;
  if (!rows.are_bits()) {
    const Eigen::Map<const Eigen::VectorXf> x(rows.numbers(a), rows.num_features()), z(rows.numbers(b), rows.num_features());
    return reference::kernel({kernel.over_numbers, 1.0, kernel.lengthscales}, x.cast<double>(), z.cast<double>());
  }
  double both = 0, ones_a = 0, ones_b = 0;
  for (int j = 0; j < rows.num_features(); ++j) {
    ones_a += bit(rows, a, j) ? 1 : 0;
    ones_b += bit(rows, b, j) ? 1 : 0;
    both += bit(rows, a, j) && bit(rows, b, j) ? 1 : 0;
  }
  if (kernel.over_bits == compute::BitKernel::tanimoto)
    return ones_a + ones_b == 0 ? 1.0 : std::pow(both / (ones_a + ones_b - both), kernel.power);
  const double b2 = kernel.bias * kernel.bias;
  return 1.0 - std::acos(std::min(1.0, (both + b2) / std::sqrt((ones_a + b2) * (ones_b + b2)))) / std::numbers::pi;
}

std::vector<std::int64_t> first_rows(std::int64_t count, std::int64_t from) {
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < count; ++i) rows.push_back(from + i);
  return rows;
}

}  // namespace salvo::testing

#include "support/pools.h"

#include <cmath>

#include "pool/rows.h"
#include "support/data.h"
#include "support/rows.h"

namespace salvo::testing {

Pool bit_pool(std::int64_t size, int num_bits, Key key) {
  const auto words = static_cast<std::size_t>((num_bits + 63) / 64);
  std::vector<std::uint64_t> rows(words * static_cast<std::size_t>(size), 0);
  for (std::int64_t i = 0; i < size; ++i)
    for (int j = 0; j < num_bits; ++j)
      if (key.fold(static_cast<std::uint64_t>(i)).uniform(static_cast<std::uint64_t>(j)) <
          0.05 + 0.4 * key.uniform(static_cast<std::uint64_t>(j)))
        rows[static_cast<std::size_t>(i) * words + static_cast<std::size_t>(j / 64)] |= std::uint64_t{1} << (j % 64);
  return Pool::from_bits(std::move(rows), num_bits, {});
}

Pool number_pool(std::int64_t size, int dims, Key key, double offset) {
  std::vector<float> rows;
  std::vector<std::string> columns;
  for (int d = 0; d < dims; ++d) columns.emplace_back(1, static_cast<char>('a' + d));
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(size * dims); ++i)
    rows.push_back(static_cast<float>(offset + key.uniform(i)));
  return Pool::from_numbers(std::move(rows), std::move(columns), {});
}

Pool pool_for(PoolKernelType type, std::int64_t size, Key key) {
  return kind_of(type) == PoolKind::bits ? bit_pool(size, 150, key) : number_pool(size, 3, key);
}

compute::RowKernel kernel_for(PoolKernelType type, const Pool& pool) {
  compute::RowKernel kernel{.rows = rows_of(pool), .bias = 0.7};
  kernel.ranges = column_ranges(kernel.rows);
  if (type == PoolKernelType::tanimoto) {
    kernel.over_bits = compute::BitKernel::tanimoto;
    kernel.power = 2;
  }
  if (pool.kind() == PoolKind::numbers) {
    kernel.over_numbers = stationary(type);
    kernel.lengthscales = Vector::LinSpaced(pool.num_features(), 0.3, 0.8).cwiseProduct(kernel.ranges.extent);
  }
  return kernel;
}

Vector objective(const Pool& pool, std::span<const std::int64_t> rows, Key key) {
  const compute::Rows features = rows_of(pool);
  Vector y(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double f = 0;
    for (int j = 0; j < features.num_features(); ++j) {
      const double weight = key.uniform(static_cast<std::uint64_t>(j)) - 0.5;
      f += features.are_bits() ? (bit(features, rows[i], j) ? 0.4 * weight : 0.0)
                               : 3 * std::sin(4 * weight + 5 * static_cast<double>(features.numbers(rows[i])[j]));
    }
    y(static_cast<Eigen::Index>(i)) = f;
  }
  y += 0.1 * normal(y.size(), key.fold("noise"));
  return y;
}

}  // namespace salvo::testing

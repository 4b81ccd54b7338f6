#pragma once
// Small pools made from a key, and their kernels written out plainly.
#include <salvo/pool_model.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "data.h"
#include "pool/row_kernel.h"
#include "reference.h"

namespace salvo::testing {

inline const PoolKernelType kPoolKernels[] = {PoolKernelType::arccosine, PoolKernelType::tanimoto, PoolKernelType::se,
                                              PoolKernelType::matern12,  PoolKernelType::matern32, PoolKernelType::matern52};

// Fingerprints with a share of bits set that differs from bit to bit.
inline Pool bit_pool(std::int64_t size, int num_bits, Key key) {
  const auto words = static_cast<std::size_t>((num_bits + 63) / 64);
  std::vector<std::uint64_t> rows(words * static_cast<std::size_t>(size), 0);
  for (std::int64_t i = 0; i < size; ++i)
    for (int j = 0; j < num_bits; ++j)
      if (key.fold(static_cast<std::uint64_t>(i)).uniform(static_cast<std::uint64_t>(j)) <
          0.05 + 0.4 * key.uniform(static_cast<std::uint64_t>(j)))
        rows[static_cast<std::size_t>(i) * words + static_cast<std::size_t>(j / 64)] |= std::uint64_t{1} << (j % 64);
  return Pool::from_bits(std::move(rows), num_bits, {});
}

inline Pool number_pool(std::int64_t size, int dims, Key key, double offset = 0) {
  std::vector<float> rows;
  std::vector<std::string> columns;
  for (int d = 0; d < dims; ++d) columns.emplace_back(1, static_cast<char>('a' + d));
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(size * dims); ++i)
    rows.push_back(static_cast<float>(offset + key.uniform(i)));
  return Pool::from_numbers(std::move(rows), std::move(columns), {});
}

inline Pool pool_for(PoolKernelType type, std::int64_t size, Key key) {
  return kind_of(type) == PoolKind::bits ? bit_pool(size, 150, key) : number_pool(size, 3, key);
}

inline RowKernel kernel_for(PoolKernelType type, const Pool& pool) {
  RowKernel kernel{pool, type, 0.7, {}, type == PoolKernelType::tanimoto ? 2 : 1, {}};
  kernel.ranges = column_ranges(pool);
  if (pool.kind() == PoolKind::numbers)
    kernel.lengthscales = Vector::LinSpaced(pool.num_features(), 0.3, 0.8).cwiseProduct(kernel.ranges.extent);
  return kernel;
}

inline bool bit(const Pool& pool, std::int64_t row, int j) { return ((pool.bits(row)[j / 64] >> (j % 64)) & 1U) != 0; }

// k(a, b) from its definition.
inline double plain_kernel(const RowKernel& kernel, std::int64_t a, std::int64_t b) {
  const Pool& pool = kernel.pool;
  if (pool.kind() == PoolKind::numbers) {
    const Eigen::Map<const Eigen::VectorXf> x(pool.numbers(a), pool.num_features()), z(pool.numbers(b), pool.num_features());
    return reference::kernel({stationary(kernel.type), 1.0, kernel.lengthscales}, x.cast<double>(), z.cast<double>());
  }
  double both = 0, ones_a = 0, ones_b = 0;
  for (int j = 0; j < pool.num_features(); ++j) {
    ones_a += bit(pool, a, j) ? 1 : 0;
    ones_b += bit(pool, b, j) ? 1 : 0;
    both += bit(pool, a, j) && bit(pool, b, j) ? 1 : 0;
  }
  if (kernel.type == PoolKernelType::tanimoto)
    return ones_a + ones_b == 0 ? 1.0 : std::pow(both / (ones_a + ones_b - both), kernel.power);
  const double b2 = kernel.bias * kernel.bias;
  return 1.0 - std::acos(std::min(1.0, (both + b2) / std::sqrt((ones_a + b2) * (ones_b + b2)))) / std::numbers::pi;
}

inline std::vector<std::int64_t> first_rows(std::int64_t count, std::int64_t from = 0) {
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < count; ++i) rows.push_back(from + i);
  return rows;
}

// A function of the candidates that a kernel can learn, with noise.
inline Vector objective(const Pool& pool, std::span<const std::int64_t> rows, Key key) {
  Vector y(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double f = 0;
    for (int j = 0; j < pool.num_features(); ++j) {
      const double weight = key.uniform(static_cast<std::uint64_t>(j)) - 0.5;
      f += pool.kind() == PoolKind::bits ? (bit(pool, rows[i], j) ? 0.4 * weight : 0.0)
                                         : 3 * std::sin(4 * weight + 5 * static_cast<double>(pool.numbers(rows[i])[j]));
    }
    y(static_cast<Eigen::Index>(i)) = f;
  }
  y += 0.1 * normal(y.size(), key.fold("noise"));
  return y;
}

}  // namespace salvo::testing

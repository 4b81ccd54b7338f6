#include "pool/row_kernel.h"

#include <cassert>
#include <cmath>

#include "math/parallel.h"
#include "pool/counts.h"
#include "pool/loops.h"

namespace salvo {
namespace {

Matrix numbers_of(const Pool& pool, std::span<const std::int64_t> rows) {
  Matrix X(static_cast<Eigen::Index>(rows.size()), pool.num_features());
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    const float* x = pool.numbers(rows[static_cast<std::size_t>(i)]);
    for (Eigen::Index d = 0; d < X.cols(); ++d) X(i, d) = static_cast<double>(x[d]);
  }
  return X;
}

}  // namespace

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

PreparedRows::PreparedRows(const RowKernel& kernel, std::span<const std::int64_t> rows) : size(static_cast<int>(rows.size())) {
  const Pool& pool = kernel.pool;
  if (pool.kind() == PoolKind::numbers) {
    const Matrix Z = numbers_of(pool, rows);
    points = ScaledPoints<double>(Z, kernel.lengthscales);
    points_f = ScaledPoints<float>(Z, kernel.lengthscales);
    return;
  }
  const int num_words = pool.words_per_row();
  gap = static_cast<float>(0.25 / (pool.num_features() + 1 + kernel.bias * kernel.bias));
  words.resize(static_cast<std::size_t>(num_words) * rows.size());
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const std::uint64_t* z = pool.bits(rows[j]);
    for (int w = 0; w < num_words; ++w) words[static_cast<std::size_t>(w) * rows.size() + j] = z[w];
    ones.push_back(count_ones(z, num_words));
    ones_f.push_back(static_cast<float>(ones.back()));
    inverse_norms.push_back(static_cast<float>(1.0 / std::sqrt(ones.back() + kernel.bias * kernel.bias)));
  }
}

void kernel_row(const RowKernel& kernel, std::int64_t row, const PreparedRows& Z, double* k) {
  const Pool& pool = kernel.pool;
  const auto m = static_cast<std::size_t>(Z.size);
  if (pool.kind() == PoolKind::numbers) {
    const auto d = static_cast<std::size_t>(pool.num_features());
    const float* x = pool.numbers(row);
    std::vector<double> scaled(d);
    for (std::size_t e = 0; e < d; ++e) scaled[e] = static_cast<double>(x[e]) / kernel.lengthscales(static_cast<Eigen::Index>(e));
    kernel_row(stationary(kernel.type), 1.0, scaled.data(), Z.points, k, nullptr);
    return;
  }
  const int words = pool.words_per_row();
  const std::uint64_t* x = pool.bits(row);
  static thread_local std::vector<std::uint32_t> counts;
  counts.resize(m);
  intersections(x, Z.words.data(), words, Z.size, counts.data());
  const double ones = count_ones(x, words);
  if (kernel.type == PoolKernelType::tanimoto)
    tanimoto_row(counts.data(), ones, Z.ones.data(), kernel.power, Z.size, k);
  else
    arccosine_row(counts.data(), ones, Z.ones.data(), kernel.bias * kernel.bias, Z.size, k);
}

void kernel_row(const RowKernel& kernel, std::int64_t row, const PreparedRows& Z, float* k) {
  const Pool& pool = kernel.pool;
  if (pool.kind() == PoolKind::numbers) {
    const float* x = pool.numbers(row);
    static thread_local std::vector<float> scaled;
    scaled.resize(static_cast<std::size_t>(pool.num_features()));
    for (std::size_t d = 0; d < scaled.size(); ++d)
      scaled[d] = static_cast<float>(static_cast<double>(x[d]) / kernel.lengthscales(static_cast<Eigen::Index>(d)));
    kernel_row(stationary(kernel.type), 1.0, scaled.data(), Z.points_f, k);
    return;
  }
  const int words = pool.words_per_row();
  const std::uint64_t* x = pool.bits(row);
  static thread_local std::vector<std::uint32_t> counts;
  counts.resize(static_cast<std::size_t>(Z.size));
  intersections(x, Z.words.data(), words, Z.size, counts.data());
  const auto ones = static_cast<float>(count_ones(x, words)), b2 = static_cast<float>(kernel.bias * kernel.bias);
  const bool angular = kernel.type == PoolKernelType::arccosine;
  if (ones == 0 && (!angular || b2 == 0)) {  // no bits and no bias: two such rows are the same
    for (std::size_t j = 0; j < counts.size(); ++j) k[j] = Z.ones_f[j] == 0 ? 1.0F : (angular ? 0.5F : 0.0F);
  } else if (angular) {
    arccosine_row(counts.data(), 1.0F / std::sqrt(ones + b2), Z.inverse_norms.data(), b2, Z.gap, Z.size, k);
  } else {
    tanimoto_row(counts.data(), ones, Z.ones_f.data(), kernel.power, Z.size, k);
  }
}

// A cosine is wrong by 4 roundings, and the angle by that over √(2(1 − cos)), which the numbers of bits keep from 0.
// A Tanimoto similarity is wrong by 3 roundings, its eighth power by 27.
double single_error(const RowKernel& kernel) {
  if (kernel.pool.kind() == PoolKind::numbers) return 4e-6;
  return 1e-6 + 4e-7 * std::sqrt(kernel.pool.num_features() + 1 + kernel.bias * kernel.bias);
}

void kernel_block(const RowKernel& kernel, std::span<const std::int64_t> rows, const PreparedRows& Z, double* K) {
  parallel_blocks(static_cast<std::int64_t>(rows.size()), 64, [&](std::int64_t a, std::int64_t b) {
    for (std::int64_t i = a; i < b; ++i) kernel_row(kernel, rows[static_cast<std::size_t>(i)], Z, K + i * Z.size);
  });
}

}  // namespace salvo

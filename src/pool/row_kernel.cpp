#include "pool/row_kernel.h"

#include <cassert>
#include <cmath>

#include "math/parallel.h"
#include "pool/counts.h"
#include "pool/loops.h"

namespace salvo {
namespace {

// A row of numbers in length-scales from the low ends.
void scaled_row(const RowKernel& kernel, std::int64_t row, double* out) {
  const float* x = kernel.pool.numbers(row);
  for (Eigen::Index d = 0; d < kernel.lengthscales.size(); ++d)
    out[d] = (static_cast<double>(x[d]) - kernel.ranges.low(d)) / kernel.lengthscales(d);
}

}  // namespace

ColumnRanges column_ranges(const Pool& pool) {
  const Eigen::Index d = pool.num_features();
  if (pool.kind() == PoolKind::bits) return {};
  Eigen::ArrayXf low = Eigen::Map<const Eigen::ArrayXf>(pool.numbers(0), d), high = low;
  for (std::int64_t row = 1; row < pool.size(); ++row) {
    const Eigen::Map<const Eigen::ArrayXf> x(pool.numbers(row), d);
    low = low.min(x);
    high = high.max(x);
  }
  const Vector first = low.cast<double>().matrix(), extent = high.cast<double>().matrix() - first;
  return {first, (extent.array() > 0).select(extent, Vector::Ones(d))};
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

PreparedRows::PreparedRows(const RowKernel& kernel, std::span<const std::int64_t> rows) : size(static_cast<int>(rows.size())) {
  const Pool& pool = kernel.pool;
  if (pool.kind() == PoolKind::numbers) {
    Matrix Z(static_cast<Eigen::Index>(rows.size()), pool.num_features());
    for (Eigen::Index j = 0; j < Z.rows(); ++j) scaled_row(kernel, rows[static_cast<std::size_t>(j)], Z.row(j).data());
    points = ScaledPoints<double>(Z, Vector::Ones(Z.cols()));
    points_f = ScaledPoints<float>(Z, Vector::Ones(Z.cols()));
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
    const double norm = std::sqrt(ones.back() + kernel.bias * kernel.bias);
    inverse_norms.push_back(norm > 0 ? static_cast<float>(1.0 / norm) : 0.0F);
  }
}

void kernel_row(const RowKernel& kernel, std::int64_t row, const PreparedRows& Z, double* k) {
  const Pool& pool = kernel.pool;
  const auto m = static_cast<std::size_t>(Z.size);
  if (pool.kind() == PoolKind::numbers) {
    static thread_local std::vector<double> scaled;
    scaled.resize(static_cast<std::size_t>(pool.num_features()));
    scaled_row(kernel, row, scaled.data());
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
    static thread_local std::vector<double> exact;
    static thread_local std::vector<float> scaled;
    exact.resize(static_cast<std::size_t>(pool.num_features()));
    scaled_row(kernel, row, exact.data());
    scaled.assign(exact.begin(), exact.end());
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

// Of numbers: a coordinate is rounded in x and in z, and so is their difference; k changes by no more than the distance does,
// and the sum over d adds as many roundings of it, of which r e^(−r) < ½ is left.
// Of bits: a cosine is wrong by 4 roundings, and the angle by that over √(2(1 − cos)), which the numbers of bits keep from 0.
// A Tanimoto similarity is wrong by 3 roundings, its eighth power by 27.
double single_error(const RowKernel& kernel) {
  if (kernel.pool.kind() == PoolKind::numbers)
    return 4e-6 + 0x1p-24 * (4 * kernel.ranges.extent.cwiseQuotient(kernel.lengthscales).norm() + kernel.pool.num_features());
  return 1e-6 + 4e-7 * std::sqrt(kernel.pool.num_features() + 1 + kernel.bias * kernel.bias);
}

void kernel_block(const RowKernel& kernel, std::span<const std::int64_t> rows, const PreparedRows& Z, double* K) {
  parallel_blocks(static_cast<std::int64_t>(rows.size()), 64, [&](std::int64_t a, std::int64_t b) {
    for (std::int64_t i = a; i < b; ++i) kernel_row(kernel, rows[static_cast<std::size_t>(i)], Z, K + i * Z.size);
  });
}

}  // namespace salvo

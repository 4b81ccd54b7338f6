#include "compute/pool_rows.h"

#include <cmath>
#include <utility>

#include "compute/cpu/counts.h"
#include "compute/cpu/pool_loops.h"
#include "math/parallel.h"

namespace salvo::compute {
namespace {

// A row of numbers in length-scales from the low ends.
void scaled_row(const RowKernel& kernel, std::int64_t row, double* out) {
  const float* x = kernel.rows.numbers(row);
  for (Eigen::Index d = 0; d < kernel.lengthscales.size(); ++d)
    out[d] = (static_cast<double>(x[d]) - kernel.ranges.low(d)) / kernel.lengthscales(d);
}

}  // namespace

Rows Rows::of_bits(const std::uint64_t* words, std::int64_t size, int num_bits, std::shared_ptr<const void> owner) {
  Rows rows;
  rows.words_ = words;
  rows.size_ = size;
  rows.num_features_ = num_bits;
  rows.owner_ = std::move(owner);
  return rows;
}

Rows Rows::of_numbers(const float* numbers, std::int64_t size, int num_columns, std::shared_ptr<const void> owner) {
  Rows rows;
  rows.numbers_ = numbers;
  rows.size_ = size;
  rows.num_features_ = num_columns;
  rows.owner_ = std::move(owner);
  return rows;
}

ColumnRanges column_ranges(const Rows& rows) {
  const Eigen::Index d = rows.num_features();
  if (rows.are_bits()) return {};
  Eigen::ArrayXf low = Eigen::Map<const Eigen::ArrayXf>(rows.numbers(0), d), high = low;
  for (std::int64_t row = 1; row < rows.size(); ++row) {
    const Eigen::Map<const Eigen::ArrayXf> x(rows.numbers(row), d);
    low = low.min(x);
    high = high.max(x);
  }
  const Vector first = low.cast<double>().matrix(), extent = high.cast<double>().matrix() - first;
  return {first, (extent.array() > 0).select(extent, Vector::Ones(d))};
}

PreparedRows::PreparedRows(const RowKernel& kernel, std::span<const std::int64_t> rows) : size(static_cast<int>(rows.size())) {
  const Rows& all = kernel.rows;
  if (!all.are_bits()) {
    Matrix Z(static_cast<Eigen::Index>(rows.size()), all.num_features());
    for (Eigen::Index j = 0; j < Z.rows(); ++j) scaled_row(kernel, rows[static_cast<std::size_t>(j)], Z.row(j).data());
    points = ScaledPoints<double>(Z, Vector::Ones(Z.cols()));
    points_f = ScaledPoints<float>(Z, Vector::Ones(Z.cols()));
    return;
  }
  const int num_words = all.words_per_row();
  gap = static_cast<float>(0.25 / (all.num_features() + 1 + kernel.bias * kernel.bias));
  words.resize(static_cast<std::size_t>(num_words) * rows.size());
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const std::uint64_t* z = all.bits(rows[j]);
    for (int w = 0; w < num_words; ++w) words[static_cast<std::size_t>(w) * rows.size() + j] = z[w];
    ones.push_back(count_ones(z, num_words));
    ones_f.push_back(static_cast<float>(ones.back()));
    const double norm = std::sqrt(ones.back() + kernel.bias * kernel.bias);
    inverse_norms.push_back(norm > 0 ? static_cast<float>(1.0 / norm) : 0.0F);
  }
}

void kernel_row(const RowKernel& kernel, std::int64_t row, const PreparedRows& Z, double* k) {
  const Rows& all = kernel.rows;
  const auto m = static_cast<std::size_t>(Z.size);
  if (!all.are_bits()) {
    static thread_local std::vector<double> scaled;
    scaled.resize(static_cast<std::size_t>(all.num_features()));
    scaled_row(kernel, row, scaled.data());
    salvo::kernel_row(kernel.over_numbers, 1.0, scaled.data(), Z.points, k, nullptr);
    return;
  }
  const int words = all.words_per_row();
  const std::uint64_t* x = all.bits(row);
  static thread_local std::vector<std::uint32_t> counts;
  counts.resize(m);
  intersections(x, Z.words.data(), words, Z.size, counts.data());
  const double ones = count_ones(x, words);
  if (kernel.over_bits == BitKernel::tanimoto)
    tanimoto_row(counts.data(), ones, Z.ones.data(), kernel.power, Z.size, k);
  else
    arccosine_row(counts.data(), ones, Z.ones.data(), kernel.bias * kernel.bias, Z.size, k);
}

void kernel_row(const RowKernel& kernel, std::int64_t row, const PreparedRows& Z, float* k) {
  const Rows& all = kernel.rows;
  if (!all.are_bits()) {
    static thread_local std::vector<double> exact;
    static thread_local std::vector<float> scaled;
    exact.resize(static_cast<std::size_t>(all.num_features()));
    scaled_row(kernel, row, exact.data());
    scaled.assign(exact.begin(), exact.end());
    salvo::kernel_row(kernel.over_numbers, 1.0, scaled.data(), Z.points_f, k);
    return;
  }
  const int words = all.words_per_row();
  const std::uint64_t* x = all.bits(row);
  static thread_local std::vector<std::uint32_t> counts;
  counts.resize(static_cast<std::size_t>(Z.size));
  intersections(x, Z.words.data(), words, Z.size, counts.data());
  const auto ones = static_cast<float>(count_ones(x, words)), b2 = static_cast<float>(kernel.bias * kernel.bias);
  const bool angular = kernel.over_bits == BitKernel::arccosine;
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
  if (!kernel.rows.are_bits())
    return 4e-6 + 0x1p-24 * (4 * kernel.ranges.extent.cwiseQuotient(kernel.lengthscales).norm() + kernel.rows.num_features());
  return 1e-6 + 4e-7 * std::sqrt(kernel.rows.num_features() + 1 + kernel.bias * kernel.bias);
}

void kernel_block(const RowKernel& kernel, std::span<const std::int64_t> rows, const PreparedRows& Z, double* K) {
  parallel_blocks(static_cast<std::int64_t>(rows.size()), 64, [&](std::int64_t a, std::int64_t b) {
    for (std::int64_t i = a; i < b; ++i) kernel_row(kernel, rows[static_cast<std::size_t>(i)], Z, K + i * Z.size);
  });
}

}  // namespace salvo::compute

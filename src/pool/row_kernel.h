#pragma once
#include <salvo/kernel.h>
#include <salvo/pool.h>
#include <salvo/pool_model.h>

#include <span>
#include <vector>

#include "compute/rows.h"

namespace salvo {

// Where the columns of numbers begin and how far they reach; a column without extent reaches 1. None for bits.
struct ColumnRanges {
  Vector low, extent;  // [d]
};
[[nodiscard]] ColumnRanges column_ranges(const Pool& pool);

// The kernel between rows of a pool, with variance 1 (docs/math.md §11).
struct RowKernel {
  Pool pool;
  PoolKernelType type = PoolKernelType::arccosine;
  double bias = 1;        // b, arc-cosine only
  Vector lengthscales;    // of numbers: in the units of the columns
  int power = 1;          // p of Tanimoto: 1, 2, 4 or 8
  ColumnRanges ranges{};  // of numbers: they are counted from the low end, or single precision would see little of 2000 to 2020
};

[[nodiscard]] KernelType stationary(PoolKernelType type);  // of the kernels over numbers

// Inducing rows laid out for kernel_row.
struct PreparedRows {
  PreparedRows() = default;
  PreparedRows(const RowKernel& kernel, std::span<const std::int64_t> rows);
  int size = 0;
  std::vector<std::uint64_t> words;  // [words][size]
  std::vector<double> ones;          // |z|
  std::vector<float> inverse_norms;  // 1/√(|z| + b²), 0 for none
  float gap = 0;                     // a cosine nearer to 1 than this belongs to equal rows
  std::vector<float> ones_f;         // |z|
  ScaledPoints<double> points;       // numbers
  ScaledPoints<float> points_f;
};

// k[j] = k(row, z_j): in double precision, and in single with an error of at most single_error.
void kernel_row(const RowKernel& kernel, std::int64_t row, const PreparedRows& Z, double* k);
void kernel_row(const RowKernel& kernel, std::int64_t row, const PreparedRows& Z, float* k);
[[nodiscard]] double single_error(const RowKernel& kernel);
// K(rows, Z) [rows,m], in parallel.
void kernel_block(const RowKernel& kernel, std::span<const std::int64_t> rows, const PreparedRows& Z, double* K);

}  // namespace salvo

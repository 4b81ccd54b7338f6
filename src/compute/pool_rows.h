#pragma once
#include <salvo/kernel.h>

#include <memory>
#include <span>
#include <vector>

#include "compute/rows.h"

// What is computed over the rows of a pool is in three headers, pool_rows.h, pool_prior.h and pool_score.h: plain data in,
// results out. cpu/ has the versions for the CPU; another backend answers the same calls, and tests/compute holds it to them.
namespace salvo::compute {

// Rows of features, fingerprints of bits or numbers, one after the other. They stay where they were put, in a mapped file or
// a vector, and copies of a Rows share them.
class Rows {
 public:
  Rows() = default;
  // words [size, ⌈num_bits/64⌉]; bits past num_bits are 0. `owner` keeps what the pointer points at.
  [[nodiscard]] static Rows of_bits(const std::uint64_t* words, std::int64_t size, int num_bits,
                                    std::shared_ptr<const void> owner);
  // numbers [size, num_columns]
  [[nodiscard]] static Rows of_numbers(const float* numbers, std::int64_t size, int num_columns,
                                       std::shared_ptr<const void> owner);

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] bool are_bits() const { return words_ != nullptr; }
  [[nodiscard]] int num_features() const { return num_features_; }  // bits, or numbers
  [[nodiscard]] int words_per_row() const { return are_bits() ? (num_features_ + 63) / 64 : 0; }
  [[nodiscard]] const std::uint64_t* bits(std::int64_t row) const { return words_ + row * words_per_row(); }
  [[nodiscard]] const float* numbers(std::int64_t row) const { return numbers_ + row * num_features_; }

 private:
  const std::uint64_t* words_ = nullptr;
  const float* numbers_ = nullptr;
  std::int64_t size_ = 0;
  int num_features_ = 0;
  std::shared_ptr<const void> owner_;
};

// Where the columns of numbers begin and how far they reach; a column without extent reaches 1. None for bits.
struct ColumnRanges {
  Vector low, extent;  // [d]
};
[[nodiscard]] ColumnRanges column_ranges(const Rows& rows);

enum class BitKernel { arccosine, tanimoto };

// The kernel between rows, with variance 1 (docs/math.md §11).
struct RowKernel {
  Rows rows;
  // Over bits
  BitKernel over_bits = BitKernel::arccosine;
  double bias = 1;  // b, arc-cosine only
  int power = 1;    // p of Tanimoto: 1, 2, 4 or 8
  // Over numbers
  KernelType over_numbers = KernelType::matern52;
  Vector lengthscales{};  // in the units of the columns
  ColumnRanges ranges{};  // numbers are counted from the low end, or single precision would see little of 2000 to 2020
};

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

}  // namespace salvo::compute

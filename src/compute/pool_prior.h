#pragma once
#include <cstdint>
#include <vector>

#include "compute/pool_rows.h"

namespace salvo::compute {

// Random features of the prior with variance 1 (docs/math.md §11): f(x) ≈ constant g + scale Σ_r φ_r(x) w_r for standard
// normal g and w. Over bits φ_r is +1 or −1, kept as a bit; over numbers it is a cosine.
struct PriorFeatures {
  int num_features = 0;  // M
  int words = 0;         // of a row's bits
  double scale = 0;
  double constant = 0;                // standard deviation of the constant part
  std::vector<float> planes;          // arc-cosine: [num_bits + 1][64 words], the last row is the bias
  std::vector<std::uint16_t> hashes;  // Tanimoto: [p][num_bits][64 words], rank in the upper 15 bits, sign in the lowest
  std::vector<std::uint16_t> empty;   // of a fingerprint without bits: [p][64 words]
  int power = 1;                      // p: a feature is the product of so many signs
  ScaledPoints<double> frequencies;   // numbers, counted from the low ends of their columns
  Vector phases, low;
};

// φ of rows [begin, end) as bits, 1 for +1: [rows, words]. Sums of floats in the order of the bits: the same on every CPU.
void feature_bits(const PriorFeatures& features, const Rows& rows, std::int64_t begin, std::int64_t end, std::uint64_t* out);
// φ of one row: [M]; `bits` are those of feature_bits where they are known.
void feature_row(const PriorFeatures& features, const Rows& rows, std::int64_t row, double* phi,
                 const std::uint64_t* bits = nullptr);
void feature_row(const PriorFeatures& features, const Rows& rows, std::int64_t row, float* phi,
                 const std::uint64_t* bits = nullptr);

}  // namespace salvo::compute

#pragma once
#include <cstdint>

namespace salvo::compute {

// The innermost loops over inducing rows and features, compiled for several instruction sets and with -ffast-math (see
// CMakeLists.txt): without it acos stays scalar. Nothing here looks for NaN.

// k[j] from counts[j] = |x ∧ z_j|, the bits of x and of each z_j; power: 1, 2, 4 or 8.
void arccosine_row(const std::uint32_t* counts, double ones_x, const double* ones, double bias2, int size, double* k);
void tanimoto_row(const std::uint32_t* counts, double ones_x, const double* ones, int power, int size, double* k);

// In single precision. `gap`: a cosine nearer to 1 than this is 1.
void arccosine_row(const std::uint32_t* counts, float inverse_norm_x, const float* inverse_norms, float bias2, float gap,
                   int size, float* k);
void tanimoto_row(const std::uint32_t* counts, float ones_x, const float* ones, int power, int size, float* k);

// The largest dither: 255 and it are still below 256 in single precision, so that a level fits into a byte.
constexpr float kLargestDither = 0x1.fffep-1F;
// floor(top·κ + dither[j]) with κ = (x[j] + shift)·by, at least 0 and at most 1.
void levels_of(const float* x, float shift, float by, float top, const float* dither, int size, std::uint8_t* levels);

// Σ a b, in single precision over runs of 64 and in double over the runs: wrong by at most 2⁻¹⁸ Σ |a b|.
[[nodiscard]] double blocked_dot(const float* a, const float* b, int size);
// Σ (a − b)²
[[nodiscard]] std::uint32_t squared_distance(const std::uint8_t* a, const std::uint8_t* b, int size);
// Every bit becomes a byte of 0 or `value`.
void expand_bits(const std::uint64_t* bits, int words, std::uint8_t value, std::uint8_t* out);

// scores[b] = mean + base[b] + scale[b]·(products[b] − centre[b] + shared)
void scale_products(const std::int32_t* products, const std::int32_t* centre, const float* scale, const float* base, float shared,
                    float mean, int size, float* scores);
[[nodiscard]] float sum_of_squares(const float* x, int size);
// Whether any scores[b] + slope[b]·factor reaches its threshold.
[[nodiscard]] bool any_reaches(const float* scores, const float* slope, float factor, const float* thresholds, int size);

}  // namespace salvo::compute

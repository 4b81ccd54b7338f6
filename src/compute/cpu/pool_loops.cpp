#include "compute/cpu/pool_loops.h"

#include <cmath>
#include <cstring>

#include "compute/clones.h"

namespace salvo::compute {

SALVO_CLONES void arccosine_row(const std::uint32_t* counts, double ones_x, const double* ones, double bias2, int size,
                                double* k) {
  constexpr double kInversePi = 0.31830988618379067;
  const double norm = ones_x + bias2;
  for (int j = 0; j < size; ++j) {
    const double norms = norm * (ones[j] + bias2);
    const double cosine = (counts[j] + bias2) / std::sqrt(norms + 1e-300);
    k[j] = 1.0 - kInversePi * std::acos(cosine < 1.0 ? cosine : 1.0);
  }
  if (norm == 0)  // no bits and no bias: two such rows are the same
    for (int j = 0; j < size; ++j) k[j] = ones[j] == 0 ? 1.0 : 0.5;
}

SALVO_CLONES void tanimoto_row(const std::uint32_t* counts, double ones_x, const double* ones, int power, int size, double* k) {
  for (int j = 0; j < size; ++j) k[j] = counts[j] / (ones_x + ones[j] - counts[j] + 1e-300);
  for (; power > 1; power /= 2)
    for (int j = 0; j < size; ++j) k[j] *= k[j];
  if (ones_x == 0)
    for (int j = 0; j < size; ++j) k[j] = ones[j] == 0 ? 1.0 : 0.0;
}

namespace {

// acos(x) = √(1 − x) P(x) on [0, 1], to 2e-8 (Abramowitz & Stegun 4.4.46).
inline __attribute__((always_inline)) float angle(float cosine, float gap) {
  const float x = cosine < 1.0F ? cosine : 1.0F, rest = 1.0F - x;
  float p = -0.0012624911F;
  p = p * x + 0.0066700901F;
  p = p * x - 0.0170881256F;
  p = p * x + 0.0308918810F;
  p = p * x - 0.0501743046F;
  p = p * x + 0.0889789874F;
  p = p * x - 0.2145988016F;
  p = p * x + 1.5707963050F;
  return rest < gap ? 0.0F : std::sqrt(rest) * p;
}
inline __attribute__((always_inline)) float as_float(std::uint32_t count) {
  return static_cast<float>(static_cast<std::int32_t>(count));
}

}  // namespace

SALVO_CLONES void arccosine_row(const std::uint32_t* counts, float inverse_norm_x, const float* inverse_norms, float bias2,
                                float gap, int size, float* k) {
  constexpr float kInversePi = 0.31830989F;
  for (int j = 0; j < size; ++j)
    k[j] = 1.0F - kInversePi * angle((as_float(counts[j]) + bias2) * inverse_norm_x * inverse_norms[j], gap);
}

SALVO_CLONES void tanimoto_row(const std::uint32_t* counts, float ones_x, const float* ones, int power, int size, float* k) {
  for (int j = 0; j < size; ++j) {
    const float both = as_float(counts[j]);
    k[j] = both / (ones_x + ones[j] - both + 1e-30F);
  }
  for (; power > 1; power /= 2)
    for (int j = 0; j < size; ++j) k[j] *= k[j];
}

SALVO_CLONES void levels_of(const float* x, float shift, float by, float top, const float* dither, int size,
                            std::uint8_t* levels) {
  for (int j = 0; j < size; ++j) {
    const float share = (x[j] + shift) * by;
    const float inside = share < 0.0F ? 0.0F : (share > 1.0F ? 1.0F : share);
    levels[j] = static_cast<std::uint8_t>(static_cast<std::int32_t>(top * inside + dither[j]));
  }
}

SALVO_CLONES double blocked_dot(const float* a, const float* b, int size) {
  double sum = 0;
  for (int begin = 0; begin < size; begin += 64) {
    const int count = size - begin < 64 ? size - begin : 64;
    float run = 0;
    for (int j = 0; j < count; ++j) run += a[begin + j] * b[begin + j];
    sum += static_cast<double>(run);
  }
  return sum;
}

SALVO_CLONES std::uint32_t squared_distance(const std::uint8_t* a, const std::uint8_t* b, int size) {
  std::uint32_t sum = 0;
  for (int j = 0; j < size; ++j) {
    const std::int32_t d = static_cast<std::int32_t>(a[j]) - static_cast<std::int32_t>(b[j]);
    sum += static_cast<std::uint32_t>(d * d);
  }
  return sum;
}

void expand_bits(const std::uint64_t* bits, int words, std::uint8_t value, std::uint8_t* out) {
  for (int w = 0; w < words; ++w)
    for (int byte = 0; byte < 8; ++byte, out += 8) {
      // Eight bits, each moved to the lowest place of a byte of its own.
      const std::uint64_t b = (bits[w] >> (8 * byte)) & 0xffU;
      std::uint64_t spread = (b | (b << 28)) & 0x0000000f0000000fULL;
      spread = (spread | (spread << 14)) & 0x0003000300030003ULL;
      spread = ((spread | (spread << 7)) & 0x0101010101010101ULL) * value;
      std::memcpy(out, &spread, 8);
    }
}

SALVO_CLONES void scale_products(const std::int32_t* products, const std::int32_t* centre, const float* scale, const float* base,
                                 float shared, float mean, int size, float* scores) {
  for (int b = 0; b < size; ++b) scores[b] = mean + (base[b] + scale[b] * (static_cast<float>(products[b] - centre[b]) + shared));
}

SALVO_CLONES float sum_of_squares(const float* x, int size) {
  float sum = 0;
  for (int i = 0; i < size; ++i) sum += x[i] * x[i];
  return sum;
}

SALVO_CLONES bool any_reaches(const float* scores, const float* slope, float factor, const float* thresholds, int size) {
  int count = 0;
  for (int b = 0; b < size; ++b) count += scores[b] + slope[b] * factor >= thresholds[b] ? 1 : 0;
  return count > 0;
}

}  // namespace salvo::compute

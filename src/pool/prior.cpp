#include "pool/prior.h"

#include <fmt/core.h>
#include <salvo/fourier.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "compute/clones.h"

namespace salvo {
namespace {

constexpr int kMaxHashedBits = 32767;  // ranks have 15 bits
constexpr int kLanes = 64;             // features of a run: 128 KB of the table for 512 bits

// Vectors the compiler keeps in registers: sums in memory were four times slower.
using Floats = float __attribute__((vector_size(64), aligned(4), may_alias));
using Ranks = std::uint16_t __attribute__((vector_size(64), aligned(2), may_alias));

// The rows of the table that x selects, added up for one run of features.
SALVO_CLONES void add_rows(const float* table, std::ptrdiff_t stride, const int* chosen, int num_chosen, float* sums) {
  auto* out = reinterpret_cast<Floats*>(sums);
  Floats a = out[0], b = out[1], c = out[2], d = out[3];
  for (int i = 0; i < num_chosen; ++i) {
    const auto* t = reinterpret_cast<const Floats*>(table + chosen[i] * stride);
    a += t[0];
    b += t[1];
    c += t[2];
    d += t[3];
  }
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
}

// And their least.
SALVO_CLONES void least_of_rows(const std::uint16_t* table, std::ptrdiff_t stride, const int* chosen, int num_chosen,
                                std::uint16_t* least) {
  auto* out = reinterpret_cast<Ranks*>(least);
  Ranks a = out[0], b = out[1];
  for (int i = 0; i < num_chosen; ++i) {
    const auto* t = reinterpret_cast<const Ranks*>(table + chosen[i] * stride);
    a = a < t[0] ? a : t[0];
    b = b < t[1] ? b : t[1];
  }
  out[0] = a;
  out[1] = b;
}

void arccosine_planes(PriorFeatures& f, int num_bits, double bias, Key key) {
  const auto stride = static_cast<std::size_t>(f.words) * 64;
  std::vector<double> normals(static_cast<std::size_t>(f.num_features));
  f.planes.assign(stride * (static_cast<std::size_t>(num_bits) + 1), 0.0F);
  for (int i = 0; i <= num_bits; ++i) {
    key.fold(static_cast<std::uint64_t>(i)).fill_normal(normals);
    const double by = i == num_bits ? bias : 1.0;
    std::transform(normals.begin(), normals.end(), f.planes.begin() + static_cast<std::ptrdiff_t>(stride) * i,
                   [&](double g) { return static_cast<float>(by * g); });
  }
}

void tanimoto_hashes(PriorFeatures& f, int num_bits, int power, Key key) {
  if (num_bits > kMaxHashedBits)
    throw std::invalid_argument(
        fmt::format("the Tanimoto kernel takes fingerprints of at most {} bits, got {}: fold them", kMaxHashedBits, num_bits));
  const auto stride = static_cast<std::size_t>(f.words) * 64, table = stride * static_cast<std::size_t>(num_bits);
  const auto p = static_cast<std::size_t>(power);
  f.power = power;
  f.hashes.assign(p * table, 0);
  f.empty.assign(p * stride, 0);
  std::vector<std::uint16_t> order(static_cast<std::size_t>(num_bits));
  for (std::size_t q = 0; q < p * stride; ++q) {
    const Key mine = key.fold(q);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[mine.at(i).below(i)]);
    const Key signs = mine.fold("signs");
    std::uint16_t* column = f.hashes.data() + q / stride * table + q % stride;
    for (std::size_t i = 0; i < order.size(); ++i)
      column[i * stride] = static_cast<std::uint16_t>(std::uint64_t{2} * order[i] + (signs.bits(i) & 1U));
    f.empty[q] = static_cast<std::uint16_t>(65534U + (signs.bits(order.size()) & 1U));
  }
}

// Positions of x's bits.
int set_bits(const std::uint64_t* x, int words, int* out) {
  int count = 0;
  for (int w = 0; w < words; ++w)
    for (std::uint64_t rest = x[w]; rest != 0; rest &= rest - 1) out[count++] = 64 * w + std::countr_zero(rest);
  return count;
}

}  // namespace

PriorFeatures::PriorFeatures(const RowKernel& kernel, int M, std::uint64_t seed) : num_features(M), words((M + 63) / 64) {
  const Key key = Key(seed).fold("prior");
  const int size = kernel.pool.num_features();
  switch (kernel.type) {
    case PoolKernelType::arccosine:
      scale = std::sqrt(0.5 / M);
      constant = std::sqrt(0.5);
      arccosine_planes(*this, size, kernel.bias, key);
      return;
    case PoolKernelType::tanimoto:
      scale = std::sqrt(1.0 / M);
      tanimoto_hashes(*this, size, kernel.power, key);
      return;
    default:
      break;
  }
  const FourierFeatures waves = fourier_features({stationary(kernel.type), 1.0, kernel.lengthscales}, M, key);
  scale = waves.scale;
  frequencies = ScaledPoints<double>(waves.W, Vector::Ones(size));
  phases = waves.b;
  low = kernel.ranges.low;
  words = 0;
}

void feature_bits(const PriorFeatures& f, const Pool& pool, std::int64_t begin_row, std::int64_t end_row, std::uint64_t* out) {
  static thread_local std::vector<int> chosen;
  chosen.resize(static_cast<std::size_t>(pool.num_features()));
  const std::ptrdiff_t stride = std::ptrdiff_t{64} * f.words;
  // One run of features for all rows before the next: its part of the table stays in the cache, four times as fast.
  for (std::ptrdiff_t begin = 0; begin < stride; begin += kLanes)
    for (std::int64_t row = begin_row; row < end_row; ++row) {
      const int count = set_bits(pool.bits(row), pool.words_per_row(), chosen.data());
      std::uint64_t bits = 0;
      if (!f.planes.empty()) {
        float sums[kLanes];
        const float* bias = f.planes.data() + static_cast<std::ptrdiff_t>(pool.num_features()) * stride + begin;
        std::copy(bias, bias + kLanes, sums);
        add_rows(f.planes.data() + begin, stride, chosen.data(), count, sums);
        for (int r = 0; r < kLanes; ++r) bits |= static_cast<std::uint64_t>(sums[r] >= 0) << r;
      } else {
        for (std::ptrdiff_t q = 0; q < f.power; ++q) {
          std::uint16_t least[kLanes];
          const std::uint16_t* empty = f.empty.data() + q * stride + begin;
          std::copy(empty, empty + kLanes, least);
          least_of_rows(f.hashes.data() + q * pool.num_features() * stride + begin, stride, chosen.data(), count, least);
          for (int r = 0; r < kLanes; ++r) bits ^= static_cast<std::uint64_t>(least[r] & 1U) << r;  // product of signs
        }
        if (f.power % 2 == 0) bits = ~bits;  // a 1 stands for +1, and (−1)(−1) = +1
      }
      out[(row - begin_row) * f.words + begin / kLanes] = bits;
    }
}

namespace {

template <class T>
void signs(const PriorFeatures& f, const Pool& pool, std::int64_t row, T* phi, const std::uint64_t* bits) {
  static thread_local std::vector<std::uint64_t> computed;
  if (!bits) {
    computed.resize(static_cast<std::size_t>(f.words));
    feature_bits(f, pool, row, row + 1, computed.data());
    bits = computed.data();
  }
  for (int r = 0; r < f.num_features; ++r) phi[r] = static_cast<T>(2 * static_cast<int>((bits[r / 64] >> (r % 64)) & 1U) - 1);
}

}  // namespace

void feature_row(const PriorFeatures& f, const Pool& pool, std::int64_t row, double* phi, const std::uint64_t* bits) {
  if (f.words > 0) {
    signs(f, pool, row, phi, bits);
    return;
  }
  const float* x = pool.numbers(row);
  static thread_local std::vector<double> point, phase;
  point.resize(static_cast<std::size_t>(pool.num_features()));
  phase.resize(static_cast<std::size_t>(f.num_features));
  for (std::size_t d = 0; d < point.size(); ++d) point[d] = static_cast<double>(x[d]) - f.low(static_cast<Eigen::Index>(d));
  phases(point.data(), f.frequencies, f.phases.data(), phase.data());
  cosines(phase.data(), f.num_features, phi);
}

// A phase may be thousands of turns (the frequencies of Matérn 1/2 have no variance): cosines of numbers come from double.
void feature_row(const PriorFeatures& f, const Pool& pool, std::int64_t row, float* phi, const std::uint64_t* bits) {
  if (f.words > 0) return signs(f, pool, row, phi, bits);
  static thread_local std::vector<double> exact;
  exact.resize(static_cast<std::size_t>(f.num_features));
  feature_row(f, pool, row, exact.data());
  std::transform(exact.begin(), exact.end(), phi, [](double value) { return static_cast<float>(value); });
}

}  // namespace salvo

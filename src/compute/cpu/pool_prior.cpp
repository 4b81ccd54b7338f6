#include "compute/pool_prior.h"

#include <algorithm>
#include <bit>

#include "compute/clones.h"

namespace salvo::compute {
namespace {

constexpr int kLanes = 64;  // features of a run: 128 KB of the table for 512 bits

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

// Positions of x's bits.
int set_bits(const std::uint64_t* x, int words, int* out) {
  int count = 0;
  for (int w = 0; w < words; ++w)
    for (std::uint64_t rest = x[w]; rest != 0; rest &= rest - 1) out[count++] = 64 * w + std::countr_zero(rest);
  return count;
}

}  // namespace

void feature_bits(const PriorFeatures& f, const Rows& rows, std::int64_t begin_row, std::int64_t end_row, std::uint64_t* out) {
  static thread_local std::vector<int> chosen;
  chosen.resize(static_cast<std::size_t>(rows.num_features()));
  const std::ptrdiff_t stride = std::ptrdiff_t{64} * f.words;
  // One run of features for all rows before the next: its part of the table stays in the cache, four times as fast.
  for (std::ptrdiff_t begin = 0; begin < stride; begin += kLanes)
    for (std::int64_t row = begin_row; row < end_row; ++row) {
      const int count = set_bits(rows.bits(row), rows.words_per_row(), chosen.data());
      std::uint64_t bits = 0;
      if (!f.planes.empty()) {
        float sums[kLanes];
        const float* bias = f.planes.data() + static_cast<std::ptrdiff_t>(rows.num_features()) * stride + begin;
        std::copy(bias, bias + kLanes, sums);
        add_rows(f.planes.data() + begin, stride, chosen.data(), count, sums);
        for (int r = 0; r < kLanes; ++r) bits |= static_cast<std::uint64_t>(sums[r] >= 0) << r;
      } else {
        for (std::ptrdiff_t q = 0; q < f.power; ++q) {
          std::uint16_t least[kLanes];
          const std::uint16_t* empty = f.empty.data() + q * stride + begin;
          std::copy(empty, empty + kLanes, least);
          least_of_rows(f.hashes.data() + q * rows.num_features() * stride + begin, stride, chosen.data(), count, least);
          for (int r = 0; r < kLanes; ++r) bits ^= static_cast<std::uint64_t>(least[r] & 1U) << r;  // product of signs
        }
        if (f.power % 2 == 0) bits = ~bits;  // a 1 stands for +1, and (−1)(−1) = +1
      }
      out[(row - begin_row) * f.words + begin / kLanes] = bits;
    }
}

namespace {

template <class T>
void signs(const PriorFeatures& f, const Rows& rows, std::int64_t row, T* phi, const std::uint64_t* bits) {
  static thread_local std::vector<std::uint64_t> computed;
  if (!bits) {
    computed.resize(static_cast<std::size_t>(f.words));
    feature_bits(f, rows, row, row + 1, computed.data());
    bits = computed.data();
  }
  for (int r = 0; r < f.num_features; ++r) phi[r] = static_cast<T>(2 * static_cast<int>((bits[r / 64] >> (r % 64)) & 1U) - 1);
}

}  // namespace

void feature_row(const PriorFeatures& f, const Rows& rows, std::int64_t row, double* phi, const std::uint64_t* bits) {
  if (f.words > 0) {
    signs(f, rows, row, phi, bits);
    return;
  }
  const float* x = rows.numbers(row);
  static thread_local std::vector<double> point, phase;
  point.resize(static_cast<std::size_t>(rows.num_features()));
  phase.resize(static_cast<std::size_t>(f.num_features));
  for (std::size_t d = 0; d < point.size(); ++d) point[d] = static_cast<double>(x[d]) - f.low(static_cast<Eigen::Index>(d));
  salvo::phases(point.data(), f.frequencies, f.phases.data(), phase.data());
  cosines(phase.data(), f.num_features, phi);
}

// A phase may be thousands of turns (the frequencies of Matérn 1/2 have no variance): cosines of numbers come from double.
void feature_row(const PriorFeatures& f, const Rows& rows, std::int64_t row, float* phi, const std::uint64_t* bits) {
  if (f.words > 0) return signs(f, rows, row, phi, bits);
  static thread_local std::vector<double> exact;
  exact.resize(static_cast<std::size_t>(f.num_features));
  feature_row(f, rows, row, exact.data());
  std::transform(exact.begin(), exact.end(), phi, [](double value) { return static_cast<float>(value); });
}

}  // namespace salvo::compute

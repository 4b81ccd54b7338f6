#include "compute/cpu/counts.h"

#include <bit>
#include <cstddef>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace salvo::compute {
namespace {

using Counter = void(const std::uint64_t* x, const std::uint64_t* Z, int words, int size, std::uint32_t* c);

__attribute__((always_inline)) inline void count(const std::uint64_t* x, const std::uint64_t* Z, int words, int size,
                                                 std::uint32_t* c) {
  constexpr int kBlock = 64;  // sums that stay in registers
  for (int begin = 0; begin < size; begin += kBlock) {
    const int width = size - begin < kBlock ? size - begin : kBlock;
    std::uint64_t sums[kBlock] = {};
    for (int w = 0; w < words; ++w) {
      const std::uint64_t* z = Z + static_cast<std::ptrdiff_t>(w) * size + begin;
      const std::uint64_t bits = x[w];
      if (width == kBlock)
        for (int j = 0; j < kBlock; ++j) sums[j] += static_cast<std::uint64_t>(__builtin_popcountll(bits & z[j]));
      else
        for (int j = 0; j < width; ++j) sums[j] += static_cast<std::uint64_t>(__builtin_popcountll(bits & z[j]));
    }
    for (int j = 0; j < width; ++j) c[begin + j] = static_cast<std::uint32_t>(sums[j]);
  }
}

void count_plain(const std::uint64_t* x, const std::uint64_t* Z, int words, int size, std::uint32_t* c) {
  count(x, Z, words, size, c);
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) void count_popcnt(const std::uint64_t* x, const std::uint64_t* Z, int words, int size,
                                                    std::uint32_t* c) {
  count(x, Z, words, size, c);
}
// By hand: the compiler keeps the sums of the plain loop in memory, at half the speed.
__attribute__((target("avx512f,avx512vl,avx512vpopcntdq"))) void count_vpopcntdq(const std::uint64_t* x, const std::uint64_t* Z,
                                                                                 int words, int size, std::uint32_t* c) {
  constexpr int kVectors = 8, kWidth = 8 * kVectors;
  int begin = 0;
  for (; begin + kWidth <= size; begin += kWidth) {
    __m512i sums[kVectors];
    for (auto& sum : sums) sum = _mm512_setzero_si512();
    for (int w = 0; w < words; ++w) {
      const std::uint64_t* z = Z + static_cast<std::ptrdiff_t>(w) * size + begin;
      const __m512i bits = _mm512_set1_epi64(static_cast<long long>(x[w]));
      for (int v = 0; v < kVectors; ++v)
        sums[v] =
            _mm512_add_epi64(sums[v], _mm512_popcnt_epi64(_mm512_and_si512(bits, _mm512_loadu_si512(z + std::ptrdiff_t{8} * v))));
    }
    for (int v = 0; v < kVectors; ++v)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(c + begin + std::ptrdiff_t{8} * v),
                          _mm512_maskz_cvtepi64_epi32(0xff, sums[v]));
  }
  for (; begin < size; ++begin) {
    std::uint64_t sum = 0;
    for (int w = 0; w < words; ++w)
      sum += static_cast<std::uint64_t>(__builtin_popcountll(x[w] & Z[static_cast<std::ptrdiff_t>(w) * size + begin]));
    c[begin] = static_cast<std::uint32_t>(sum);
  }
}
Counter* fastest() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vl")) return count_vpopcntdq;
  return __builtin_cpu_supports("popcnt") ? count_popcnt : count_plain;
}
#else
Counter* fastest() { return count_plain; }
#endif

}  // namespace

void intersections(const std::uint64_t* x, const std::uint64_t* Z, int words, int size, std::uint32_t* c) {
  static Counter* const counter = fastest();
  counter(x, Z, words, size, c);
}

std::uint32_t count_ones(const std::uint64_t* x, int words) {
  std::uint32_t sum = 0;
  for (int w = 0; w < words; ++w) sum += static_cast<std::uint32_t>(std::popcount(x[w]));
  return sum;
}

}  // namespace salvo::compute

#include "math/sobol.h"

#include <fmt/format.h>

#include <boost/random/sobol.hpp>
#include <cstdint>
#include <stdexcept>

namespace salvo {
namespace {

constexpr int kScrambledBits = 32;  // 2^32 points stay stratified; the bits below are plainly random
constexpr int kBits = 53;           // of a double

// Flips each bit by a random bit that belongs to the bits above it, so equal prefixes stay equal.
std::uint64_t scramble(std::uint64_t x, Key key) {
  std::uint64_t out = 0;
  for (int level = 0; level < kScrambledBits; ++level) {
    const std::uint64_t node = std::uint64_t{1} << level | (level == 0 ? 0 : x >> (64 - level));
    const std::uint64_t bit = x >> (63 - level) & 1;
    out = out << 1 | (bit ^ (key.bits(node) & 1));
  }
  const std::uint64_t rest = key.fold("rest").bits(x) >> (64 - (kBits - kScrambledBits));
  return out << (kBits - kScrambledBits) | rest;
}

}  // namespace

Matrix sobol(int first, int count, int dims, Key key) {
  if (first < 0 || count < 0) {
    throw std::invalid_argument(fmt::format("sobol: expected first ≥ 0 and count ≥ 0, got {} and {}", first, count));
  }
  if (dims < 1 || dims > kMaxSobolDims) {
    throw std::invalid_argument(fmt::format("sobol: expected 1 to {} dimensions, got {}", kMaxSobolDims, dims));
  }
  Matrix U(count, dims);
  boost::random::sobol engine(dims);  // its sequence begins after the origin
  if (first > 1) engine.seed(static_cast<std::uint64_t>(first) - 1);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < dims; ++j) {
      const std::uint64_t x = first + i == 0 ? 0 : engine();
      U(i, j) = static_cast<double>(scramble(x, key.fold(static_cast<std::uint64_t>(j)))) * 0x1p-53;
    }
  }
  return U;
}

}  // namespace salvo

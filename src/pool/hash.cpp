#include "pool/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "math/parallel.h"

namespace salvo {
namespace {

static_assert(std::endian::native == std::endian::little, "pool files and their hashes are little-endian");

constexpr std::uint64_t kOdd[4] = {0x9e3779b97f4a7c15ULL, 0xc2b2ae3d27d4eb4fULL, 0x165667b19e3779f9ULL, 0xd6e8feb86659fd93ULL};

// Every step is a bijection of the lane, so that two inputs that differ in one word never meet.
std::uint64_t mix(std::uint64_t lane, std::uint64_t word, std::uint64_t odd) { return std::rotl((lane ^ word) * odd, 29); }

std::uint64_t finish(std::uint64_t h) {
  h = (h ^ (h >> 32)) * kOdd[1];
  h = (h ^ (h >> 29)) * kOdd[0];
  return h ^ (h >> 32);
}

}  // namespace

std::uint64_t hash_bytes(const void* bytes, std::size_t size, std::uint64_t seed) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  std::uint64_t lanes[4] = {seed, ~seed, seed ^ kOdd[2], seed ^ kOdd[3]};
  std::size_t left = size;
  for (; left >= 32; left -= 32, at += 32) {  // four lanes: the multiplications overlap
    std::uint64_t words[4];
    std::memcpy(words, at, sizeof words);
    for (int i = 0; i < 4; ++i) lanes[i] = mix(lanes[i], words[i], kOdd[i]);
  }
  std::uint64_t h = size * kOdd[3];
  for (int i = 0; i < 4; ++i) h = mix(h, lanes[i], kOdd[i]);
  while (left > 0) {
    std::uint64_t word = 0;
    const std::size_t count = std::min<std::size_t>(left, sizeof word);
    std::memcpy(&word, at, count);
    h = mix(h, word, kOdd[0]);
    at += count;
    left -= count;
  }
  return finish(h);
}

std::uint64_t hash_blocks(std::size_t size, const ReadBlock& read) {
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  std::vector<std::uint64_t> blocks((size + kBlock - 1) / kBlock);
  parallel_for(static_cast<std::int64_t>(blocks.size()), [&](std::int64_t i) {
    thread_local std::vector<char> room;
    const std::size_t begin = static_cast<std::size_t>(i) * kBlock, count = std::min(kBlock, size - begin);
    blocks[static_cast<std::size_t>(i)] = hash_bytes(read(begin, count, room), count, static_cast<std::uint64_t>(i));
  });
  return hash_bytes(blocks.data(), blocks.size() * sizeof(std::uint64_t), size);
}

std::uint64_t hash_blocks(const void* bytes, std::size_t size) {
  return hash_blocks(size,
                     [&](std::size_t begin, std::size_t, std::vector<char>&) { return static_cast<const char*>(bytes) + begin; });
}

}  // namespace salvo

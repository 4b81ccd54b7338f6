#pragma once
#include <salvo/random.h>

#include <array>
#include <bit>
#include <cstdint>

namespace salvo::compute {

// A random subset of `size` of the numbers 0 … total − 1 that can be asked without being listed: i is in it when a keyed
// permutation (a Feistel network, walked until it lands below total) puts it among the first `size`. Plain data.
struct RandomSubset {
  RandomSubset(std::int64_t total_, std::int64_t size_, Key key)
      : total(static_cast<std::uint64_t>(total_)), size(static_cast<std::uint64_t>(size_)) {
    half = (std::bit_width(total - 1) + 1) / 2;
    if (half == 0) half = 1;
    for (std::size_t i = 0; i < round_keys.size(); ++i) round_keys[i] = key.bits(i);
  }
  [[nodiscard]] bool contains(std::int64_t i) const {
    auto at = static_cast<std::uint64_t>(i);
    do at = permute(at);
    while (at >= total);
    return at < size;
  }
  [[nodiscard]] std::uint64_t permute(std::uint64_t x) const {
    const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    std::uint64_t left = x >> half, right = x & mask;
    for (const std::uint64_t key : round_keys) {
      std::uint64_t h = (right + 1) * 0x9e3779b97f4a7c15ULL ^ key;
      h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
      h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
      const std::uint64_t next = left ^ ((h ^ (h >> 32)) & mask);
      left = right;
      right = next;
    }
    return (left << half) | right;
  }

  std::uint64_t total, size;
  int half = 1;  // bits of each half of a number
  std::array<std::uint64_t, 6> round_keys{};
};

}  // namespace salvo::compute

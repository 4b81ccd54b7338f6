#pragma once
#include <salvo/random.h>

#include <array>
#include <bit>
#include <cstdint>

namespace salvo {

// A random subset of `size` of the numbers 0 … total − 1 that can be asked without being listed: i is in it when a keyed
// permutation (a Feistel network, walked until it lands below total) puts it among the first `size`.
class RandomSubset {
 public:
  RandomSubset(std::int64_t total, std::int64_t size, Key key)
      : total_(static_cast<std::uint64_t>(total)), size_(static_cast<std::uint64_t>(size)) {
    half_ = (std::bit_width(total_ - 1) + 1) / 2;
    if (half_ == 0) half_ = 1;
    for (std::size_t i = 0; i < round_keys_.size(); ++i) round_keys_[i] = key.bits(i);
  }
  [[nodiscard]] bool contains(std::int64_t i) const {
    auto at = static_cast<std::uint64_t>(i);
    do at = permute(at);
    while (at >= total_);
    return at < size_;
  }

 private:
  [[nodiscard]] std::uint64_t permute(std::uint64_t x) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
    std::uint64_t left = x >> half_, right = x & mask;
    for (const std::uint64_t key : round_keys_) {
      std::uint64_t h = (right + 1) * 0x9e3779b97f4a7c15ULL ^ key;
      h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
      h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
      const std::uint64_t next = left ^ ((h ^ (h >> 32)) & mask);
      left = right;
      right = next;
    }
    return (left << half_) | right;
  }
  std::uint64_t total_, size_;
  int half_ = 1;
  std::array<std::uint64_t, 6> round_keys_{};
};

}  // namespace salvo

#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace salvo {

// A key of the counter-based generator (Philox 4x64, Random123). Numbers are a pure function of the key and
// their index, so a result depends neither on the number of threads nor on where a run was interrupted.
// Derive a key for every purpose: key.fold("draw").fold(step).
class Key {
 public:
  explicit Key(std::uint64_t seed) : hi_(seed), lo_(0x53414c564f00ULL) {}
  [[nodiscard]] Key fold(std::uint64_t value) const;
  [[nodiscard]] Key fold(std::string_view purpose) const;

  [[nodiscard]] std::uint64_t bits(std::uint64_t index) const;  // 64 random bits
  [[nodiscard]] double uniform(std::uint64_t index) const;      // in (0, 1)

  // A whole number in [0, bound), key.at(index).below(bound): two numbers in one call would be easy to swap.
  struct Draw {
    std::uint64_t bits;
    [[nodiscard]] std::uint64_t below(std::uint64_t bound) const;
  };
  [[nodiscard]] Draw at(std::uint64_t index) const { return {bits(index)}; }

  void fill_uniform(std::span<double> out) const;  // in (0, 1)
  void fill_normal(std::span<double> out) const;   // N(0, 1)

 private:
  Key(std::uint64_t hi, std::uint64_t lo) : hi_(hi), lo_(lo) {}
  std::uint64_t hi_, lo_;
};

}  // namespace salvo

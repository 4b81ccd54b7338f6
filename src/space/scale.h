#pragma once
#include <salvo/space.h>

#include <cstdint>

// One number and its place in [0,1], on a linear or a log scale.
// Decoding gives numbers that may be handed out, on the domain's grid. Both functions are exact at the ends, monotone, and
// encode(decode(u)) is idempotent.
namespace salvo {

[[nodiscard]] double encode_number(const Float& domain, double value);
[[nodiscard]] double decode_number(const Float& domain, double u);
[[nodiscard]] double number_slope(const Float& domain, double u);  // of the number, of no grid, with respect to u

[[nodiscard]] double encode_number(const Int& domain, std::int64_t value);
[[nodiscard]] std::int64_t decode_number(const Int& domain, double u);

// The number that a uniform u in [0,1) stands for: on a linear scale every level of a grid has the same width, every integer that
// of its own cell.
[[nodiscard]] double pick_number(const Float& domain, double u);
[[nodiscard]] std::int64_t pick_number(const Int& domain, double u);

// Wider ranges could not be told apart in one double coordinate.
inline constexpr std::int64_t kMaxIntSpan = std::int64_t{1} << 50;
inline constexpr std::int64_t kMaxLogInt = std::int64_t{1} << 44;

}  // namespace salvo

#pragma once
#include <cstdint>

namespace salvo::compute {

// c[j] = |x ∧ z_j| for Z [words][size], word by word, so that loops over j vectorise. Compiled for several instruction
// sets and chosen at run time.
void intersections(const std::uint64_t* x, const std::uint64_t* Z, int words, int size, std::uint32_t* c);
[[nodiscard]] std::uint32_t count_ones(const std::uint64_t* x, int words);

}  // namespace salvo::compute

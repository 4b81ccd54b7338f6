#pragma once
#include <salvo/pool.h>
#include <salvo/random.h>

#include <cstdint>
#include <vector>

namespace salvo::experiments {

// A library of made fingerprints that look like molecules: each belongs to one of `num_families`, takes most of its family's
// bits and some of its own, common bits more often than rare ones. About 70 of 512 bits are set.
[[nodiscard]] Pool made_library(std::int64_t size, int num_bits, int num_families, Key key);

}  // namespace salvo::experiments

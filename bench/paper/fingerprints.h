#pragma once
#include <salvo/pool.h>

#include <string>
#include <utility>
#include <vector>

namespace salvo::bench {

// Fingerprints in hexadecimal, the low bit of each byte first, one for each row's text.
[[nodiscard]] Pool fingerprints(const std::vector<std::pair<std::string, double>>& rows, int radius, int num_bits);

}  // namespace salvo::bench

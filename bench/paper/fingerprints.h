#pragma once
#include <salvo/pool.h>

#include <string>
#include <utility>
#include <vector>

namespace salvo::bench {

// The fingerprint of each row's text: of its SMILES, or where SMILES cannot be read the text itself, in hexadecimal with the
// low bit of each byte first.
[[nodiscard]] Pool fingerprints(const std::vector<std::pair<std::string, double>>& rows, int radius, int num_bits);

}  // namespace salvo::bench

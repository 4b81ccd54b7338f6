#pragma once
#include <salvo/pool.h>

#include <string>
#include <utility>
#include <vector>

namespace salvo::experiments {

// The Morgan fingerprint of each row's SMILES.
[[nodiscard]] Pool fingerprints(const std::vector<std::pair<std::string, double>>& rows, int radius, int num_bits);

}  // namespace salvo::experiments

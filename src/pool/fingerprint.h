#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace salvo {

// Morgan fingerprints of molecules by RDKit, bit for bit as its Python package makes them. Any number of threads may
// call it at once. Without RDKit (src/pool/rdkit/none.cpp) the constructor throws Error.
class Morgan {
 public:
  Morgan(int radius, int num_bits);
  // Sets the bits of the molecule in words [⌈num_bits/64⌉], which are zero before. Gives why it cannot, or nothing.
  [[nodiscard]] std::string fingerprint(const std::string& smiles, std::span<std::uint64_t> words) const;
  [[nodiscard]] static std::string version();  // of RDKit

 private:
  [[maybe_unused]] int radius_, num_bits_;  // not without RDKit
};

}  // namespace salvo

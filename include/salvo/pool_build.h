#pragma once
#include <salvo/pool.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

struct PoolBuildProgress {
  std::int64_t rows = 0;  // read so far
  double share = -1;      // of the library's bytes; −1: not known
};

// Where the candidates are and what their features are. One of smiles, hex and features at most.
struct PoolBuildOptions {
  std::string library{};                // CSV, SMI (a SMILES and an id a line), NPY or NPZ, each also as .gz; "-": CSV
  std::string smiles{};                 // column of SMILES, made into Morgan fingerprints
  std::string hex{};                    // column of fingerprints in hexadecimal, the low bit of each byte first (FPS)
  std::vector<std::string> features{};  // columns of numbers; none of the three: every column whose first cell is a number
  std::string id{};                     // column of ids; empty: "id" if there is one, else the SMILES, else the row's number
  std::vector<std::string> keep{};      // columns kept as text, no features: for placeholders and known values
  std::string array{};                  // of an NPZ; empty: the only one of two dimensions
  bool packed = false;                  // rows of uint8 in an NPY are bits, as numpy.packbits makes them
  int radius = 3;                       // of the Morgan fingerprints
  int bits = 0;                         // of a fingerprint; 0: 512 for SMILES, all there are for the others
  std::string bad_rows{};               // CSV file for SMILES that cannot be read; empty: none
  std::function<void(const PoolBuildProgress&)> progress{};

  // For the words of errors, which speak to whoever chose the options: what the library is called, when not by its path, and
  // how an option is written there, alone or with a value ("--hex COLUMN"). Without spelling: as here, "hex = COLUMN".
  std::string name{};
  std::function<std::string(std::string_view option, std::string_view value)> spelling{};
  [[nodiscard]] std::string called() const;
  [[nodiscard]] std::string spelt(std::string_view option, std::string_view value = {}) const;

  void validate() const;  // throws std::invalid_argument
};

struct PoolBuildSummary {
  std::int64_t num_rows = 0;                // read
  std::int64_t num_candidates = 0;          // with distinct features
  std::int64_t num_duplicates = 0;          // rows with the features of an earlier one: further ids of it
  std::int64_t num_bad = 0;                 // rows left out
  std::vector<std::string> bad_examples{};  // the first few, with their lines
  double seconds = 0;
};

// Reads a library row by row and writes the pool file, whole or not at all: memory holds some forty bytes a candidate.
// SMILES that cannot be read are left out and listed. Throws InputError with file and line: no rows, ragged rows, a
// feature that is not finite, one id for two candidates, no SMILES that can be read; Error when the disk fails, or when a
// library of SMILES is asked of a build without RDKit.
PoolBuildSummary build_pool(const PoolBuildOptions& options, const std::string& path);
// The same without a file of its own: the pages are those of one without a name in the folder for temporary files.
[[nodiscard]] Pool read_pool(const PoolBuildOptions& options);

[[nodiscard]] bool has_rdkit();  // can this build read SMILES?

}  // namespace salvo

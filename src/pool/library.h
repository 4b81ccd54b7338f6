#pragma once
#include <salvo/pool.h>
#include <salvo/pool_build.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace salvo {

// What every row of a library has.
struct LibraryLayout {
  PoolKind kind = PoolKind::bits;
  int num_features = 0;
  std::vector<std::string> columns{};  // of numbers
  std::vector<std::string> kept{};     // columns kept as text
  int id_kept = -1;                    // the kept column whose texts are the ids
  std::string made_by{};
};

// Some thousands of rows of a library.
struct LibraryRows {
  std::vector<std::size_t> lines{};  // where each is, from 1
  std::vector<std::string> ids{};
  std::vector<std::string> kept{};      // [rows, kept]
  std::vector<std::uint64_t> words{};   // [rows, words_per_row] of bits
  std::vector<float> numbers{};         // [rows, d] of numbers
  std::vector<std::string> problems{};  // why a row is left out; empty for the others
  [[nodiscard]] std::size_t size() const { return lines.size(); }
};

// A library that is read from its beginning to its end. Throws InputError with file and line.
class Library {
 public:
  virtual ~Library() = default;
  [[nodiscard]] virtual const LibraryLayout& layout() const = 0;
  virtual bool next(LibraryRows& rows) = 0;        // false at the end
  [[nodiscard]] virtual double share() const = 0;  // read so far; −1: not known
};

[[nodiscard]] std::unique_ptr<Library> open_csv_library(const PoolBuildOptions& options);
[[nodiscard]] std::unique_ptr<Library> open_numpy_library(const PoolBuildOptions& options, const std::string& folder);

}  // namespace salvo

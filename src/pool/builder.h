#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pool/library.h"
#include "pool/mapped_file.h"
#include "pool/table.h"

namespace salvo {

// Collects candidates in files without a name beside the pool to be, finds those with equal features, and writes it.
class PoolBuilder {
 public:
  PoolBuilder(const LibraryLayout& layout, const std::string& folder, std::string library);
  void add(const LibraryRows& rows);  // those without a problem
  [[nodiscard]] std::int64_t num_candidates() const { return static_cast<std::int64_t>(hashes_.size()); }
  [[nodiscard]] std::int64_t num_duplicates() const { return num_duplicates_; }
  // Throws InputError when one id means two candidates.
  void write(const std::string& path);

 private:
  struct TextSpill {
    explicit TextSpill(const std::string& folder) : letters(folder), ends(folder) {}
    void append(const std::string& text);
    Spill letters, ends;  // ends in 8 bytes
  };
  void add_row(const LibraryRows& rows, std::size_t i);
  std::int64_t find_or_insert(const char* features);  // the row of an equal candidate, −1: it is new now
  void grow();

  LibraryLayout layout_;
  std::string folder_, library_;
  std::size_t row_bytes_;
  Spill features_, lines_;
  TextSpill ids_;
  std::vector<TextSpill> kept_;
  struct Further {
    std::uint32_t row;
    std::string id;
    std::size_t line;
  };
  std::vector<Further> further_;
  std::vector<std::uint64_t> hashes_;  // of the features of each row
  std::vector<std::uint32_t> slots_;   // hash table of rows + 1; 0: free
  std::vector<char> scratch_;
  std::int64_t num_duplicates_ = 0;
};

}  // namespace salvo

#pragma once
#include <salvo/kinds.h>
#include <salvo/space.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

// A fixed set of candidates, each with an id and features: fingerprints of bits, or numbers. Immutable, cheap to copy, and
// mapped into memory when it is in a file: many processes then share one copy.
class Pool {
 public:
  // A file that build_pool() or save() wrote. Throws StoreError: missing, not a pool, newer, cut off, damaged.
  static Pool open(const std::string& path);
  // Fingerprints [N, ⌈num_bits/64⌉]: bit j of a row is bit j mod 64 of its word j div 64, and bits past num_bits are 0.
  // Numbers [N,d], all finite, a name per column. Ids are distinct and not empty; no ids at all: "1", "2", ….
  // Rows stay as given, equal ones included. Throws std::invalid_argument that names the row.
  static Pool from_bits(std::vector<std::uint64_t> words, int num_bits, const std::vector<std::string>& ids);
  static Pool from_numbers(std::vector<float> rows, std::vector<std::string> columns, const std::vector<std::string>& ids);
  // Appears at `path` complete or not at all; an older file is replaced.
  void save(const std::string& path) const;

  [[nodiscard]] std::int64_t size() const;  // N
  [[nodiscard]] PoolKind kind() const;
  [[nodiscard]] int num_features() const;                           // bits, or numbers
  [[nodiscard]] const std::vector<std::string>& columns() const;    // names of the numbers; empty for bits
  [[nodiscard]] int words_per_row() const;                          // of bits: ⌈num_features/64⌉, 0 for numbers
  [[nodiscard]] const std::uint64_t* bits(std::int64_t row) const;  // kind() == bits; rows lie one after the other
  [[nodiscard]] const float* numbers(std::int64_t row) const;       // kind() == numbers; rows lie one after the other

  // A candidate that was in the library more than once has several ids; this is the first.
  [[nodiscard]] std::string_view id(std::int64_t row) const;
  [[nodiscard]] std::vector<std::string_view> all_ids(std::int64_t row) const;
  [[nodiscard]] std::int64_t find(std::string_view id) const;  // the row of any of its ids; −1: none has it
  [[nodiscard]] std::int64_t num_ids() const;

  // Columns of the library that were kept as text beside the features: SMILES, prices, known values.
  [[nodiscard]] std::vector<std::string> texts() const;      // their names
  [[nodiscard]] int find_text(std::string_view name) const;  // −1: there is none
  [[nodiscard]] std::string_view text(std::int64_t row, int column) const;

  [[nodiscard]] const std::string& made_by() const;   // how the features came about, in words
  [[nodiscard]] const std::string& path() const;      // empty: in memory only
  [[nodiscard]] const std::string& checksum() const;  // of everything in it: 16 hexadecimal digits
  [[nodiscard]] std::int64_t num_bytes() const;       // of everything in it

  [[nodiscard]] const Space& space() const { return *space_; }  // of a study over it: one parameter, a candidate's id

  struct Table;  // src/pool/table.h
  explicit Pool(std::shared_ptr<const Table> table);

 private:
  std::shared_ptr<const Table> table_;
  std::shared_ptr<const Space> space_;
};

}  // namespace salvo

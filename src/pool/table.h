#pragma once
#include <salvo/pool.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

using Bytes = std::span<const char>;

template <class Range>
[[nodiscard]] Bytes bytes_of(const Range& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])};
}

// Texts one after the other in one array of letters, and where each of them ends: in 4 bytes when all ends fit, else 8.
struct Texts {
  Bytes letters{};
  Bytes ends{};

  [[nodiscard]] std::size_t width() const { return letters.size() <= 0xffffffffU ? 4 : 8; }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(ends.size() / width()); }
  [[nodiscard]] std::uint64_t end(std::int64_t i) const {
    std::uint64_t value = 0;
    if (i >= 0) std::memcpy(&value, ends.data() + static_cast<std::size_t>(i) * width(), width());
    return value;
  }
  [[nodiscard]] std::string_view operator[](std::int64_t i) const {
    const std::uint64_t begin = end(i - 1);
    return {letters.data() + begin, static_cast<std::size_t>(end(i) - begin)};
  }
};
// The ends as Texts wants them, from ends in 8 bytes.
[[nodiscard]] std::string packed_ends(std::span<const std::uint64_t> ends);

// What a Pool points at. The bytes are a mapped file's or vectors'; `owner` keeps them.
struct Pool::Table {
  struct TextColumn {
    std::string name;
    bool is_id = false;  // the same texts as the ids: not kept twice
    Texts texts{};       // [N]
  };

  PoolKind kind = PoolKind::bits;
  std::int64_t num_rows = 0;
  int num_features = 0;
  std::vector<std::string> columns{};
  Bytes features{};                          // words [N, words_per_row] or floats [N,d]
  Texts ids{};                               // of the rows, then the further ones
  std::span<const std::uint32_t> further{};  // the row of each further id, ascending
  std::span<const std::uint32_t> by_hash{};  // all ids, ordered by the hash of their text
  std::vector<TextColumn> texts{};
  std::string made_by{};
  std::string path{};
  std::string checksum{};
  std::shared_ptr<const void> owner{};

  [[nodiscard]] int words_per_row() const { return kind == PoolKind::bits ? (num_features + 63) / 64 : 0; }
  [[nodiscard]] std::size_t row_bytes() const {
    return kind == PoolKind::bits ? static_cast<std::size_t>(words_per_row()) * 8 : static_cast<std::size_t>(num_features) * 4;
  }
  [[nodiscard]] std::int64_t row_of_id(std::int64_t i) const {
    return i < num_rows ? i : further[static_cast<std::size_t>(i - num_rows)];
  }
};

// Largest numbers of rows, ids and features.
inline constexpr std::int64_t kMaxIds = 0xfffffffeLL;
inline constexpr int kMaxFeatures = 1 << 20;

// Numbers of the ids ordered by hash. Calls equal(i, j), i < j, for two that are the same: it throws.
[[nodiscard]] std::vector<std::uint32_t> order_by_hash(const Texts& ids,
                                                       const std::function<void(std::int64_t, std::int64_t)>& equal);

// What is in a pool file, mapped. Throws StoreError.
[[nodiscard]] Pool::Table open_table(const std::string& path);

// Everything in a pool by name, as a file holds it (docs/pools.md).
struct PoolSection {
  std::string name;
  Bytes bytes;
};
// `names` keeps the texts that the table has as vectors.
[[nodiscard]] std::vector<PoolSection> sections_of(const Pool::Table& table, std::vector<std::string>& names);
[[nodiscard]] std::uint64_t hash_directory(const Pool::Table& table, std::span<const PoolSection> sections,
                                           std::span<const std::uint64_t> hashes);
[[nodiscard]] std::string checksum_of(const Pool::Table& table);

}  // namespace salvo

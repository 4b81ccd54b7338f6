#pragma once
#include <salvo/pool.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salvo {

// Texts one after the other in one array of letters, and where each of them ends: in 4 bytes when all ends fit, else 8.
struct Texts {
  std::span<const char> letters;
  std::span<const char> ends;
  int width = 4;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(ends.size()) / width; }
  [[nodiscard]] std::uint64_t end(std::int64_t i) const {
    std::uint64_t value = 0;
    if (i >= 0) std::memcpy(&value, ends.data() + i * width, static_cast<std::size_t>(width));
    return value;
  }
  [[nodiscard]] std::string_view operator[](std::int64_t i) const {
    const std::uint64_t begin = end(i - 1);
    return {letters.data() + begin, static_cast<std::size_t>(end(i) - begin)};
  }
};

// What a Pool points at. The bytes are a mapped file's or vectors'; `owner` keeps them.
struct Pool::Table {
  PoolKind kind = PoolKind::bits;
  std::int64_t num_rows = 0;
  int num_features = 0;
  std::vector<std::string> columns{};
  std::span<const std::uint64_t> words{};    // [N, words_per_row]
  std::span<const float> numbers{};          // [N,d]
  Texts ids{};                               // of the rows, then the further ones
  std::span<const std::uint32_t> further{};  // the row of each further id, ascending
  std::span<const std::uint32_t> by_hash{};  // all ids, ordered by the hash of their text
  std::string checksum{};
  std::shared_ptr<const void> owner{};

  [[nodiscard]] int words_per_row() const { return kind == PoolKind::bits ? (num_features + 63) / 64 : 0; }
  [[nodiscard]] std::int64_t row_of_id(std::int64_t i) const {
    return i < num_rows ? i : further[static_cast<std::size_t>(i - num_rows)];
  }
};

// Largest numbers of rows, ids and features.
inline constexpr std::int64_t kMaxIds = 0xffffffffLL;
inline constexpr int kMaxFeatures = 1 << 20;

// Numbers of the ids ordered by hash. Throws std::invalid_argument when two are the same.
[[nodiscard]] std::vector<std::uint32_t> order_by_hash(const Texts& ids);
[[nodiscard]] std::string checksum_of(const Pool::Table& table);

}  // namespace salvo

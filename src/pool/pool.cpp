#include <fmt/format.h>
#include <salvo/pool.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "pool/hash.h"
#include "pool/table.h"

namespace salvo {
namespace {

// The arrays of a pool in memory.
struct Arrays {
  std::vector<std::uint64_t> words{};
  std::vector<float> numbers{};
  std::string letters{}, ends{};
  std::vector<std::uint32_t> by_hash{};
};

Pool finish(Pool::Table table, Arrays given, const std::vector<std::string>& ids, const char* function) {
  if (table.num_rows == 0) throw std::invalid_argument(fmt::format("{}: expected at least one candidate, got none", function));
  if (table.num_rows > kMaxIds)
    throw std::invalid_argument(fmt::format("{}: expected at most {} candidates, got {}", function, kMaxIds, table.num_rows));
  if (!ids.empty() && std::ssize(ids) != table.num_rows) {
    throw std::invalid_argument(
        fmt::format("{}: ids: expected one per candidate or none at all, got {} for {}", function, ids.size(), table.num_rows));
  }
  const auto arrays = std::make_shared<Arrays>(std::move(given));
  std::vector<std::uint64_t> ends;
  for (std::int64_t row = 0; row < table.num_rows; ++row) {
    if (!ids.empty() && ids[static_cast<std::size_t>(row)].empty())
      throw std::invalid_argument(fmt::format("{}: ids: row {} has an empty one", function, row + 1));
    arrays->letters += ids.empty() ? fmt::to_string(row + 1) : ids[static_cast<std::size_t>(row)];
    ends.push_back(arrays->letters.size());
  }
  arrays->ends = packed_ends(ends);
  table.features = table.kind == PoolKind::bits ? bytes_of(arrays->words) : bytes_of(arrays->numbers);
  table.ids = {.letters = arrays->letters, .ends = arrays->ends};
  arrays->by_hash = order_by_hash(table.ids, [&](std::int64_t i, std::int64_t j) {
    throw std::invalid_argument(
        fmt::format("{}: ids: expected distinct ones, got \"{}\" in row {} and in row {}", function, table.ids[i], i + 1, j + 1));
  });
  table.by_hash = arrays->by_hash;
  table.checksum = checksum_of(table);
  table.owner = arrays;
  return Pool(std::make_shared<const Pool::Table>(std::move(table)));
}

}  // namespace

Pool Pool::from_bits(std::vector<std::uint64_t> words, int num_bits, const std::vector<std::string>& ids) {
  constexpr const char* kFunction = "Pool::from_bits";
  if (num_bits < 1 || num_bits > kMaxFeatures)
    throw std::invalid_argument(fmt::format("{}: num_bits: expected 1 to {}, got {}", kFunction, kMaxFeatures, num_bits));
  Table table{.kind = PoolKind::bits, .num_features = num_bits};
  const auto width = static_cast<std::size_t>(table.words_per_row());
  if (words.size() % width != 0) {
    throw std::invalid_argument(
        fmt::format("{}: words: expected {} per row for {} bits, got {} in all", kFunction, width, num_bits, words.size()));
  }
  table.num_rows = static_cast<std::int64_t>(words.size() / width);
  const std::uint64_t padding = num_bits % 64 == 0 ? 0 : ~std::uint64_t{0} << (num_bits % 64);
  for (std::size_t row = 0; row * width < words.size(); ++row) {
    if (words[row * width + width - 1] & padding)
      throw std::invalid_argument(fmt::format("{}: words: row {} has a bit past the last of {}", kFunction, row + 1, num_bits));
  }
  return finish(std::move(table), {.words = std::move(words)}, ids, kFunction);
}

Pool Pool::from_numbers(std::vector<float> rows, std::vector<std::string> columns, const std::vector<std::string>& ids) {
  constexpr const char* kFunction = "Pool::from_numbers";
  const std::size_t d = columns.size();
  if (d < 1 || d > static_cast<std::size_t>(kMaxFeatures))
    throw std::invalid_argument(fmt::format("{}: columns: expected 1 to {}, got {}", kFunction, kMaxFeatures, d));
  if (rows.size() % d != 0)
    throw std::invalid_argument(fmt::format("{}: rows: expected {} numbers in each, got {} in all", kFunction, d, rows.size()));
  const auto bad = std::find_if_not(rows.begin(), rows.end(), [](float value) { return std::isfinite(value); });
  if (bad != rows.end()) {
    const auto at = static_cast<std::size_t>(bad - rows.begin());
    throw std::invalid_argument(
        fmt::format("{}: rows: row {}, \"{}\": expected a finite number, got {}", kFunction, at / d + 1, columns[at % d], *bad));
  }
  Table table{.kind = PoolKind::numbers,
              .num_rows = static_cast<std::int64_t>(rows.size() / d),
              .num_features = static_cast<int>(d),
              .columns = std::move(columns)};
  return finish(std::move(table), {.numbers = std::move(rows)}, ids, kFunction);
}

Pool::Pool(std::shared_ptr<const Table> table)
    : table_(std::move(table)), space_(std::make_shared<const Space>(candidate_space(size()))) {}

std::int64_t Pool::size() const { return table_->num_rows; }
PoolKind Pool::kind() const { return table_->kind; }
int Pool::num_features() const { return table_->num_features; }
const std::vector<std::string>& Pool::columns() const { return table_->columns; }
int Pool::words_per_row() const { return table_->words_per_row(); }
std::int64_t Pool::num_ids() const { return table_->ids.size(); }
const std::string& Pool::made_by() const { return table_->made_by; }
const std::string& Pool::path() const { return table_->path; }
const std::string& Pool::checksum() const { return table_->checksum; }

std::int64_t Pool::num_bytes() const {
  std::vector<std::string> names;
  std::int64_t sum = 0;
  for (const PoolSection& section : sections_of(*table_, names)) sum += static_cast<std::int64_t>(section.bytes.size());
  return sum;
}

const std::uint64_t* Pool::bits(std::int64_t row) const {
  assert(kind() == PoolKind::bits && row >= 0 && row < size());
  return reinterpret_cast<const std::uint64_t*>(table_->features.data()) + row * words_per_row();
}

const float* Pool::numbers(std::int64_t row) const {
  assert(kind() == PoolKind::numbers && row >= 0 && row < size());
  return reinterpret_cast<const float*>(table_->features.data()) + row * num_features();
}

std::string_view Pool::id(std::int64_t row) const {
  assert(row >= 0 && row < size());
  return table_->ids[row];
}

std::vector<std::string_view> Pool::all_ids(std::int64_t row) const {
  std::vector<std::string_view> out{id(row)};
  const auto& further = table_->further;
  const auto [begin, end] = std::equal_range(further.begin(), further.end(), static_cast<std::uint32_t>(row));
  for (auto it = begin; it != end; ++it) out.push_back(table_->ids[size() + (it - further.begin())]);
  return out;
}

std::vector<std::string> Pool::texts() const {
  std::vector<std::string> names;
  for (const auto& column : table_->texts) names.push_back(column.name);
  return names;
}

int Pool::find_text(std::string_view name) const {
  for (std::size_t i = 0; i < table_->texts.size(); ++i)
    if (table_->texts[i].name == name) return static_cast<int>(i);
  return -1;
}

std::string_view Pool::text(std::int64_t row, int column) const {
  assert(column >= 0 && column < static_cast<int>(table_->texts.size()));
  const Table::TextColumn& texts = table_->texts[static_cast<std::size_t>(column)];
  return texts.is_id ? id(row) : texts.texts[row];
}

std::int64_t Pool::find(std::string_view id) const {
  const Table& table = *table_;
  const std::uint64_t hash = hash_text(id);
  auto it = std::partition_point(table.by_hash.begin(), table.by_hash.end(),
                                 [&](std::uint32_t i) { return hash_text(table.ids[i]) < hash; });
  for (; it != table.by_hash.end() && hash_text(table.ids[*it]) == hash; ++it)
    if (table.ids[*it] == id) return table.row_of_id(*it);
  return -1;
}

}  // namespace salvo

#include "pool/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "pool/hash.h"

namespace salvo {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += name + '\0';
  return out;
}

}  // namespace

std::string packed_ends(std::span<const std::uint64_t> ends) {
  const std::size_t width = ends.empty() || ends.back() <= 0xffffffffU ? 4 : 8;
  std::string out(ends.size() * width, 0);
  for (std::size_t i = 0; i < ends.size(); ++i) std::memcpy(out.data() + i * width, &ends[i], width);
  return out;
}

std::vector<std::uint32_t> order_by_hash(const Texts& ids, const std::function<void(std::int64_t, std::int64_t)>& equal) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> hashes(static_cast<std::size_t>(ids.size()));
  for (std::size_t i = 0; i < hashes.size(); ++i)
    hashes[i] = {hash_text(ids[static_cast<std::int64_t>(i)]), static_cast<std::uint32_t>(i)};
  std::sort(hashes.begin(), hashes.end());
  std::vector<std::uint32_t> order(hashes.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    order[i] = hashes[i].second;
    for (std::size_t j = i + 1; j < hashes.size() && hashes[j].first == hashes[i].first; ++j)
      if (ids[hashes[i].second] == ids[hashes[j].second]) equal(hashes[i].second, hashes[j].second);
  }
  return order;
}

std::vector<PoolSection> sections_of(const Pool::Table& table, std::vector<std::string>& names) {
  std::vector<std::string> texts;
  for (const auto& column : table.texts) texts.push_back((column.is_id ? "=" : ":") + column.name);
  names = {joined(table.columns), joined(texts)};
  std::vector<PoolSection> out = {{"features", table.features},
                                  {"ids.letters", table.ids.letters},
                                  {"ids.ends", table.ids.ends},
                                  {"ids.further", bytes_of(table.further)},
                                  {"ids.by_hash", bytes_of(table.by_hash)},
                                  {"columns", names[0]},
                                  {"texts", names[1]},
                                  {"made_by", table.made_by}};
  for (std::size_t i = 0; i < table.texts.size(); ++i) {
    if (table.texts[i].is_id) continue;
    out.push_back({fmt::format("text{}.letters", i), table.texts[i].texts.letters});
    out.push_back({fmt::format("text{}.ends", i), table.texts[i].texts.ends});
  }
  return out;
}

std::uint64_t hash_directory(const Pool::Table& table, std::span<const PoolSection> sections,
                             std::span<const std::uint64_t> hashes) {
  std::string text = fmt::format("{} {} {}", to_string(table.kind), table.num_rows, table.num_features);
  for (std::size_t i = 0; i < sections.size(); ++i)
    text += fmt::format(" {} {} {}", sections[i].name, sections[i].bytes.size(), hashes[i]);
  return hash_text(text);
}

std::string checksum_of(const Pool::Table& table) {
  std::vector<std::string> names;
  const auto sections = sections_of(table, names);
  std::vector<std::uint64_t> hashes;
  for (const PoolSection& section : sections) hashes.push_back(hash_blocks(section.bytes.data(), section.bytes.size()));
  return fmt::format("{:016x}", hash_directory(table, sections, hashes));
}

}  // namespace salvo

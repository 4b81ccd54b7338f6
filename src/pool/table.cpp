#include "pool/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "pool/hash.h"

namespace salvo {

std::vector<std::uint32_t> order_by_hash(const Texts& ids) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> hashes(static_cast<std::size_t>(ids.size()));
  for (std::size_t i = 0; i < hashes.size(); ++i)
    hashes[i] = {hash_text(ids[static_cast<std::int64_t>(i)]), static_cast<std::uint32_t>(i)};
  std::sort(hashes.begin(), hashes.end());
  for (std::size_t i = 0; i < hashes.size(); ++i) {  // equal texts stand together, among the few of the same hash
    for (std::size_t j = i + 1; j < hashes.size() && hashes[j].first == hashes[i].first; ++j) {
      if (ids[hashes[i].second] != ids[hashes[j].second]) continue;
      throw std::invalid_argument(fmt::format("Pool: expected distinct ids, got \"{}\" in row {} and in row {}",
                                              ids[hashes[i].second], hashes[i].second + 1, hashes[j].second + 1));
    }
  }
  std::vector<std::uint32_t> order(hashes.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) order[i] = hashes[i].second;
  return order;
}

std::string checksum_of(const Pool::Table& table) {
  std::uint64_t hash = hash_text(fmt::format("pool {} {} {}", to_string(table.kind), table.num_rows, table.num_features));
  const auto add = [&](std::uint64_t more) { hash = hash_bytes(&more, sizeof more, hash); };
  for (const std::string& column : table.columns) add(hash_text(column));
  add(hash_blocks(table.words.data(), table.words.size_bytes()));
  add(hash_blocks(table.numbers.data(), table.numbers.size_bytes()));
  add(hash_blocks(table.ids.letters.data(), table.ids.letters.size()));
  add(hash_blocks(table.ids.ends.data(), table.ids.ends.size()));
  add(hash_blocks(table.further.data(), table.further.size_bytes()));
  return fmt::format("{:016x}", hash);
}

}  // namespace salvo

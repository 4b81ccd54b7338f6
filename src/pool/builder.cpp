#include "pool/builder.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <cstring>

#include "pool/hash.h"
#include "text/text.h"

namespace salvo {
namespace {

// What a spilled section looks like once it is complete.
class Section {
 public:
  explicit Section(Spill& spill) : file_((spill.flush(), spill.fd()), spill.size(), spill.folder()) {}
  [[nodiscard]] Bytes bytes() const { return file_.bytes(); }

 private:
  MappedFile file_;
};

std::span<const std::uint64_t> ends_of(const Section& section) {
  return {reinterpret_cast<const std::uint64_t*>(section.bytes().data()), section.bytes().size() / sizeof(std::uint64_t)};
}

}  // namespace

PoolBuilder::PoolBuilder(const LibraryLayout& layout, const std::string& folder, std::string library)
    : layout_(layout),
      folder_(folder),
      library_(std::move(library)),
      row_bytes_(Pool::Table{.kind = layout.kind, .num_features = layout.num_features}.row_bytes()),
      features_(folder),
      lines_(folder),
      ids_(folder),
      slots_(1 << 12),
      scratch_(row_bytes_) {
  for (std::size_t i = 0; i < layout_.kept.size(); ++i) kept_.emplace_back(folder);
}

void PoolBuilder::TextSpill::append(const std::string& text) {
  letters.append(text.data(), text.size());
  const std::uint64_t end = letters.size();
  ends.append(&end, sizeof end);
}

void PoolBuilder::add(const LibraryRows& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows.problems[i].empty()) add_row(rows, i);
}

void PoolBuilder::add_row(const LibraryRows& rows, std::size_t i) {
  const char* features = layout_.kind == PoolKind::bits ? reinterpret_cast<const char*>(rows.words.data()) + i * row_bytes_
                                                        : reinterpret_cast<const char*>(rows.numbers.data()) + i * row_bytes_;
  if (const std::int64_t same = find_or_insert(features); same >= 0) {
    ++num_duplicates_;
    further_.push_back({static_cast<std::uint32_t>(same), rows.ids[i], rows.lines[i]});
    return;
  }
  if (num_candidates() > kMaxIds) throw InputError(fmt::format("{}: more than {} candidates", library_, kMaxIds));
  features_.append(features, row_bytes_);
  ids_.append(rows.ids[i]);
  lines_.append(&rows.lines[i], sizeof rows.lines[i]);
  for (std::size_t k = 0; k < kept_.size(); ++k)
    if (static_cast<int>(k) != layout_.id_kept) kept_[k].append(rows.kept[i * kept_.size() + k]);
}

std::int64_t PoolBuilder::find_or_insert(const char* features) {
  const std::uint64_t hash = hash_bytes(features, row_bytes_);
  if (2 * hashes_.size() >= slots_.size()) grow();
  std::size_t at = hash & (slots_.size() - 1);
  for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
    const std::size_t row = slots_[at] - 1;
    if (hashes_[row] != hash) continue;
    features_.read(row * row_bytes_, scratch_.data(), row_bytes_);
    if (std::memcmp(scratch_.data(), features, row_bytes_) == 0) return static_cast<std::int64_t>(row);
  }
  hashes_.push_back(hash);
  slots_[at] = static_cast<std::uint32_t>(hashes_.size());
  return -1;
}

void PoolBuilder::grow() {
  std::vector<std::uint32_t> larger(2 * slots_.size());
  for (std::size_t row = 0; row < hashes_.size(); ++row) {
    std::size_t at = hashes_[row] & (larger.size() - 1);
    while (larger[at] != 0) at = (at + 1) & (larger.size() - 1);
    larger[at] = static_cast<std::uint32_t>(row + 1);
  }
  slots_ = std::move(larger);
}

void PoolBuilder::write(const std::string& path) {
  slots_ = {};
  const std::int64_t num_rows = num_candidates();
  const Section lines(lines_);

  // A row that is there twice, id and all, has that id once.
  std::stable_sort(further_.begin(), further_.end(), [](const Further& a, const Further& b) { return a.row < b.row; });
  std::vector<std::uint32_t> further_rows;
  std::vector<std::size_t> further_lines;
  {
    const Section letters(ids_.letters), ends(ids_.ends);
    std::vector<std::string> seen;
    std::int64_t last = -1;
    for (const Further& next : further_) {
      if (next.row != last) {
        const auto all = ends_of(ends);
        const std::uint64_t begin = next.row == 0 ? 0 : all[next.row - 1];
        seen = {std::string(letters.bytes().data() + begin, all[next.row] - begin)};
        last = next.row;
      }
      if (std::find(seen.begin(), seen.end(), next.id) != seen.end()) continue;
      seen.push_back(next.id);
      further_rows.push_back(next.row);
      further_lines.push_back(next.line);
      ids_.append(next.id);
    }
  }

  Pool::Table table{.kind = layout_.kind, .num_rows = num_rows, .num_features = layout_.num_features, .columns = layout_.columns};
  const Section features(features_), id_letters(ids_.letters), id_ends(ids_.ends);
  const std::string packed = packed_ends(ends_of(id_ends));
  table.features = features.bytes();
  table.ids = {.letters = id_letters.bytes(), .ends = packed};
  table.further = further_rows;
  const auto by_hash = order_by_hash(table.ids, [&](std::int64_t i, std::int64_t j) {
    const auto line = [&](std::int64_t id) {
      return id < num_rows ? ends_of(lines)[static_cast<std::size_t>(id)]
                           : further_lines[static_cast<std::size_t>(id - num_rows)];
    };
    throw InputError(
        fmt::format("{}:{}: the id \"{}\" is also in line {}, with other features; expected one id for each candidate", library_,
                    std::max(line(i), line(j)), shown(table.ids[i]), std::min(line(i), line(j))));
  });
  table.by_hash = by_hash;
  table.made_by = layout_.made_by;

  std::vector<std::unique_ptr<Section>> sections;
  std::vector<std::string> ends(kept_.size());
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const bool is_id = static_cast<int>(k) == layout_.id_kept;
    table.texts.push_back({.name = layout_.kept[k], .is_id = is_id});
    if (is_id) continue;
    sections.push_back(std::make_unique<Section>(kept_[k].letters));
    ends[k] = packed_ends(ends_of(Section(kept_[k].ends)));
    table.texts.back().texts = {.letters = sections.back()->bytes(), .ends = ends[k]};
  }
  Pool(std::make_shared<const Pool::Table>(std::move(table))).save(path);
}

}  // namespace salvo

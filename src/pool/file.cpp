#include <fcntl.h>
#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/pool.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>

#include "pool/hash.h"
#include "pool/mapped_file.h"
#include "pool/table.h"
#include "text/leftovers.h"
#include "text/store_file.h"

// A pool file: the header, the directory of its sections, the sections (docs/pools.md). All numbers are little-endian.
namespace salvo {
namespace {

constexpr char kMagic[8] = {'S', 'A', 'L', 'V', 'O', 'P', 'L', '\n'};
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kAlignment = 64;  // of a section: whole cache lines
constexpr std::uint32_t kMaxSections = 100'000;

struct Header {
  char magic[8];
  std::uint32_t version, kind;
  std::uint64_t num_rows;
  std::uint32_t num_features, num_sections;
  std::uint64_t file_size;
  std::uint64_t checksum;
};
struct Entry {
  char name[24];
  std::uint64_t offset, size, hash;
};
static_assert(sizeof(Header) == 48 && sizeof(Entry) == 48);

std::uint64_t aligned(std::uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

[[noreturn]] void refuse(const std::string& path, const std::string& what) { throw StoreError(path + ": " + what); }
[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  refuse(path, "is damaged: " + what + ". Restore a copy, or build it again with salvo pool build");
}

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

// Header and directory, checked as far as they go.
struct Directory {
  Header header{};
  std::vector<Entry> entries;
};

Directory read_directory(int fd, std::uint64_t size, const std::string& path) {
  Directory out;
  if (size == 0) refuse(path, "is empty, so it is not a pool. Name a file that salvo pool build wrote");
  const std::size_t there = std::min<std::uint64_t>(size, sizeof(Header));
  read_whole(fd, &out.header, there, 0, path);
  if (there < sizeof kMagic || std::memcmp(out.header.magic, kMagic, sizeof kMagic) != 0)
    refuse(path, "is not a pool. Name a file that salvo pool build wrote");
  if (there >= 12 && out.header.version > kVersion) {
    refuse(path, fmt::format("was written by a newer Salvo: its layout has version {}, this program knows up to {}. Use the "
                             "newer program",
                             out.header.version, kVersion));
  }
  if (there < sizeof(Header) || out.header.file_size != size) {
    damaged(path, there < sizeof(Header) || size < out.header.file_size
                      ? fmt::format("it is cut off after {} bytes", size)
                      : fmt::format("it has {} bytes, expected {}", size, out.header.file_size));
  }
  const Header& header = out.header;
  if (header.version == 0 || header.kind > 1 || header.num_rows == 0 || header.num_rows > static_cast<std::uint64_t>(kMaxIds) ||
      header.num_features == 0 || header.num_features > static_cast<std::uint32_t>(kMaxFeatures) ||
      header.num_sections > kMaxSections)
    damaged(path, "its header makes no sense");
  out.entries.resize(header.num_sections);
  if (sizeof(Header) + out.entries.size() * sizeof(Entry) > size) damaged(path, "its header makes no sense");
  read_whole(fd, out.entries.data(), out.entries.size() * sizeof(Entry), sizeof(Header), path);
  std::uint64_t offset = sizeof(Header) + out.entries.size() * sizeof(Entry);
  for (const Entry& entry : out.entries) {
    offset = aligned(offset);
    if (entry.offset != offset || entry.size > size - std::min(size, offset) || entry.name[sizeof entry.name - 1] != 0)
      damaged(path, "its directory makes no sense");
    offset += entry.size;
  }
  if (offset != size) damaged(path, "its directory makes no sense");
  return out;
}

// Read rather than mapped, so that checking does not fill the memory.
void check_hashes(int fd, const Directory& directory, const std::string& path) {
  for (const Entry& entry : directory.entries) {
    const std::uint64_t hash = hash_blocks(entry.size, [&](std::size_t begin, std::size_t count, std::vector<char>& room) {
      if (room.size() < count) room.resize(count);
      read_whole(fd, room.data(), count, entry.offset + begin, path);
      return room.data();
    });
    if (hash != entry.hash) damaged(path, fmt::format("the checksum of its section \"{}\" is wrong", entry.name));
  }
}

std::vector<std::string> split_names(Bytes bytes) {
  std::vector<std::string> names;
  for (std::string_view rest(bytes.data(), bytes.size()); !rest.empty();) {
    const auto end = rest.find('\0');
    names.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return names;
}

void check_texts(const Texts& texts, std::int64_t count, const std::string& path) {
  bool fits = texts.ends.size() % texts.width() == 0 && texts.size() == count;
  for (std::int64_t i = 0; fits && i < count; ++i) fits = texts.end(i - 1) <= texts.end(i);
  if (!fits || texts.end(count - 1) != texts.letters.size()) damaged(path, "its texts do not fit their directory");
}

std::span<const std::uint32_t> numbers_of(Bytes bytes) {
  return {reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / sizeof(std::uint32_t)};
}

void check_table(const Pool::Table& table, const std::string& path) {
  const auto num_rows = static_cast<std::size_t>(table.num_rows);
  const std::int64_t num_ids = table.num_rows + std::ssize(table.further);
  const bool fits = table.features.size() == num_rows * table.row_bytes() && std::ssize(table.by_hash) == num_ids &&
                    (table.kind == PoolKind::bits || std::ssize(table.columns) == table.num_features);
  if (!fits) damaged(path, "its sections do not fit each other");
  check_texts(table.ids, num_ids, path);
  for (const auto& column : table.texts)
    if (!column.is_id) check_texts(column.texts, table.num_rows, path);
  for (std::size_t i = 0; i < table.further.size(); ++i)
    if (table.further[i] >= num_rows || (i > 0 && table.further[i] < table.further[i - 1]))
      damaged(path, "its further ids have no row");
  for (const std::uint32_t i : table.by_hash)
    if (i >= num_ids) damaged(path, "its index of ids makes no sense");
}

}  // namespace

Pool::Table open_table(const std::string& path) {
  struct stat info {};
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd() < 0 || fstat(file.fd(), &info) != 0) {
    refuse(path, fmt::format("{}. Expected a pool; build it with salvo pool build, or check the path", std::strerror(errno)));
  }
  if (!S_ISREG(info.st_mode)) refuse(path, "is not a regular file, so it is not a pool. Name another");
  const auto size = static_cast<std::uint64_t>(info.st_size);
  const Directory directory = read_directory(file.fd(), size, path);
  check_hashes(file.fd(), directory, path);

  const auto mapped = std::make_shared<MappedFile>(file.fd(), size, path);
  std::map<std::string, Bytes, std::less<>> sections;
  for (const Entry& entry : directory.entries) sections[entry.name] = mapped->bytes().subspan(entry.offset, entry.size);
  const auto section = [&](const std::string& name) {
    const auto found = sections.find(name);
    if (found == sections.end()) damaged(path, fmt::format("its section \"{}\" is missing", name));
    return found->second;
  };
  const Header& header = directory.header;
  Pool::Table table{.kind = header.kind == 0 ? PoolKind::bits : PoolKind::numbers,
                    .num_rows = static_cast<std::int64_t>(header.num_rows),
                    .num_features = static_cast<int>(header.num_features),
                    .columns = split_names(section("columns")),
                    .features = section("features"),
                    .ids = {section("ids.letters"), section("ids.ends")},
                    .further = numbers_of(section("ids.further")),
                    .by_hash = numbers_of(section("ids.by_hash")),
                    .made_by = std::string(section("made_by").data(), section("made_by").size()),
                    .path = path,
                    .checksum = fmt::format("{:016x}", header.checksum),
                    .owner = mapped};
  const std::vector<std::string> texts = split_names(section("texts"));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) damaged(path, "one of its texts has no name");
    Pool::Table::TextColumn column{.name = texts[i].substr(1), .is_id = texts[i].starts_with('=')};
    if (!column.is_id) column.texts = {section(fmt::format("text{}.letters", i)), section(fmt::format("text{}.ends", i))};
    table.texts.push_back(std::move(column));
  }
  check_table(table, path);

  std::vector<PoolSection> listed;
  std::vector<std::uint64_t> hashes;
  for (const Entry& entry : directory.entries) {
    listed.push_back({entry.name, {static_cast<const char*>(nullptr), entry.size}});
    hashes.push_back(entry.hash);
  }
  if (hash_directory(table, listed, hashes) != header.checksum) damaged(path, "the checksum of its directory is wrong");
  return table;
}

Pool Pool::open(const std::string& path) { return Pool(std::make_shared<const Table>(open_table(path))); }

void Pool::save(const std::string& path) const {
  const Table& table = *table_;
  std::vector<std::string> names;
  const std::vector<PoolSection> sections = sections_of(table, names);
  Directory out;
  std::vector<std::uint64_t> hashes;
  std::uint64_t offset = sizeof(Header) + sections.size() * sizeof(Entry);
  for (const PoolSection& section : sections) {
    offset = aligned(offset);
    Entry entry{.name = {},
                .offset = offset,
                .size = section.bytes.size(),
                .hash = hash_blocks(section.bytes.data(), section.bytes.size())};
    std::strncpy(entry.name, section.name.c_str(), sizeof entry.name - 1);
    out.entries.push_back(entry);
    hashes.push_back(entry.hash);
    offset += entry.size;
  }
  out.header = {.magic = {},
                .version = kVersion,
                .kind = table.kind == PoolKind::bits ? 0U : 1U,
                .num_rows = static_cast<std::uint64_t>(table.num_rows),
                .num_features = static_cast<std::uint32_t>(table.num_features),
                .num_sections = static_cast<std::uint32_t>(sections.size()),
                .file_size = offset,
                .checksum = hash_directory(table, sections, hashes)};
  std::memcpy(out.header.magic, kMagic, sizeof kMagic);

  check_not_in_store(path);
  remove_leftovers(path);
  const std::string temporary = temporary_name(path);
  const OpenFile file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.fd() < 0) throw Error(fmt::format("{}: cannot be created: {}", path, std::strerror(errno)));
  try {
    write_whole(file.fd(), &out.header, sizeof(Header), path);
    write_whole(file.fd(), out.entries.data(), out.entries.size() * sizeof(Entry), path);
    std::uint64_t at = sizeof(Header) + out.entries.size() * sizeof(Entry);
    constexpr char kZeros[kAlignment] = {};
    for (std::size_t i = 0; i < sections.size(); ++i) {
      write_whole(file.fd(), kZeros, out.entries[i].offset - at, path);
      write_whole(file.fd(), sections[i].bytes.data(), sections[i].bytes.size(), path);
      at = out.entries[i].offset + out.entries[i].size;
    }
    if (fsync(file.fd()) != 0 || std::rename(temporary.c_str(), path.c_str()) != 0)
      throw Error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  const OpenFile directory(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.fd() >= 0) fsync(directory.fd());  // the new name is on disk, too
}

}  // namespace salvo

#include <fcntl.h>
#include <fmt/format.h>
#include <salvo/error.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "pool/npy.h"

// ZIP archives, as far as numpy.savez and savez_compressed write them (APPNOTE.TXT §4.3 of the format's owner).
namespace salvo {
namespace {

constexpr std::uint32_t kEnd = 0x06054b50, kEnd64 = 0x06064b50, kLocator64 = 0x07064b50, kEntry = 0x02014b50, kLocal = 0x04034b50;
constexpr std::uint64_t kEndSize = 22, kLocatorSize = 20, kEntrySize = 46, kLocalSize = 30;

// The bytes of one member, unpacked on the way and compared with the archive's checksum in the end.
class Unpack {
 public:
  Unpack(std::span<const char> packed, bool deflated, std::uint64_t size, std::uint32_t crc, std::string path)
      : packed_(packed), deflated_(deflated), left_(size), crc_(crc), path_(std::move(path)) {
    if (deflated_ && inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  Unpack(const Unpack&) = delete;
  Unpack& operator=(const Unpack&) = delete;
  ~Unpack() {
    if (deflated_) inflateEnd(&stream_);
  }

  std::size_t read(char* to, std::size_t size) {
    size = static_cast<std::size_t>(std::min<std::uint64_t>({size, left_, std::uint64_t{1} << 30}));
    if (size == 0) return 0;
    if (deflated_) {
      stream_.next_out = reinterpret_cast<Bytef*>(to);
      stream_.avail_out = static_cast<uInt>(size);
      while (stream_.avail_out > 0) {
        const std::size_t more = std::min<std::size_t>(packed_.size(), std::size_t{1} << 30);
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));  // zlib does not write there
        stream_.avail_in = static_cast<uInt>(more);
        const int code = inflate(&stream_, Z_NO_FLUSH);
        packed_ = packed_.subspan(more - stream_.avail_in);
        if (code == Z_STREAM_END) break;
        if (code != Z_OK) damaged();
      }
      size -= stream_.avail_out;
      if (size == 0) damaged();
    } else {
      std::memcpy(to, packed_.data(), size);
      packed_ = packed_.subspan(size);
    }
    sum_ = crc32(sum_, reinterpret_cast<const Bytef*>(to), static_cast<uInt>(size));
    left_ -= size;
    if (left_ == 0 && sum_ != crc_) damaged();
    return size;
  }

 private:
  [[noreturn]] void damaged() const { throw InputError(fmt::format("{}: the NPZ file is damaged", path_)); }

  std::span<const char> packed_;
  bool deflated_;
  std::uint64_t left_;
  std::uint32_t crc_;
  std::string path_;
  z_stream stream_{};
  uLong sum_ = 0;
};

}  // namespace

NpzFile::NpzFile(const std::string& path) : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat info {};
  if (file_.fd() < 0 || fstat(file_.fd(), &info) != 0) fail(fmt::format("cannot read it: {}", std::strerror(errno)));
  if (!S_ISREG(info.st_mode)) fail("expected a file, got something else");
  mapped_ = std::make_unique<MappedFile>(file_.fd(), static_cast<std::size_t>(info.st_size), path);
  read_directory();
}

void NpzFile::fail(const std::string& problem) const { throw InputError(fmt::format("{}: {}", path_, problem)); }

std::uint64_t NpzFile::number(std::uint64_t at, int num_bytes) const {
  const auto bytes = mapped_->bytes();
  if (at > bytes.size() || bytes.size() - at < static_cast<std::uint64_t>(num_bytes)) fail("the NPZ file is damaged");
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, static_cast<std::size_t>(num_bytes));
  return value;
}

void NpzFile::read_directory() {
  const auto bytes = mapped_->bytes();
  if (bytes.size() < kEndSize) fail("is not an NPZ file, or cut off");
  std::uint64_t end = bytes.size() - kEndSize;
  const std::uint64_t first = end > 0xffff ? end - 0xffff : 0;
  while (end > first && number(end, 4) != kEnd) --end;
  if (number(end, 4) != kEnd) fail("is not an NPZ file, or cut off");
  std::uint64_t count = number(end + 10, 2), at = number(end + 16, 4);
  if (end >= kLocatorSize && number(end - kLocatorSize, 4) == kLocator64) {  // more than 4 GiB or 65,535 members
    const std::uint64_t large = number(end - kLocatorSize + 8, 8);
    if (number(large, 4) != kEnd64) fail("the NPZ file is damaged");
    count = number(large + 32, 8);
    at = number(large + 48, 8);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    if (number(at, 4) != kEntry) fail("the NPZ file is damaged");
    Member member{.name = {},
                  .method = static_cast<int>(number(at + 10, 2)),
                  .crc = static_cast<std::uint32_t>(number(at + 16, 4)),
                  .packed = number(at + 20, 4),
                  .size = number(at + 24, 4),
                  .offset = number(at + 42, 4)};
    const std::uint64_t name = number(at + 28, 2), extra = number(at + 30, 2), comment = number(at + 32, 2);
    if (name > 0) (void)number(at + kEntrySize + name - 1, 1);
    member.name.assign(bytes.data() + at + kEntrySize, name);
    // Sizes that do not fit 4 bytes stand in the extra field 1, in this order.
    for (std::uint64_t field = at + kEntrySize + name, last = field + extra; field + 4 <= last;) {
      const std::uint64_t id = number(field, 2), size = number(field + 2, 2);
      std::uint64_t value = field + 4;
      for (std::uint64_t* wanted : {&member.size, &member.packed, &member.offset}) {
        if (id != 1 || *wanted != 0xffffffffU) continue;
        *wanted = number(value, 8);
        value += 8;
      }
      field += 4 + size;
    }
    if (member.name.ends_with(".npy")) {
      member.name.resize(member.name.size() - 4);
      members_.push_back(std::move(member));
    }
    at += kEntrySize + name + extra + comment;
  }
  if (members_.empty()) fail("is a ZIP file without an array of NumPy in it");
}

std::vector<std::string> NpzFile::names() const {
  std::vector<std::string> out;
  for (const Member& member : members_) out.push_back(member.name);
  return out;
}

ReadBytes NpzFile::open(const std::string& name) const {
  const auto found = std::find_if(members_.begin(), members_.end(), [&](const Member& m) { return m.name == name; });
  if (found == members_.end()) fail(fmt::format("there is no array \"{}\"; expected one of {}", name, fmt::join(names(), ", ")));
  if (found->method != 0 && found->method != 8) fail(fmt::format("the array \"{}\" is packed in a way that is not known", name));
  if (number(found->offset, 4) != kLocal) fail("the NPZ file is damaged");
  const std::uint64_t begin = found->offset + kLocalSize + number(found->offset + 26, 2) + number(found->offset + 28, 2);
  const auto bytes = mapped_->bytes();
  const bool deflated = found->method == 8;
  if (begin > bytes.size() || found->packed > bytes.size() - begin || (!deflated && found->packed != found->size))
    fail("the NPZ file is damaged");
  const auto unpack = std::make_shared<Unpack>(bytes.subspan(begin, found->packed), deflated, found->size, found->crc, path_);
  return [unpack](char* to, std::size_t size) { return unpack->read(to, size); };
}

}  // namespace salvo

#include "pool/npy.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "pool/library_file.h"
#include "text/text.h"

namespace salvo {
namespace {

constexpr std::string_view kNumpyMagic = "\x93NUMPY";
constexpr std::string_view kNumpyKinds = "fiubSU";
constexpr std::size_t kMaxHeader = 1 << 20;

// Whether items of this kind have a width that is read here: bytes, or letters of text.
bool item_is_known(char kind, int width) {
  if (kind == 'b') return width == 1;
  if (kind == 'f') return width == 4 || width == 8;
  if (kind == 'i' || kind == 'u') return width == 1 || width == 2 || width == 4 || width == 8;
  return width > 0 && width < (1 << 20);
}

template <class T>
T item(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// The text that follows 'key': in the header's Python dictionary.
std::string_view after_key(std::string_view header, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted = fmt::format("{0}{1}{0}", quote, key);
    auto at = header.find(quoted);
    if (at == std::string_view::npos) continue;
    at = header.find_first_not_of(" :", at + quoted.size());
    if (at != std::string_view::npos) return header.substr(at);
  }
  return {};
}

void append_utf8(std::string& out, std::uint32_t letter) {
  if (letter < 0x80) {
    out += static_cast<char>(letter);
  } else if (letter < 0x800) {
    out += static_cast<char>(0xC0 | letter >> 6);
    out += static_cast<char>(0x80 | (letter & 0x3F));
  } else if (letter < 0x10000) {
    out += static_cast<char>(0xE0 | letter >> 12);
    out += static_cast<char>(0x80 | (letter >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (letter & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (letter >> 18 & 0x07));
    out += static_cast<char>(0x80 | (letter >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (letter >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (letter & 0x3F));
  }
}

}  // namespace

NpyArray::NpyArray(ReadBytes read, std::string path, const std::string& spill_folder)
    : read_(std::move(read)), path_(std::move(path)) {
  read_header();
  if (fortran_ && shape_.size() == 2 && shape_[0] > 0) spill(spill_folder);
}

void NpyArray::read_header() {
  const auto fail = [&](const std::string& problem) { throw InputError(fmt::format("{}: {}", path_, problem)); };
  char start[8];
  read_exactly(read_, start, sizeof start, path_);
  if (std::string_view(start, kNumpyMagic.size()) != kNumpyMagic) fail("is not an array of NumPy (NPY)");
  const int major = static_cast<unsigned char>(start[6]);
  char length[4] = {};
  read_exactly(read_, length, major == 1 ? 2 : 4, path_);
  const std::size_t size = item<std::uint32_t>(length);
  if (major < 1 || major > 3 || size > kMaxHeader) fail("is an array of NumPy with a header of an unknown kind");
  std::string header(size, 0);
  read_exactly(read_, header.data(), size, path_);

  const std::string_view descr = after_key(header, "descr"), order = after_key(header, "fortran_order"),
                         shape = after_key(header, "shape");
  const auto end = descr.size() > 1 ? descr.find(descr[0], 1) : std::string_view::npos;
  if (end == std::string_view::npos || order.empty() || !shape.starts_with('('))
    fail("is an array of NumPy with a damaged header");
  const std::string_view type = descr.substr(1, end - 1);
  const auto kind = type.size() < 3 ? std::string_view::npos : kNumpyKinds.find(type[1]);
  int width = 0;
  const char* const type_end = type.data() + type.size();
  const bool whole = type.size() >= 3 && std::from_chars(type.data() + 2, type_end, width).ptr == type_end;
  const bool known =
      whole && kind != std::string_view::npos && (descr[0] == '\'' || descr[0] == '"') && item_is_known(type[1], width);
  if (!known)
    fail(fmt::format("expected an array of floats (32 or 64 bits), integers, booleans or text, got the type {}",
                     shown(descr.substr(0, std::min(descr.find(", '"), descr.size())))));
  constexpr Type kTypes[] = {Type::real, Type::integer, Type::natural, Type::boolean, Type::bytes, Type::unicode};
  type_ = kTypes[kind];
  item_size_ = static_cast<std::size_t>(width) * (type_ == Type::unicode ? 4 : 1);
  swap_ = type[0] == '>';
  fortran_ = order.starts_with("True");

  const char* at = shape.data() + 1;
  const char* const last = shape.data() + std::min(shape.find(')'), shape.size());
  while (at < last) {
    std::int64_t number = 0;
    const auto [next, error] = std::from_chars(at, last, number);
    if (error != std::errc() || number < 0) fail("is an array of NumPy with a damaged header");
    shape_.push_back(number);
    at = next;
    while (at < last && (*at == ',' || *at == ' ' || *at == 'L')) ++at;
  }
  if (shape_.empty() || shape_.size() > 2) fail(fmt::format("expected an array of one or two dimensions, got {}", shape_.size()));
  constexpr double kMaxBytes = 0x1p60;
  const double rows = static_cast<double>(shape_[0]);
  if (rows * static_cast<double>(num_columns()) * static_cast<double>(item_size_) > kMaxBytes) fail("its shape makes no sense");
  if (shape_.size() == 2 && shape_[1] > (std::int64_t{1} << 30) / static_cast<std::int64_t>(item_size_))
    fail("its rows are too long");
}

// Column by column it came, row by row it is wanted.
void NpyArray::spill(const std::string& folder) {
  Spill columns(folder);
  std::vector<char> block(1 << 20);
  const std::size_t size = row_size() * static_cast<std::size_t>(shape_[0]);
  for (std::size_t left = size; left > 0;) {
    const std::size_t count = std::min(left, block.size());
    read_exactly(read_, block.data(), count, path_);
    columns.append(block.data(), count);
    left -= count;
  }
  columns.flush();
  mapped_ = std::make_unique<MappedFile>(columns.fd(), size, path_);
}

std::span<const char> NpyArray::next_row() {
  row_.resize(row_size());  // not before: whoever reads rows has looked at what the header says
  if (mapped_) {
    const char* at = mapped_->bytes().data() + static_cast<std::size_t>(at_) * item_size_;
    for (std::int64_t j = 0; j < num_columns(); ++j, at += static_cast<std::size_t>(shape_[0]) * item_size_)
      std::memcpy(row_.data() + static_cast<std::size_t>(j) * item_size_, at, item_size_);
  } else {
    read_exactly(read_, row_.data(), row_.size(), path_);
  }
  ++at_;
  const std::size_t unit = type_ == Type::unicode ? 4 : item_size_;
  if (swap_ && type_ != Type::bytes)
    for (std::size_t i = 0; i < row_.size(); i += unit) std::reverse(row_.data() + i, row_.data() + i + unit);
  return row_;
}

void NpyArray::finish() {
  char rest[256];
  if (!mapped_ && read_(rest, sizeof rest) != 0) throw InputError(fmt::format("{}: has more bytes than its header says", path_));
}

double NpyArray::number(std::span<const char> row, std::int64_t column) const {
  const char* at = row.data() + static_cast<std::size_t>(column) * item_size_;
  switch (type_) {
    case Type::real:
      return item_size_ == 4 ? item<float>(at) : item<double>(at);
    case Type::integer:
      return item_size_ == 1   ? item<std::int8_t>(at)
             : item_size_ == 2 ? item<std::int16_t>(at)
             : item_size_ == 4 ? item<std::int32_t>(at)
                               : static_cast<double>(item<std::int64_t>(at));
    case Type::natural:
      return item_size_ == 1   ? item<std::uint8_t>(at)
             : item_size_ == 2 ? item<std::uint16_t>(at)
             : item_size_ == 4 ? item<std::uint32_t>(at)
                               : static_cast<double>(item<std::uint64_t>(at));
    case Type::boolean:
      return *at != 0;
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

std::string NpyArray::text(std::span<const char> row) const {
  if (type_ == Type::bytes) return {row.data(), std::find(row.data(), row.data() + item_size_, '\0')};
  if (type_ == Type::unicode) {
    std::string out;
    for (std::size_t i = 0; i < item_size_ && item<std::uint32_t>(row.data() + i) != 0; i += 4)
      append_utf8(out, item<std::uint32_t>(row.data() + i));
    return out;
  }
  if (type_ == Type::natural && item_size_ == 8) return fmt::to_string(item<std::uint64_t>(row.data()));
  if (type_ == Type::integer && item_size_ == 8) return fmt::to_string(item<std::int64_t>(row.data()));
  return fmt::format("{}", number(row, 0));
}

}  // namespace salvo

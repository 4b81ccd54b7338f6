#include "text/encoding.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace salvo {
namespace {

void append_utf8(std::string& out, std::uint32_t letter) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((letter >> shift) & 0x3F)); };
  if (letter < 0x80) {
    out += static_cast<char>(letter);
  } else if (letter < 0x800) {
    out += static_cast<char>(0xC0 | (letter >> 6));
    tail(0);
  } else if (letter < 0x10000) {
    out += static_cast<char>(0xE0 | (letter >> 12));
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | (letter >> 18));
    tail(12), tail(6), tail(0);
  }
}

std::string from_utf16(std::string_view bytes, bool little, const std::string& path) {
  std::size_t line = 1;
  const auto fail = [&] {
    throw InputError(fmt::format(
        "{}:{}: expected text in UTF-16, as its first bytes say, got half a letter; save it as CSV in UTF-8", path, line));
  };
  const auto unit = [&](std::size_t i) -> std::uint32_t {
    const auto a = static_cast<unsigned char>(bytes[i]), b = static_cast<unsigned char>(bytes[i + 1]);
    return little ? a | (b << 8U) : b | (a << 8U);
  };
  std::string out;
  out.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    if (i + 1 == bytes.size()) fail();
    std::uint32_t letter = unit(i);
    if (letter >= 0xD800 && letter < 0xE000) {  // the first half of a letter beyond 16 bits, and then the second
      const std::uint32_t second = letter < 0xDC00 && i + 3 < bytes.size() ? unit(i + 2) : 0;
      if (second < 0xDC00 || second > 0xDFFF) fail();
      letter = 0x10000 + ((letter - 0xD800) << 10U) + (second - 0xDC00);
      i += 2;
    }
    line += letter == '\n';
    append_utf8(out, letter);
  }
  return out;
}

// UTF-16 without a mark: of most letters that begin a file one byte is zero, and it is always the same one. UTF-8 has none.
bool has_zeros(std::string_view bytes, std::size_t place) {
  constexpr std::size_t kLooked = 512;
  const std::size_t pairs = std::min(bytes.size(), kLooked) / 2;
  std::size_t here = 0, elsewhere = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    here += bytes[2 * i + place] == '\0' ? 1 : 0;
    elsewhere += bytes[2 * i + 1 - place] == '\0' ? 1 : 0;
  }
  return pairs > 1 && elsewhere == 0 && 2 * here > pairs;
}

}  // namespace

std::string to_utf8(std::string_view bytes, const std::string& path) {
  if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("\xD0\xCF\x11\xE0"))  // how .xlsx and .ods, and how .xls begin
    throw InputError(fmt::format("{}: expected text, got a spreadsheet's own file; save it as CSV there", path));
  std::string text;
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
    text = from_utf16(bytes.substr(2), bytes[0] == '\xFF', path);
  else if (has_zeros(bytes, 0) || has_zeros(bytes, 1))
    text = from_utf16(bytes, has_zeros(bytes, 1), path);
  else
    text = bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes;
  if (text.find('\n') == std::string::npos) std::replace(text.begin(), text.end(), '\r', '\n');
  return text;
}

}  // namespace salvo

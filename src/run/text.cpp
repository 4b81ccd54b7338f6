#include "run/text.h"

#include <fmt/format.h>

#include <cstdint>

namespace salvo::runner {
namespace {

// Length of the valid UTF-8 sequence at the start of `bytes`, 0 when there is none.
std::size_t utf8_length(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = at(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || bytes.size() < length) return 0;
  std::uint32_t code = first & (0x7f >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (at(i) & 0x3f);
  }
  const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  const bool control = code < 0xa0;  // C1 controls steer some terminals
  return too_long || surrogate || control || code > 0x10ffff ? 0 : length;
}

std::string clean(std::string_view bytes, bool keep_lines) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = utf8_length(bytes);
    const auto byte = static_cast<unsigned char>(bytes[0]);
    if (byte == '\n' && !keep_lines)
      out += "\\n";
    else if (byte == '\t' && !keep_lines)
      out += "\\t";
    else if (length == 0 || byte == 0x7f || (byte < 0x20 && byte != '\n' && byte != '\t'))
      out += fmt::format("\\x{:02x}", byte);
    else
      out.append(bytes.substr(0, length));
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view bytes) { return clean(bytes, true); }

std::string excerpt(std::string_view bytes, std::size_t limit) {
  const bool cut = bytes.size() > limit;
  if (cut) {
    std::size_t end = limit;  // not in the middle of a character
    while (end > 0 && end + 3 > limit && (static_cast<unsigned char>(bytes[end]) & 0xc0) == 0x80) --end;
    bytes = bytes.substr(0, end);
  }
  return fmt::format("\"{}\"{}", clean(bytes, false), cut ? "…" : "");
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace salvo::runner

#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/words.h"

namespace salvo {
namespace {

// The last two do not break a line: spreadsheets and word processors set them, and nobody sees them.
constexpr std::array<std::string_view, 4> kBlanks = {" ", "\t", "\u00A0", "\u202F"};

// Bytes of the UTF-8 letter at the front of text, 0 when there is none (overlong forms and surrogates are none).
std::size_t letter_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool bad = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
                   (first == 0xF4 && second > 0x8F);
  return bad ? 0 : size;
}

}  // namespace

std::string hint(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view near = nearest_word(word, known);
  if (!near.empty()) return fmt::format("; did you mean \"{}\"?", near);
  return known.empty() ? "" : fmt::format("; expected {}", listed(known));
}

std::string listed(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  return text;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string_view trimmed(std::string_view text) {
  for (std::size_t before = text.size() + 1; text.size() < before;) {
    before = text.size();
    for (const std::string_view blank : kBlanks) {
      if (text.starts_with(blank)) text.remove_prefix(blank.size());
      if (text.ends_with(blank)) text.remove_suffix(blank.size());
    }
  }
  return text;
}

std::string_view beginning(std::string_view text, std::size_t most) {
  std::size_t end = std::min(text.size(), most);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string out;
  const std::string_view front = beginning(text, kMost);
  for (const char c : front) {
    const auto byte = static_cast<unsigned char>(c);
    byte < 0x20 || byte == 0x7F ? out += fmt::format("\\x{:02x}", byte) : out += c;
  }
  return front.size() < text.size() ? out + "…" : out;
}

std::size_t first_bad_utf8_line(std::string_view text) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = letter_size(text.substr(i));
    if (size == 0) return line;
    line += text[i] == '\n';
    i += size;
  }
  return 0;
}

bool is_text(std::string_view text) { return text.find('\0') == std::string_view::npos && first_bad_utf8_line(text) == 0; }

}  // namespace salvo

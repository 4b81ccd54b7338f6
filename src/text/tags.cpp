#include "text/tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/text.h"

namespace salvo {
namespace {

// Blanks beyond ASCII's, which nobody would see in a name: no-break, em and other spaces, line separators, the ideographic one.
bool has_wide_blank(std::string_view name) {
  constexpr std::array<std::string_view, 2> kBefore = {"\xE2\x80", "\xE3\x80"};
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(name[k]); };
    if (byte(i) == 0xC2 && byte(i + 1) <= 0xA0) return true;  // control characters, too
    if (i + 2 >= name.size()) continue;
    const unsigned last = byte(i + 2);
    if (name.substr(i, 2) == kBefore[0] && (last <= 0x8F || last == 0xA8 || last == 0xA9 || last == 0xAF)) return true;
    if (name.substr(i, 2) == kBefore[1] && last == 0x80) return true;
  }
  return false;
}

}  // namespace

std::string tag_problem(std::string_view name) {
  constexpr std::size_t kMost = 64;
  const auto expected = [&](const char* what) { return fmt::format("expected {}, got \"{}\"", what, shown(name)); };
  if (name.empty()) return "expected a short word, got an empty text";
  if (!is_text(name)) return "expected a short word in UTF-8, got other bytes";  // which no terminal could show
  if (name.size() > kMost)
    return fmt::format("expected a word of at most {} bytes, got {}: \"{}\"", kMost, name.size(), shown(name));
  const auto is_odd = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F; };
  if (std::any_of(name.begin(), name.end(), is_odd) || has_wide_blank(name))
    return expected("a word without blanks and control characters");
  if (name.find_first_of(",;\"'`") != std::string_view::npos) return expected("a word without commas, semicolons and quotes");
  return "";
}

std::vector<std::string> split_tags(std::string_view cell) {
  constexpr std::string_view kBetween = " \t\r\n;";
  std::vector<std::string> out;
  for (std::size_t begin = cell.find_first_not_of(kBetween); begin != std::string_view::npos;) {
    const std::size_t end = std::min(cell.find_first_of(kBetween, begin), cell.size());
    out.emplace_back(cell.substr(begin, end - begin));
    begin = cell.find_first_not_of(kBetween, end);
  }
  return out;
}

std::string joined_tags(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, " ")); }

}  // namespace salvo

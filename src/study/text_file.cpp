#include "study/text_file.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace salvo {
namespace {

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

std::string shown_path(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_text(const std::string& path, std::size_t max_bytes) {
  const auto fail = [&](const std::string& why) {
    throw InputError(fmt::format("{}: cannot read it: {}", shown_path(path), why));
  };
  const auto close = [](std::FILE* file) {
    if (file != stdin) std::fclose(file);
  };
  const std::unique_ptr<std::FILE, decltype(close)> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"), close);
  if (!file) fail(std::generic_category().message(errno));
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, count);
    if (text.size() > max_bytes) fail(fmt::format("larger than {} MiB", max_bytes >> 20));
  }
  if (std::ferror(file.get())) fail(std::generic_category().message(errno));
  return text;
}

}  // namespace salvo

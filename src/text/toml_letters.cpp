#include "text/toml_letters.h"

namespace salvo {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

bool is_private(std::string_view text, std::size_t i) {
  return byte_at(text, i) == 0xF3 && i + 3 < text.size() && byte_at(text, i + 1) >= 0xB0;
}

}  // namespace

bool has_private_letters(std::string_view utf8) {
  for (std::size_t i = 0; i < utf8.size(); ++i)
    if (is_private(utf8, i)) return true;
  return utf8.find("\\U000F") != std::string_view::npos || utf8.find("\\U000f") != std::string_view::npos;
}

std::string move_letters_up(std::string_view utf8) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  std::string out(utf8.starts_with(kMark) ? kMark : "");
  for (std::size_t i = out.size(); i < utf8.size();) {
    const unsigned first = byte_at(utf8, i);
    const std::size_t size = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (size == 2 || size == 3) {
      const unsigned second = byte_at(utf8, i + 1);
      const unsigned letter = size == 2 ? (first & 0x1F) << 6 | (second & 0x3F)
                                        : (first & 0x0F) << 12 | (second & 0x3F) << 6 | (byte_at(utf8, i + 2) & 0x3F);
      out += '\xF3';
      out += static_cast<char>(0xB0 | letter >> 12);
      out += static_cast<char>(0x80 | (letter >> 6 & 0x3F));
      out += static_cast<char>(0x80 | (letter & 0x3F));
    } else {
      out += utf8.substr(i, size);
    }
    i += size;
  }
  return out;
}

std::string move_letters_back(std::string_view utf8) {
  std::string out;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    if (!is_private(utf8, i)) {
      out += utf8[i];
      continue;
    }
    const unsigned letter =
        (byte_at(utf8, i + 1) & 0x0F) << 12 | (byte_at(utf8, i + 2) & 0x3F) << 6 | (byte_at(utf8, i + 3) & 0x3F);
    if (letter < 0x800) {
      out += static_cast<char>(0xC0 | letter >> 6);
    } else {
      out += static_cast<char>(0xE0 | letter >> 12);
      out += static_cast<char>(0x80 | (letter >> 6 & 0x3F));
    }
    out += static_cast<char>(0x80 | (letter & 0x3F));
    i += 3;
  }
  return out;
}

}  // namespace salvo

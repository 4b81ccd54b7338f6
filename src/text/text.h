#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace salvo {

// `; did you mean "kernel"?`, or `; expected one of "a", "b"` when nothing is near.
[[nodiscard]] std::string hint(std::string_view word, std::span<const std::string_view> known);

// "a", "b" or "c"
[[nodiscard]] std::string listed(std::span<const std::string_view> words);

[[nodiscard]] std::string lower_case(std::string_view text);    // of ASCII letters
[[nodiscard]] std::string_view trimmed(std::string_view text);  // without the blanks at its ends

[[nodiscard]] std::string_view beginning(std::string_view text, std::size_t most);  // so many bytes at most, in whole letters

// A word of the user's for a message: at most 60 bytes of it, control characters as \xNN.
[[nodiscard]] std::string shown(std::string_view text);

// The line (from 1) of the first bytes that are not UTF-8; 0 when all are.
[[nodiscard]] std::size_t first_bad_utf8_line(std::string_view text);
[[nodiscard]] bool is_text(std::string_view text);  // UTF-8 without a NUL: what every export can hold

}  // namespace salvo

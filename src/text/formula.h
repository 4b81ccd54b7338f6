#pragma once
#include <string>
#include <string_view>

namespace salvo {

// A spreadsheet runs a cell that begins with = + - @, a tab or a carriage return. Text of ours that does, and is no number, gets
// an apostrophe in front; so does text that already has one there, and so without_guard gives back what was guarded.
[[nodiscard]] std::string guarded(std::string_view text);
[[nodiscard]] std::string_view without_guard(std::string_view cell);

}  // namespace salvo

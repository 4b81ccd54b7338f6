#pragma once
#include <string>
#include <string_view>

namespace salvo {

// The text of a file as UTF-8 without a mark, with line breaks that are "\n" or "\r\n". A spreadsheet may have written UTF-16
// (told by its mark, or by its zeros) or, on old Macs, "\r" alone. Throws InputError when it is half a letter of UTF-16.
[[nodiscard]] std::string to_utf8(std::string_view bytes, const std::string& path);

}  // namespace salvo

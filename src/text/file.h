#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace salvo {

// The whole file, or standard input for "-". Throws InputError with the system's words: missing, unreadable, a folder,
// larger than max_bytes.
[[nodiscard]] std::string read_text(const std::string& path, std::size_t max_bytes = std::size_t{1} << 30);

// How messages call it: "standard input" for "-".
[[nodiscard]] std::string shown_path(const std::string& path);

}  // namespace salvo

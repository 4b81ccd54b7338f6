#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace salvo::runner {

// Text that is safe in a database, in JSON and on a terminal: valid UTF-8, line breaks and tabs kept, every other
// control character and stray byte as \xNN.
[[nodiscard]] std::string printable(std::string_view bytes);
// The same on one line between quotes, cut after `limit` characters' worth of bytes.
[[nodiscard]] std::string excerpt(std::string_view bytes, std::size_t limit = 80);
[[nodiscard]] std::string_view trim(std::string_view text);  // spaces, tabs and line breaks at both ends

}  // namespace salvo::runner

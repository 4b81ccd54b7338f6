#pragma once
#include <string>
#include <string_view>

#include "text/tree.h"

namespace salvo {

// A JSON document as a tree without places; numbers come back as exactly the same. Throws std::invalid_argument in plain words.
[[nodiscard]] Tree parse_json(std::string_view text);

// On one line. Throws std::invalid_argument for text that is not UTF-8 and for numbers that are not finite.
[[nodiscard]] std::string to_json(const Tree& tree);

}  // namespace salvo

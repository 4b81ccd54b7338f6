#pragma once
#include <string>
#include <string_view>

// toml++ 3.3 runs into undefined behaviour when it asks whether certain letters (U+00A1 … U+0499, é among them) are
// white space. It is safe above U+FEFF, so letters travel through it moved up by U+F0000 and come back after.
// One letter stays one letter: columns in messages stay right.
namespace salvo {

[[nodiscard]] std::string move_letters_up(std::string_view utf8);
[[nodiscard]] std::string move_letters_back(std::string_view utf8);

// Whether text has letters of the plane that the others are moved to (U+F0000 … U+FFFFF, for private use), or escapes
// of them.
[[nodiscard]] bool has_private_letters(std::string_view utf8);

}  // namespace salvo

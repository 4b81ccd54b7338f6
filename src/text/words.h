#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace salvo {

// Edits (insert, delete, replace, swap of neighbours) between two words, blind to case.
[[nodiscard]] std::size_t num_edits(std::string_view a, std::string_view b);

// The known word with the fewest edits from `word`, or the first that begins with it; empty when none is near enough to be
// meant.
[[nodiscard]] std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known);

}  // namespace salvo

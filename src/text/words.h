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

// The known word that `word` is most likely a slip of the pen for: up to two letters apart (one in short words), cut short, or
// with a unit behind it ("rate (1/s)"). Empty when it is a word of its own. Stricter than nearest_word, which guesses.
[[nodiscard]] std::string_view slip_of(std::string_view word, std::span<const std::string_view> known);

}  // namespace salvo

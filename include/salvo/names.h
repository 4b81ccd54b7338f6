#pragma once
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace salvo {

// The words of an enumeration, said alike by the study file, the command line, databases, Python and C++. An enumeration
// has a specialisation with `what`, the word for all of them, and `list`, every value with its word.
template <class Enum>
struct Names;

template <class Enum, std::size_t n>
using NameList = std::array<std::pair<Enum, std::string_view>, n>;

template <class Enum>
concept Named = requires {
  Names<Enum>::list;
};

template <Named Enum>
[[nodiscard]] constexpr std::string_view to_string(Enum value) {
  for (const auto& [each, name] : Names<Enum>::list)
    if (each == value) return name;
  return "unknown";
}

// Throws std::invalid_argument with the known words.
template <Named Enum>
[[nodiscard]] Enum parse(std::string_view word) {
  std::string known;
  for (const auto& [each, name] : Names<Enum>::list) {
    if (name == word) return each;
    known += (known.empty() ? "\"" : ", \"") + std::string(name) + "\"";
  }
  throw std::invalid_argument(std::string(Names<Enum>::what) + ": expected one of " + known + ", got \"" + std::string(word) +
                              "\"");
}

}  // namespace salvo

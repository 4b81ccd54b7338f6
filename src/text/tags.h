#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

// "" for a word that a trial can carry, otherwise what was expected and what came.
[[nodiscard]] std::string tag_problem(std::string_view name);

// The words of a cell: "pilot oven-2", "pilot; oven-2". They are not checked.
[[nodiscard]] std::vector<std::string> split_tags(std::string_view cell);
[[nodiscard]] std::string joined_tags(const std::vector<std::string>& names);  // as a cell has them

}  // namespace salvo

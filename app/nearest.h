#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace salvo::app {

// " (did you mean …?)", or nothing when no known word is close.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace salvo::app

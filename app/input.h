#pragma once
#include <string>

namespace salvo::app {

// All of a file, or of standard input where the path is "-". Throws Error.
[[nodiscard]] std::string read_input(const std::string& path);

}  // namespace salvo::app

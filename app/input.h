#pragma once
#include <salvo/records.h>

#include <string>

namespace salvo::app {

// All of a file, or of standard input where the path is "-". Throws Error.
[[nodiscard]] std::string read_input(const std::string& path);
// By the file's name, else by how its text begins.
[[nodiscard]] Format guess_format(const std::string& path, const std::string& text);

}  // namespace salvo::app

#pragma once
#include <string>
#include <vector>

#include "cli.h"

namespace salvo::app {

// Completion scripts, made from the same commands and options that the parser knows.
[[nodiscard]] std::string bash_completion(const std::vector<CommandSpec>& commands);
[[nodiscard]] std::string zsh_completion(const std::vector<CommandSpec>& commands);
[[nodiscard]] std::string fish_completion(const std::vector<CommandSpec>& commands);

}  // namespace salvo::app

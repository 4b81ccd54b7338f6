#pragma once
#include <vector>

#include "study/section.h"

namespace salvo {

// Reads [parameters] in the order of the file.
[[nodiscard]] std::vector<Parameter> read_parameters(const TomlNode& table, FileErrors& errors);

}  // namespace salvo

#pragma once
#include <salvo/space.h>

#include <vector>

#include "config/section.h"

namespace salvo {

// Reads [parameters] in the order of the file.
[[nodiscard]] std::vector<Parameter> read_parameters(const Tree& table, FileErrors& errors);

}  // namespace salvo

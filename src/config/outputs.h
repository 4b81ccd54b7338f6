#pragma once
#include <salvo/output.h>
#include <salvo/space.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/section.h"

namespace salvo {

// The table [outputs] of a study file: objectives, then constraints, each in the order of the file. What is wrong is noted.
[[nodiscard]] std::vector<Output> read_outputs(const Tree& table, std::span<const std::string> parameters, FileErrors& errors);

// Throws std::invalid_argument for the first output with a name that no output may have: that of a column of sheets or of a
// parameter, or one too like another's.
void check_output_names(std::span<const Output> outputs, const Space& space);

}  // namespace salvo

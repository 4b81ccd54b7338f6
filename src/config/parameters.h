#pragma once
#include <salvo/space.h>
#include <salvo/study_file.h>

#include <map>
#include <optional>
#include <vector>

#include "config/section.h"

namespace salvo {

// Reads [parameters] in the order of the file, with the labels that some have, and the values that trials had
// before there was such a parameter.
[[nodiscard]] std::vector<Parameter> read_parameters(const Tree& table, FileErrors& errors, Labels& labels,
                                                     std::map<std::string, Value>& before);

// A text, a number, true or false; none for anything else.
[[nodiscard]] std::optional<Value> value_of(const Tree& node);

}  // namespace salvo

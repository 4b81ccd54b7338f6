#pragma once
#include <salvo/study.h>

#include "study/section.h"

namespace salvo {

// The keys of [model]; those that are not there keep their value.
void read_model(Section& section, ModelOptions& model);
// A whole number from 1, or "auto": 0.
void read_size(Section& section, std::string_view key, int& out);

}  // namespace salvo

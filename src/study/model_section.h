#pragma once
#include <salvo/study.h>

#include "study/section.h"

namespace salvo {

// The keys of [model]; those that are not there keep their value.
void read_model(Section& section, ModelOptions& model);

}  // namespace salvo

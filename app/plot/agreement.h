#pragma once
#include <salvo/diagnose.h>

#include "plot/picture.h"

namespace salvo::app::plot {

// Where the sparse model, its samples and the exact GP differ: along each parameter, and in their standard deviations.
[[nodiscard]] Picture draw_agreement(Study& study, const std::optional<StudyFile>& file, const Diagnosis& diagnosis);

}  // namespace salvo::app::plot

#pragma once
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <optional>
#include <string>

#include "plot/page.h"

namespace salvo::app::plot {

// kind: "all", "progress", "slices", "parallel", "lengthscales" or "batches".
[[nodiscard]] Picture draw(Study& study, const std::optional<StudyFile>& file, const std::string& kind);

}  // namespace salvo::app::plot

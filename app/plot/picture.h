#pragma once
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <optional>
#include <string>
#include <vector>

#include "plot/svg.h"

namespace salvo::app::plot {

struct Figure {
  double height = 0;  // all are page_width wide
  Svg svg;
};
struct Picture {
  std::string title;
  std::vector<Figure> figures;
};

// kind: "all", "progress", "slices", "parallel" or "lengthscales".
[[nodiscard]] Picture draw(Study& study, const std::optional<StudyFile>& file, const std::string& kind);

// Throws before any work is done: an ending that is not .svg, .png or .html, a missing folder, no program for PNG.
void check_target(const std::string& path);
void write(const Picture& picture, const std::string& path);

}  // namespace salvo::app::plot

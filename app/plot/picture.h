#pragma once
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <optional>
#include <string>
#include <vector>

#include "plot/html_report.h"
#include "plot/page.h"

namespace salvo::app::plot {

// Draws the study into each of the files, by its ending a picture or a page. kind: "all", "progress", "slices", "parallel",
// "importance", "lengthscales", "batches", "front" or "hypervolume". `output` names the one that is shown, the first unless
// given. `run` is what pages say of a run that wrote them as it went. With `tags` only trials are shown that carry them; the
// model is of all.
void draw(Study& study, const std::optional<StudyFile>& file, const std::string& kind, const std::vector<std::string>& paths,
          const std::optional<RunNote>& run = {}, const std::vector<std::string>& tags = {}, const std::string& output = "");

// The pages of a run that goes on, without a model where learning one would hold the run up.
void draw_running(Study& study, const std::optional<StudyFile>& file, const std::vector<std::string>& paths, const RunNote& run);

}  // namespace salvo::app::plot

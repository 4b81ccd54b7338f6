#pragma once
#include <salvo/front.h>
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <optional>
#include <string>
#include <vector>

#include "report.h"

namespace salvo::app {

// A study with several objectives as it is shown: its front, and how the hypervolume grew.
struct ShownFront {
  Front front;
  std::vector<HypervolumeStep> growth;  // by the values told
};
// None with one objective, or before the first value.
[[nodiscard]] std::optional<ShownFront> front_of(Study& study, const std::vector<Trial>& trials);

// The points of the front, a row each: estimates of all outputs, then the parameters. At most `most` rows (0: all).
[[nodiscard]] std::string front_table(const Front& front, const StudyOptions& options, const std::optional<StudyFile>& file,
                                      std::size_t most = 0);
// "7 points, hypervolume 3.4 down to the reference yield 0.2, cost 20"; "no point yet" where none keeps to the constraints.
[[nodiscard]] std::string front_words(const Front& front, const Outputs& outputs);
[[nodiscard]] std::string front_lines(const ShownFront& shown, const Outputs& outputs);  // that, and how it grew
[[nodiscard]] std::string front_json(const Front& front, const Outputs& outputs);        // its size, hypervolume and reference
// ▁▂▅▇█ over the evaluations.
[[nodiscard]] std::string growth_words(const std::vector<HypervolumeStep>& growth);
[[nodiscard]] std::string growth_json(const std::vector<HypervolumeStep>& growth);

// "0.71", "passed"; "–" was not measured.
[[nodiscard]] std::string value_text(double seen, const salvo::Output& output);
// Whether anything is known of an output: nobody may have measured it yet.
[[nodiscard]] bool is_known(const Estimate& estimate);
// "0.71 ± 0.02"; what was measured without noise is known.
[[nodiscard]] std::string estimate_text(const Estimate& estimate, const salvo::Output& output);

// A recommendation as a point that is shown.
[[nodiscard]] ShownPoint shown_point(const std::string& title, const Recommendation& found);
// What of a study's outputs is asked for, a line each, and how many of the values told keep to it.
[[nodiscard]] std::string outputs_text(const Outputs& outputs, const std::vector<Trial>& trials);
[[nodiscard]] std::string outputs_json(const Outputs& outputs, const std::vector<Trial>& trials);
// "maximize", or "yield maximize, cost minimize, 2 constraints".
[[nodiscard]] std::string aims(const Outputs& outputs);
// The share of the trials told that keep to all constraints; none without constraints or values.
[[nodiscard]] std::optional<double> feasible_share(const Outputs& outputs, const std::vector<Trial>& trials);
// Why a recommendation is not allowed: no trial is.
[[nodiscard]] const char* nothing_allowed(const Outputs& outputs);

}  // namespace salvo::app

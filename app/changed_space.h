#pragma once
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <string>
#include <vector>

#include "arguments.h"

namespace salvo::app {

// A study file whose parameters are not those of its study. For work they become the study's when --accept-changes says so, and
// are an InputError otherwise; for a look they are a note, and what is shown is the study as it is.
[[nodiscard]] SpaceUpdate review_for_work(const Common& common, Study& study, const StudyFile& file);
void note_for_a_look(const Common& common, Study& study, const StudyFile& file);

// The same of bounds, probabilities and references, which the study follows without being asked twice.
void note_changed_outputs(const Common& common, const Outputs& before, const Outputs& now);
void note_outputs_for_a_look(const Common& common, Study& study, const StudyFile& file);

}  // namespace salvo::app

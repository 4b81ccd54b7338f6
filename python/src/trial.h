#pragma once
#include "study_box.h"

namespace salvo::python {

// [(trial, outcome), …]: a number, a dictionary by name (the study's outputs, whatever else was measured, texts), a text
// that says why it failed, or None for one that is abandoned.
[[nodiscard]] std::vector<Told> to_told(const StudyBox& box, const List& list);

// (id, params, state, origin, value, error, asked_at, told_at, measured, outside, said)
[[nodiscard]] Tuple from_trial(const Space& space, const Trial& trial);
[[nodiscard]] nb::object from_trial(const Space& space, const std::optional<Trial>& trial);  // None: there is none
[[nodiscard]] List from_amendments(const std::vector<Amendment>& changes);
[[nodiscard]] List from_trials(const Space& space, const std::vector<Trial>& trials);

}  // namespace salvo::python

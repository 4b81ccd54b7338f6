#pragma once
#include "study_box.h"

namespace salvo::python {

// [(trial, outcome), …]: a number, a dictionary by name (the study's outputs, whatever else was measured, texts), a text
// that says why it failed, or None for one that is abandoned.
[[nodiscard]] std::vector<Told> to_told(const StudyBox& box, const List& list);

// Of points evaluated elsewhere: dictionaries, or texts, as above. `what` begins the errors.
[[nodiscard]] std::vector<Outcome> to_outcomes(const StudyBox& box, const List& list, const char* what);

// (id, params, state, origin, value, error, asked_at, told_at, measured, outside, said, values)
[[nodiscard]] Tuple from_trial(const StudyBox& box, const Trial& trial);
[[nodiscard]] nb::object from_trial(const StudyBox& box, const std::optional<Trial>& trial);  // None: there is none
[[nodiscard]] List from_amendments(const StudyBox& box, const std::vector<Amendment>& changes);
[[nodiscard]] List from_trials(const StudyBox& box, const std::vector<Trial>& trials);

}  // namespace salvo::python

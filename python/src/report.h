#pragma once
#include "study_box.h"

namespace salvo::python {

[[nodiscard]] nb::object model_report(StudyBox& box);  // None before the first value
[[nodiscard]] List model_reports(StudyBox& box);       // of each output

}  // namespace salvo::python

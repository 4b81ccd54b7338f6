#pragma once
#include <salvo/options.h>
#include <salvo/trial.h>

#include <string>

namespace salvo {

// Throws std::invalid_argument for an output that is told as passed or failed and is neither 1 nor 0.
void check_passed(const StudyOptions& options, const Outcome& outcome, const std::string& where);

}  // namespace salvo

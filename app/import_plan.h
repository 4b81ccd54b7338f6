#pragma once
#include <salvo/study.h>

#include <string>
#include <vector>

#include "arguments.h"
#include "old_study.h"

namespace salvo::app {

// What becomes of another study's trials, decided before anything is changed.
struct ImportPlan {
  std::vector<Params> points{};
  std::vector<Outcome> outcomes{};  // of these
  std::vector<std::vector<std::string>> tags{};
  std::vector<std::string> remarks{};   // what was noted of them
  std::int64_t num_failed = 0;          // of OLD, which say nothing as a prior
  std::int64_t num_known = 0;           // trials that this study has already, with the same outcome
  std::vector<std::string> notes{};     // what was filled in and left out, in words
  std::vector<std::string> left_out{};  // trials outside the parameters, and why
};

// Throws InputError with all that must be said first.
[[nodiscard]] ImportPlan plan_import(Study& study, const OldStudy& old, const ImportArgs& args);

}  // namespace salvo::app

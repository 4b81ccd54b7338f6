#pragma once
#include <salvo/records.h>
#include <salvo/study.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arguments.h"

namespace salvo::app {

// What another study has found out, by the names of its parameters.
struct OldTrial {
  std::string where;                          // "trial 7", "old.csv:12"
  std::map<std::string, std::string> params;  // as texts
  Outcome outcome;                            // a value or a failure
  std::string tags{};                         // as a cell has them, unchecked
  std::string note{};
};
struct OldStudy {
  std::string from;
  std::string storage{};             // where it is kept; empty: a file of trials
  std::vector<std::string> names{};  // of its parameters
  Outputs outputs{};                 // as its values are; a file of trials has those that it was read for
  std::vector<OldTrial> trials{};
  std::int64_t num_without = 0;  // trials without an outcome
  std::int64_t num_outside = 0;  // trials outside the study's own parameters as they are
};

// A store, a study file, or what `salvo export` wrote. Throws InputError with all that is wrong.
// Columns of a file are values when they are called as one of `outputs`.
[[nodiscard]] OldStudy read_old_study(const std::string& path, const std::optional<Format>& format, const Outputs& outputs);

}  // namespace salvo::app

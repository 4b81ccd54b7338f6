#pragma once
#include <salvo/records.h>
#include <salvo/study.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace salvo::app {

struct TellRules {
  std::string study, file;  // as typed, for the advice in messages
  bool again = false, as_measured = false;
};

// What becomes of the rows of a file, decided before anything is changed.
struct TellPlan {
  std::vector<Told> outcomes{};  // of trials
  std::vector<Params> points{};  // to be added, with their values
  std::vector<Values> values{};
  std::vector<std::vector<std::string>> point_tags{};  // of these points
  std::vector<std::string> point_notes{};
  Tags tags{};                                  // of trials, without those that they carry already
  std::map<std::int64_t, std::string> notes{};  // of trials that have none
  std::int64_t num_moved = 0;        // of the points: measured elsewhere than their trial asked for, which is then abandoned
  std::int64_t num_closed = 0;       // of the outcomes: trials that are abandoned for such a point
  std::int64_t num_told_before = 0;  // with the same outcome
};

// Throws InputError with all mistakes: those that the reader found and those that only the study can know.
[[nodiscard]] TellPlan plan_tell(Study& study, const ToldFile& file, const TellRules& rules, Mistakes& mistakes);

// "was told with the value 12.4 on 2026-11-15", and how to change that.
[[nodiscard]] std::string told_words(const Trial& trial, const Outputs& outputs);
[[nodiscard]] std::string amend_advice(const std::string& study, std::int64_t trial, const Outcome& outcome,
                                       const Outputs& outputs);

// Says on standard error which columns (or keys) of somebody's own are kept, and which cannot be.
void note_own(const std::vector<std::string>& kept, const std::vector<std::string>& left_out, const char* what);

}  // namespace salvo::app

#include "study/objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "space/text.h"

namespace salvo {
namespace {

void require(bool holds, std::string_view option, std::string_view expected, const auto& got) {
  if (!holds) throw std::invalid_argument(fmt::format("objective.{}: expected {}, got {}", option, expected, got));
}

}  // namespace

void ObjectiveOptions::validate() const {
  require((!command.empty()) + (!builtin.empty()) + (!lookup.empty()) <= 1, "builtin",
          "one of a command, a built-in problem and a column to look up", "several");
  require(!std::isnan(noise_variance) && noise_variance < HUGE_VAL && (noise_variance >= 0 || noise_variance == -1),
          "noise_variance", "a finite number ≥ 0, or −1 for the problem's own", noise_variance);
  require(workers >= 1, "workers", "1 or more", workers);
  require(std::isfinite(timeout) && timeout >= 0, "timeout", "seconds ≥ 0", timeout);
  require(retries >= 0, "retries", "0 or more", retries);
  require(input == "none" || input == "json", "input", "\"none\" or \"json\"", '"' + input + '"');
  require(schedule == "batch" || schedule == "async", "schedule", "\"batch\" or \"async\"", '"' + schedule + '"');
}

std::vector<std::string> placeholder_names(const StudyOptions& study) {
  std::vector<std::string> names;
  if (!study.pool) {
    for (const Parameter& parameter : study.space.parameters()) names.push_back(parameter.name);
    return names;
  }
  names = {"candidate", "id"};
  for (const std::string& name : study.pool->texts())
    if (name != "candidate" && name != "id" && name != "trial") names.push_back(name);
  return names;
}

std::string placeholder_problem(std::string_view command, const std::vector<std::string_view>& names) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c != '{' && c != '}') continue;
    if (i + 1 < command.size() && command[i + 1] == c) {
      ++i;
      continue;
    }
    if (c == '}') return "a } closes nothing; write }} for a brace of the shell's";
    const std::size_t close = command.find('}', i);
    if (close == std::string_view::npos) return "a { is never closed; write {{ for a brace of the shell's";
    const std::string_view name = command.substr(i + 1, close - i - 1);
    if (name != "trial" && std::find(names.begin(), names.end(), name) == names.end()) {
      std::vector<std::string_view> known = names;
      known.push_back("trial");
      return fmt::format("unknown placeholder {{{}}}{} ({{{{ and }}}} stand for braces of the shell's)", shown(name),
                         hint(name, known));
    }
    i = close;
  }
  return "";
}

}  // namespace salvo

#include "config/objective.h"

#include <fmt/format.h>
#include <salvo/fields.h>

#include <algorithm>
#include <stdexcept>

#include "text/check_fields.h"
#include "text/text.h"

namespace salvo {
void ObjectiveOptions::validate() const {
  each_field(*this, CheckFields("objective."));
  const int num_ways = (command.empty() ? 0 : 1) + (builtin.empty() ? 0 : 1) + (lookup.empty() ? 0 : 1);
  if (num_ways > 1)
    throw std::invalid_argument(
        "objective.builtin: expected one of a command, a built-in problem and a column to look up, got several");
}

std::vector<std::string> placeholder_names(const StudyOptions& study) {
  if (const Pool* pool = study.pool()) return placeholder_names(*pool);
  std::vector<std::string> names;
  for (const Parameter& parameter : study.space().parameters()) names.push_back(parameter.name);
  return names;
}

std::vector<std::string> placeholder_names(const Pool& pool) {
  std::vector<std::string> names = {"candidate", "id"};
  for (const std::string& name : pool.texts())
    if (name != "candidate" && name != "id" && name != "trial") names.push_back(name);
  return names;
}

std::vector<std::string> lookup_columns(const ObjectiveOptions& objective, const std::vector<Output>& outputs) {
  if (outputs.size() == 1) return {objective.lookup};
  std::vector<std::string> out;
  for (const Output& output : outputs) out.push_back(output.name);
  return out;
}

std::string lookup_problem(const ObjectiveOptions& objective, const std::vector<Output>& outputs, const Pool& pool) {
  if (outputs.size() > 1 && objective.lookup != kLookupOfOutputs)
    return fmt::format("expected \"{}\" in a study with several, the pool's columns of their names, got \"{}\"", kLookupOfOutputs,
                       shown(objective.lookup));
  const std::vector<std::string> texts = pool.texts();
  for (const std::string& column : lookup_columns(objective, outputs))
    if (pool.find_text(column) < 0)
      return fmt::format("the pool keeps no column \"{}\"{}", shown(column),
                         hint(column, std::vector<std::string_view>(texts.begin(), texts.end())));
  return "";
}

std::string pool_kernels(PoolKind kind) {
  std::vector<std::string_view> words;
  for (const auto& [type, name] : Names<PoolKernelType>::list)
    if (kind_of(type) == kind) words.push_back(name);
  return fmt::format("{} for a pool of {}", listed(words), to_string(kind));
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

#include "run/lookup.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "space/value.h"
#include "text/text.h"

namespace salvo::runner {
namespace {

const Pool& pool_of(const StudyOptions& study) {
  if (const Pool* pool = study.pool()) return *pool;
  throw InputError("objective.lookup: expected a study over a pool, got one over a space");
}

}  // namespace

Lookup::Lookup(const ObjectiveOptions& objective, const StudyOptions& study) : pool_(pool_of(study)) {
  for (std::size_t k = 0; k < study.outputs.size(); ++k) {
    const std::string& name = k == 0 ? objective.lookup : study.outputs[k].name;
    const auto* constraint = std::get_if<Constraint>(&study.outputs[k].role);
    columns_.emplace_back(pool_.find_text(name), constraint && constraint->passed);
    if (columns_.back().first >= 0) continue;
    const std::vector<std::string> names = pool_.texts();
    throw InputError(fmt::format("{}: the pool keeps no column \"{}\"{}", k == 0 ? "objective.lookup" : "outputs." + name,
                                 shown(name), hint(name, std::vector<std::string_view>(names.begin(), names.end()))));
  }
}

Outcome Lookup::operator()(const Trial& trial) const {
  const auto row = pool_.find(to_string(trial.params.at(0)));
  Values values;
  std::string_view last;
  for (const auto& [column, passed] : columns_) {
    last = pool_.text(row, column);
    const auto word = passed ? passed_value(last) : to_double(last);
    values.outputs.push_back(word.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  const auto missing = [](double value) { return std::isnan(value); };
  if (std::all_of(values.outputs.begin(), values.outputs.end(), missing))
    return Failure{fmt::format("no number to look up, but \"{}\"", shown(last))};
  return values;
}

}  // namespace salvo::runner

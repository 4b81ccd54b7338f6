#include "run/lookup.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include "space/value.h"
#include "text/text.h"

namespace salvo::runner {
namespace {

const Pool& pool_of(const StudyOptions& study) {
  if (const Pool* pool = study.pool()) return *pool;
  throw InputError("objective.lookup: expected a study over a pool, got one over a space");
}

}  // namespace

Lookup::Lookup(const ObjectiveOptions& objective, const StudyOptions& study)
    : pool_(pool_of(study)), column_(pool_.find_text(objective.lookup)) {
  if (column_ >= 0) return;
  const std::vector<std::string> names = pool_.texts();
  throw InputError(fmt::format("objective.lookup: the pool keeps no column \"{}\"{}", shown(objective.lookup),
                               hint(objective.lookup, std::vector<std::string_view>(names.begin(), names.end()))));
}

Outcome Lookup::operator()(const Trial& trial) const {
  const std::string_view text = pool_.text(pool_.find(to_string(trial.params.at(0))), column_);
  const auto value = to_double(text);
  if (!value) return Failure{fmt::format("no number to look up, but \"{}\"", shown(text))};
  return Values{{*value}};
}

}  // namespace salvo::runner

#include "run/lookup.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <cmath>
#include <limits>

#include "config/objective.h"
#include "space/value.h"
#include "text/text.h"

namespace salvo::runner {
namespace {

const Pool& pool_of(const StudyOptions& study) {
  if (const Pool* pool = study.pool()) return *pool;
  throw InputError("objective.lookup: expected a study over a pool, got one over a space");
}

}  // namespace

Lookup::Lookup(const ObjectiveOptions& objective, const StudyOptions& study) : pool_(pool_of(study)), outputs_(study.outputs) {
  if (const std::string problem = lookup_problem(objective, outputs_, pool_); !problem.empty())
    throw InputError("objective.lookup: " + problem);
  for (const std::string& column : lookup_columns(objective, outputs_)) columns_.push_back(pool_.find_text(column));
}

std::optional<double> Lookup::value_of(const Output& output, std::string_view text) const {
  if (outputs_.size() > 1 && text.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto* constraint = std::get_if<Constraint>(&output.role);
  if (constraint && constraint->passed) return passed_value(text);
  return to_double(text);
}

Outcome Lookup::operator()(const Trial& trial) const {
  const std::int64_t row = pool_.find(to_string(trial.params.at(0)));
  Values out;
  bool any = false;
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    const std::string_view text = pool_.text(row, columns_[o]);
    const auto value = value_of(outputs_[o], text);
    if (!value) return Failure{fmt::format("no number to look up, but \"{}\"", shown(text))};
    any = any || !std::isnan(*value);
    out.outputs.push_back(*value);
  }
  if (!any) return Failure{"no number to look up"};
  return out;
}

}  // namespace salvo::runner

#include <algorithm>
#include <cmath>
#include <limits>

#include "store/outcome.h"
#include "store/sqlite/store.h"
#include "text/json.h"

namespace salvo {

std::optional<Outcome> SqliteStore::outcome(const Query& row, int first) const {
  switch (parse<TrialState>(row.text(first))) {
    case TrialState::pending:
      return std::nullopt;
    case TrialState::failed:
      return Failure{row.text(first + 3)};
    case TrialState::abandoned:
      return Abandoned{};
    case TrialState::done:
      break;
  }
  constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
  Values values{{row.null(first + 1) ? kNotMeasured : row.real(first + 1)}};
  const std::string text = row.text(first + 2);
  const std::vector<std::string>& names = definition_.outputs;
  values.outputs.resize(names.size(), kNotMeasured);
  if (!text.empty()) {
    const Tree measured = parse_json(text);
    for (std::size_t i = 1; i < names.size(); ++i) values.outputs[i] = number_of(measured, names[i], kNotMeasured);
    for (const std::string& name : measured.keys) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      if (const Tree& item = measured.at(name); item.kind == Tree::Kind::text)
        values.said[name] = item.text;
      else
        values.others[name] = number_of(measured, name);
    }
  }
  validate(values, names, "value");  // as when it was told
  return values;
}

// All but the first output, by name; empty when there is nothing else. What was not measured is not there; of the first output it
// is NULL, as which SQLite keeps a NaN.
std::string SqliteStore::measured(const Values& values) const {
  Tree out;
  for (std::size_t i = 1; i < values.outputs.size(); ++i)
    if (!std::isnan(values.outputs[i])) out.add(definition_.outputs[i], Tree::of(values.outputs[i]));
  for (const auto& [name, value] : values.others) out.add(name, Tree::of(value));
  for (const auto& [name, text] : values.said) out.add(name, Tree::of(text));
  return out.items.empty() ? "" : to_json(out);
}

}  // namespace salvo

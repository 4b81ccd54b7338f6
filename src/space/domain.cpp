#include "space/domain.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "space/grid.h"
#include "space/value.h"

namespace salvo {

void refuse_value(const Parameter& parameter, const std::string& got) {
  throw std::invalid_argument(
      fmt::format("parameter \"{}\": expected {}, got {}", parameter.name, expectation(parameter.domain), got));
}

const std::vector<Value>* choices_of(const Domain& domain) {
  if (const auto* d = std::get_if<Categorical>(&domain)) return &d->choices;
  if (const auto* d = std::get_if<Ordinal>(&domain)) return &d->choices;
  return nullptr;
}

std::int64_t num_levels(const Domain& domain) {
  if (const auto* d = std::get_if<Int>(&domain)) return (d->high - d->low) / d->step + 1;
  if (const auto* d = std::get_if<Float>(&domain)) return d->on_grid() ? Grid(*d).num_levels() : 0;
  const auto* choices = choices_of(domain);
  return choices ? static_cast<std::int64_t>(choices->size()) : 0;
}

std::int64_t choice_index(const Parameter& parameter, const Value& value) {
  const auto& choices = *choices_of(parameter.domain);
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (same_value(choices[i], value)) return static_cast<std::int64_t>(i);
  refuse_value(parameter, quoted(value));
}

double num_values(const Domain& domain) {
  if (const auto* d = std::get_if<Float>(&domain); d && !d->on_grid()) return std::numeric_limits<double>::infinity();
  if (const auto* d = std::get_if<Candidate>(&domain)) return static_cast<double>(d->count);
  return static_cast<double>(num_levels(domain));
}

}  // namespace salvo

#include "study/passed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace salvo {

void check_passed(const StudyOptions& options, const Outcome& outcome, const std::string& where) {
  const auto* values = std::get_if<Values>(&outcome);
  if (!values) return;
  for (std::size_t i = 0; i < std::min(values->outputs.size(), options.outputs.size()); ++i) {
    const auto* constraint = std::get_if<Constraint>(&options.outputs[i].role);
    const double value = values->outputs[i];
    if (!constraint || !constraint->passed || value == 0 || value == 1 || std::isnan(value)) continue;
    throw std::invalid_argument(
        fmt::format("{}: {}: expected 1 (passed) or 0 (failed), got {}", where, options.outputs[i].name, value));
  }
}

}  // namespace salvo

#include "study/made_up_outputs.h"

#include <cmath>

namespace salvo {
namespace {

double holding(const Constraint& constraint, double value) {
  if (constraint.passed) return 1;
  if (!std::isfinite(constraint.max)) return constraint.min + std::abs(value);
  if (!std::isfinite(constraint.min)) return constraint.max - std::abs(value);
  const double share = std::abs(value) / (1 + std::abs(value));
  return constraint.min + share * (constraint.max - constraint.min);
}

}  // namespace

Values made_up_values(double value, const std::vector<Output>& outputs) {
  Values out;
  for (const Output& output : outputs) {
    const auto* constraint = std::get_if<Constraint>(&output.role);
    out.outputs.push_back(constraint ? holding(*constraint, value) : value);
  }
  return out;
}

}  // namespace salvo

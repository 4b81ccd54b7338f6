#include <fmt/format.h>
#include <salvo/front.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/hypervolume.h"

namespace salvo {
namespace {

const Values* values_of(const Trial& trial) { return trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr; }

std::size_t objectives_in(const std::vector<Output>& outputs) {
  const auto is_objective = [](const Output& output) { return std::holds_alternative<Objective>(output.role); };
  return static_cast<std::size_t>(std::count_if(outputs.begin(), outputs.end(), is_objective));
}

// −1 for an objective that is to be small: turned, larger is better.
double sign_of(const Output& output) { return std::get<Objective>(output.role).direction == Direction::maximize ? 1 : -1; }

// Their objectives, turned, a row each.
Matrix turned(std::span<const Trial* const> trials, const std::vector<Output>& outputs) {
  const std::size_t num_objectives = objectives_in(outputs);
  Matrix Y(static_cast<Eigen::Index>(trials.size()), static_cast<Eigen::Index>(num_objectives));
  for (std::size_t i = 0; i < trials.size(); ++i)
    for (std::size_t k = 0; k < num_objectives; ++k)
      Y(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = sign_of(outputs[k]) * values_of(*trials[i])->outputs[k];
  return Y;
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

double chance(const Constraint& constraint, const Estimate& there) {
  if (!(there.stddev > 0)) return constraint.holds(there.mean) ? 1 : 0;
  return normal_cdf((constraint.max - there.mean) / there.stddev) - normal_cdf((constraint.min - there.mean) / there.stddev);
}

}  // namespace

bool keeps_to_constraints(const Values& values, const std::vector<Output>& outputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const auto* constraint = std::get_if<Constraint>(&outputs[k].role);
    if (constraint && !constraint->holds(values.outputs.at(k))) return false;  // a NaN does not
  }
  return true;
}

bool is_feasible(const Trial& trial, const std::vector<Output>& outputs) {
  const Values* values = values_of(trial);
  if (!values || !keeps_to_constraints(*values, outputs)) return false;
  const auto first = values->outputs.begin(), last = first + static_cast<std::ptrdiff_t>(objectives_in(outputs));
  return std::none_of(first, last, [](double value) { return std::isnan(value); });
}

double probability_feasible(std::span<const Estimate> estimates, const std::vector<Output>& outputs) {
  double all = 1;
  for (std::size_t k = 0; k < std::min(estimates.size(), outputs.size()); ++k)
    if (const auto* constraint = std::get_if<Constraint>(&outputs[k].role)) all *= chance(*constraint, estimates[k]);
  return all;
}

bool allowed(std::span<const Estimate> estimates, const std::vector<Output>& outputs) {
  for (std::size_t k = 0; k < std::min(estimates.size(), outputs.size()); ++k) {
    const auto* constraint = std::get_if<Constraint>(&outputs[k].role);
    if (constraint && chance(*constraint, estimates[k]) < constraint->probability) return false;
  }
  return true;
}

std::vector<Trial> observed_front(std::span<const Trial> trials, const std::vector<Output>& outputs) {
  std::vector<const Trial*> feasible;
  for (const Trial& trial : trials)
    if (!trial.outside && is_feasible(trial, outputs)) feasible.push_back(&trial);
  const Matrix Y = turned(feasible, outputs);
  std::vector<Eigen::Index> rows = feasible.empty() ? std::vector<Eigen::Index>() : nondominated(Y);
  std::stable_sort(rows.begin(), rows.end(), [&](Eigen::Index a, Eigen::Index b) { return Y(a, 0) > Y(b, 0); });
  std::vector<Trial> out;
  for (const Eigen::Index row : rows) out.push_back(*feasible[static_cast<std::size_t>(row)]);
  return out;
}

std::vector<HypervolumeStep> observed_hypervolumes(std::span<const Trial> trials, const std::vector<Output>& outputs,
                                                   std::span<const double> reference, int steps) {
  const std::size_t num_objectives = objectives_in(outputs);
  if (reference.size() != num_objectives || steps < 1)
    throw std::invalid_argument(
        fmt::format("observed_hypervolumes: expected a reference of {} objectives and a step, got {} and {}", num_objectives,
                    reference.size(), steps));
  std::vector<const Trial*> told;
  for (const Trial& trial : trials)
    if (!trial.outside && (trial.state() == TrialState::done || trial.state() == TrialState::failed)) told.push_back(&trial);
  std::stable_sort(told.begin(), told.end(), [](const Trial* a, const Trial* b) { return a->told_at < b->told_at; });
  Vector corner(static_cast<Eigen::Index>(num_objectives));
  for (std::size_t k = 0; k < num_objectives; ++k) corner(static_cast<Eigen::Index>(k)) = sign_of(outputs[k]) * reference[k];

  std::vector<HypervolumeStep> out;
  std::vector<const Trial*> front;  // of what was told up to here
  bool fresh = false;
  const auto wanted = static_cast<std::size_t>(steps);
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (is_feasible(*told[i], outputs)) {
      front.push_back(told[i]);
      fresh = true;
    }
    const bool step = (i + 1) * wanted / told.size() != i * wanted / told.size();
    if (!step) continue;
    double volume = out.empty() ? 0 : out.back().hypervolume;
    if (fresh) {
      const Matrix Y = turned(front, outputs);
      std::vector<const Trial*> best;
      for (const Eigen::Index row : nondominated(Y)) best.push_back(front[static_cast<std::size_t>(row)]);
      front = std::move(best);
      volume = hypervolume(turned(front, outputs), corner);
      fresh = false;
    }
    out.push_back({static_cast<std::int64_t>(i + 1), volume});
  }
  return out;
}

}  // namespace salvo

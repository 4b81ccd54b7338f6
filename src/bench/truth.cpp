#include "bench/truth.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/record.h"
#include "math/hypervolume.h"
#include "run/process.h"
#include "run/value.h"

namespace salvo::benching {
namespace {

double upwards(const Output& output) { return std::get<Objective>(output.role).direction == Direction::maximize ? 1 : -1; }

bool all_known(const std::vector<double>& values) {
  return std::none_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
}

}  // namespace

bool truly_holds(const std::vector<Output>& outputs, const std::vector<double>& values) {
  const auto slack = [](double bound) { return std::isfinite(bound) ? kBoundTolerance * std::abs(bound) : 0; };
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (const auto* c = std::get_if<Constraint>(&outputs[i].role))
      if (!(values[i] >= c->min - slack(c->min) && values[i] <= c->max + slack(c->max))) return false;
  return true;
}

Truth::Truth(const BenchCase& which, const StudyFile& file)
    : optimum_(which.optimum),
      best_hypervolume_(which.hypervolume),
      sign_(file.study.direction() == Direction::minimize ? 1 : -1),
      study_(file.study),
      outputs_(file.study.outputs),
      queried_(kUnknown) {
  if (!file.objective.builtin.empty()) {
    problem_ = problem(file.objective.builtin);
    // By the problem's own reference and constraints, whatever the study was told of them.
    if (problem_->outputs.size() > 1) outputs_ = problem_->outputs;
  } else if (!file.objective.truth.empty()) {
    objective_ = file.objective;
    objective_.command = file.objective.truth;
    evaluation_.emplace(objective_, study_, "objective.truth");  // now: what cannot be run is told before anything ran
  }
  std::vector<double> reference;
  for (const Output& output : outputs_)
    if (const auto* objective = std::get_if<Objective>(&output.role))
      reference.push_back(upwards(output) * objective->reference.value_or(kUnknown));
  if (reference.size() > 1) reference_ = Vector::Map(reference.data(), std::ssize(reference));
  if (outputs_.size() > 1) cumulative_ = kUnknown;
}

std::optional<std::vector<double>> Truth::values(const Trial& trial) const {
  if (problem_) return problem_->values(trial.params);
  const auto* told = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
  if (!objective_.command.empty() || !told || !all_known(told->outputs)) return {};
  return told->outputs;
}

std::optional<std::vector<double>> Truth::true_values(const Trial& trial) {
  if (objective_.command.empty()) return values(trial);
  const auto found = known_.find(trial.id);
  if (found != known_.end()) return found->second;
  return known_[trial.id] = run(trial);
}

double Truth::regret(const std::optional<std::vector<double>>& values) const {
  if (!values) return kUnknown;
  return truly_holds(outputs_, *values) ? sign_ * (values->front() - optimum_) : std::numeric_limits<double>::infinity();
}

double Truth::short_of_best(const std::vector<std::vector<double>>& points) const {
  Matrix Y(std::ssize(points), reference_.size());
  for (Eigen::Index i = 0; i < Y.rows(); ++i)
    for (Eigen::Index j = 0; j < Y.cols(); ++j) {
      const auto k = static_cast<std::size_t>(j);
      Y(i, j) = upwards(outputs_[k]) * points[static_cast<std::size_t>(i)][k];
    }
  return best_hypervolume_ - hypervolume(Y, reference_);
}

void Truth::tried(const Trial& trial) {
  if (!several()) {
    const double value = regret(values(trial));
    queried_ = std::fmin(queried_, value);
    cumulative_ += value;
    return;
  }
  auto found = values(trial);
  if (found && truly_holds(outputs_, *found)) allowed_.push_back(*std::move(found));
}

double Truth::queried() const {
  if (!several()) return queried_;
  return objective_.command.empty() ? short_of_best(allowed_) : kUnknown;
}

std::optional<double> Truth::recommended(Study& study) {
  if (!several()) {
    const std::optional<Recommendation> found = study.recommend();
    if (!found) return {};
    return regret(true_values(found->trial));
  }
  const Front front = study.front();
  if (front.points.empty()) return {};
  std::vector<std::vector<double>> points;
  for (const Recommendation& point : front.points) {
    auto found = true_values(point.trial);
    if (found && truly_holds(outputs_, *found)) points.push_back(*std::move(found));
  }
  return short_of_best(points);
}

std::vector<double> Truth::run(const Trial& trial) const {
  runner::ProcessPool pool(1);
  pool.start(trial.id, evaluation_->command(trial));
  while (true) {
    const std::vector<runner::ProcessResult> results = pool.wait(1.0);
    if (results.empty()) continue;
    runner::Reading reading = runner::read_result(results[0], objective_.timeout, study_.outputs);
    if (!reading.has_value()) throw Error(fmt::format("objective.truth failed at trial {}: {}", trial.id, reading.error));
    for (std::size_t i = 0; i < reading.outputs.size(); ++i)
      if (std::isnan(reading.outputs[i]))
        throw Error(fmt::format("objective.truth printed no value of {} at trial {}", study_.outputs[i].name, trial.id));
    return std::move(reading.outputs);
  }
}

}  // namespace salvo::benching

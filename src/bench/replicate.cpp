#include <fmt/format.h>
#include <salvo/bench.h>
#include <salvo/error.h>
#include <salvo/problems.h>
#include <salvo/run.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

#include "bench/record.h"
#include "run/command.h"
#include "run/process.h"
#include "run/value.h"

namespace salvo {
namespace benching {
namespace {

constexpr std::int64_t kMaxSteps = 100;  // a sequential run of 750 is measured after every eighth: files stay small
constexpr std::int64_t kMaxJudged = 10;  // where a model is fitted from nothing for each measurement alone

// Of this process on all its threads, without the commands it started.
double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// How far a point is from the optimum, by the value without noise: the built-in problem's, or what the user's
// objective.truth prints; without one the observed value, which is the true one where the command has no noise.
class Truth {
 public:
  Truth(const BenchCase& which, const StudyFile& file)
      : optimum_(which.optimum), sign_(file.study.direction() == Direction::minimize ? 1 : -1), study_(file.study) {
    if (!file.objective.builtin.empty()) {
      problem_ = problem(file.objective.builtin);
    } else if (!file.objective.truth.empty()) {
      objective_ = file.objective;
      objective_.command = file.objective.truth;
      evaluation_.emplace(objective_, study_, "objective.truth");  // now: what cannot be run is told before anything ran
    }
  }

  // Known without running anything, else NaN.
  [[nodiscard]] double cheap_regret(const Trial& trial) const {
    if (problem_) return regret(problem_->value(trial.params));
    return objective_.command.empty() && trial.value() ? regret(*trial.value()) : kUnknown;
  }

  [[nodiscard]] double regret_at(const Trial& trial) {
    if (objective_.command.empty()) return cheap_regret(trial);
    const auto found = known_.find(trial.id);
    if (found != known_.end()) return found->second;
    return known_[trial.id] = regret(run(trial));
  }

 private:
  [[nodiscard]] double regret(double value) const { return sign_ * (value - optimum_); }

  [[nodiscard]] double run(const Trial& trial) const {
    runner::ProcessPool pool(1);
    pool.start(trial.id, evaluation_->command(trial));
    while (true) {
      const std::vector<runner::ProcessResult> results = pool.wait(1.0);
      if (results.empty()) continue;
      const runner::Reading reading = runner::read_result(results[0], objective_.timeout);
      if (!reading.has_value()) throw Error(fmt::format("objective.truth failed at trial {}: {}", trial.id, reading.error));
      return reading.outputs.front();
    }
  }

  double optimum_, sign_;
  StudyOptions study_;
  std::optional<Problem> problem_;
  ObjectiveOptions objective_;                      // command: the truth; empty: none
  std::optional<runner::Evaluation> evaluation_{};  // of objective_ in study_
  std::map<std::int64_t, double> known_{};          // by trial
};

}  // namespace
}  // namespace benching

BenchRun run_case(const BenchCase& which, std::int64_t seed, const std::function<void(const BenchStep&)>& on_step) {
  StudyFile file = which.file;
  file.study.seed = static_cast<std::uint64_t>(seed);
  benching::Truth truth(which, file);
  Study study = Study::create(file.study, ":memory:");

  BenchRun result{.problem = which.problem,
                  .method = which.method,
                  .settings = which.settings,
                  .version = SALVO_VERSION,
                  .seed = seed,
                  .steps = {}};
  double queried = benching::kUnknown, cumulative = 0;
  RunOptions options{.objective = file.objective, .budget = file.budget, .progress = {}, .finished = {}};
  options.budget.time = 0;  // every run has the same evaluations
  options.budget.target.reset();
  options.budget.patience = 0;
  options.finished = [&](const Trial& trial) {
    const double regret = truth.cheap_regret(trial);
    queried = std::fmin(queried, regret);
    cumulative += regret;
  };
  const std::int64_t batches = (file.budget.evaluations + file.budget.batch - 1) / file.budget.batch;
  const bool learns = info(file.study.method()).model != ModelUse::none;
  const std::int64_t steps = learns ? benching::kMaxSteps : benching::kMaxJudged;
  const std::int64_t stride = (batches + steps - 1) / steps;
  BenchStep step;
  while (step.evaluations < file.budget.evaluations) {
    options.budget.evaluations = std::min<std::int64_t>(file.budget.evaluations, step.evaluations + file.budget.batch);
    const Seconds before = study.seconds();
    const double cpu_before = benching::cpu_seconds();
    const RunSummary summary = run(study, options);
    const Seconds after = study.seconds();
    if (summary.end != RunEnd::budget_spent) throw Error(summary.message);
    if (summary.evaluations <= step.evaluations) break;  // every point of a finite space has been tried
    ++step.batches;
    step.evaluations = summary.evaluations;
    step.fit += after.fit - before.fit;
    step.draw += after.draw - before.draw;
    step.maximise += after.maximise - before.maximise;
    step.cpu += benching::cpu_seconds() - cpu_before;
    result.seconds += summary.seconds;
    result.seconds_evaluating += summary.seconds_evaluating;

    if (step.batches % stride != 0 && step.evaluations < file.budget.evaluations) continue;
    const std::optional<Recommendation> recommended = study.recommend();
    if (!recommended) continue;  // nothing but failures so far
    step.regret = truth.regret_at(recommended->trial);
    step.queried = queried;
    step.cumulative = cumulative;
    result.steps.push_back(step);
    if (on_step) on_step(step);
  }
  if (result.steps.empty()) throw Error("no evaluation gave a value");
  return result;
}

}  // namespace salvo

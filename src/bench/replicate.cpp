#include <fmt/format.h>
#include <salvo/bench.h>
#include <salvo/error.h>
#include <salvo/run.h>

#include <algorithm>
#include <ctime>

#include "bench/truth.h"

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
  RunOptions options{.objective = file.objective, .budget = file.budget, .progress = {}, .finished = {}};
  options.budget.time = 0;  // every run has the same evaluations
  options.budget.target.reset();
  options.budget.patience = 0;
  options.budget.gain = 0;
  options.finished = [&](const Trial& trial) { truth.tried(trial); };
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
    const std::optional<double> regret = truth.recommended(study);
    if (!regret) continue;  // nothing but failures so far
    step.regret = *regret;
    step.queried = truth.queried();
    step.cumulative = truth.cumulative();
    result.steps.push_back(step);
    if (on_step) on_step(step);
  }
  if (result.steps.empty()) throw Error("no evaluation gave a value");
  return result;
}

}  // namespace salvo

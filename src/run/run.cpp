#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/run.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>

#include "run/builtin.h"
#include "run/command.h"
#include "run/ledger.h"
#include "run/lookup.h"
#include "run/meter.h"
#include "run/owner_slot.h"
#include "run/process.h"
#include "run/value.h"

namespace salvo {
namespace runner {
namespace {

// What both kinds of objective share: the budget, the queue of trials to evaluate, the record of outcomes.
struct Session {
  Session(Study& of, const RunOptions& how) : study(of), options(how), meter(of, how), ledger(of, how, meter) {
    for (Trial& trial : study.claim_orphans(owner.name())) queue.push_back(std::move(trial));
    std::sort(queue.begin(), queue.end(), [](const Trial& a, const Trial& b) { return a.id < b.id; });
  }

  [[nodiscard]] int stop() const { return options.stop ? options.stop->load(std::memory_order_relaxed) : 0; }
  [[nodiscard]] bool async() const { return options.objective.schedule == "async"; }

  // Asks for up to `size` more trials, as far as the budget and the space go.
  void ask(int size) {
    const Counts counts = study.counts();
    const std::int64_t spent = counts.total() - counts.abandoned;
    std::int64_t left = std::min<std::int64_t>(size, options.budget.evaluations - spent);
    if (const double points = study.num_left(); points < 1e15) left = std::min(left, static_cast<std::int64_t>(points));
    if (left <= 0) return;
    for (Trial& trial : study.ask(static_cast<int>(left), owner.name())) queue.push_back(std::move(trial));
  }

  RunSummary summary(RunEnd end) {
    const Counts counts = study.counts();
    RunSummary summary{.end = end,
                       .message = "",
                       .evaluations = counts.done + counts.failed,
                       .seconds = meter.seconds(),
                       .seconds_evaluating = meter.seconds_evaluating()};
    const std::int64_t budget = options.budget.evaluations;
    if (end == RunEnd::all_failed)
      summary.message = ledger.why_all_failed();
    else if (end == RunEnd::stopped)
      summary.message = fmt::format("stopped after {} of {} evaluations, {} trials pending; run the same command again to go on",
                                    summary.evaluations, budget, counts.pending);
    else if (study.options().pool && study.num_left() < 1 && counts.pending == 0)
      summary.message =
          fmt::format("nothing left: all {} candidates of the pool have been evaluated", study.options().pool->size());
    else if (summary.evaluations >= budget)
      summary.message =
          fmt::format("budget spent: {} of {} evaluations; raise budget.evaluations to go on", summary.evaluations, budget);
    else
      summary.message = fmt::format(
          "nothing left to start: {} of {} evaluations, {} trials pending with others; run again when those have ended",
          summary.evaluations, budget, counts.pending);
    return summary;
  }

  Study& study;
  const RunOptions& options;
  OwnerSlot owner;
  Meter meter;
  Ledger ledger;
  std::deque<Trial> queue;
};

// An objective that is known here and now, in no time.
RunSummary run_known(Study& study, const RunOptions& options, const std::function<Outcome(const Trial&)>& objective) {
  Session session(study, options);
  while (session.stop() == 0) {
    if (session.queue.empty()) session.ask(session.async() ? options.objective.workers : options.budget.batch);
    if (session.queue.empty()) return session.summary(RunEnd::budget_spent);
    const auto start = Clock::now();
    std::vector<Outcome> outcomes;
    for (const Trial& trial : session.queue) outcomes.push_back(objective(trial));
    session.queue.clear();
    session.meter.add_evaluating(std::chrono::duration<double>(Clock::now() - start).count());
    session.ledger.record(std::move(outcomes));
    session.meter.batch_done(0);
  }
  return session.summary(RunEnd::stopped);
}

class CommandRun {
 public:
  CommandRun(Study& study, const RunOptions& options)
      : options_(options),
        evaluation_(options.objective, study.options()),
        session_(study, options),
        pool_(options.objective.workers) {}

  RunSummary run() {
    while (true) {
      const int stop = session_.stop();
      if (stop >= 2) pool_.kill_all();
      if (stop == 0) {
        refill();
        start();
      }
      if (pool_.size() == 0) {
        if (session_.ledger.all_failed(stop == 0)) return session_.summary(RunEnd::all_failed);
        return session_.summary(stop > 0 ? RunEnd::stopped : RunEnd::budget_spent);
      }
      wait();
      if (session_.ledger.all_failed(false)) {
        pool_.kill_all();
        return session_.summary(RunEnd::all_failed);
      }
    }
  }

 private:
  void refill() {
    const int waiting = static_cast<int>(session_.queue.size());
    const int idle = options_.objective.workers - pool_.size() - waiting;
    if (session_.async() && idle > 0) session_.ask(idle);
    if (!session_.async() && waiting == 0 && pool_.size() == 0) session_.ask(options_.budget.batch);
  }

  void start() {
    while (!session_.queue.empty() && pool_.size() < options_.objective.workers) {
      Trial& trial = session_.queue.front();
      pool_.start(trial.id, evaluation_.command(trial));
      running_.insert_or_assign(trial.id, std::move(trial));
      session_.queue.pop_front();
    }
  }

  void wait() {
    const auto start = Clock::now();
    const std::vector<ProcessResult> results = pool_.wait(0.1);
    session_.meter.add_evaluating(std::chrono::duration<double>(Clock::now() - start).count());
    std::vector<Outcome> outcomes;
    for (const ProcessResult& result : results) finish(result, outcomes);
    num_outcomes_ += static_cast<std::int64_t>(outcomes.size());
    if (!outcomes.empty()) session_.ledger.record(std::move(outcomes));
    if (batch_complete())
      session_.meter.batch_done(pool_.size());
    else
      session_.meter.tick(pool_.size());
  }

  bool batch_complete() {
    if (!session_.async()) return pool_.size() == 0 && session_.queue.empty();
    const std::int64_t batches = num_outcomes_ / options_.budget.batch;
    return std::exchange(num_batches_, batches) != batches;
  }

  // An outcome, or another attempt.
  void finish(const ProcessResult& result, std::vector<Outcome>& outcomes) {
    const auto node = running_.extract(result.tag);
    Reading reading = read_result(result, options_.objective.timeout);
    if (reading.value) {
      attempts_.erase(result.tag);
      outcomes.push_back({.id = result.tag, .value = reading.value, .error = {}});
      return;
    }
    // What cannot even start will not start for the other trials either.
    if ((result.exit_code == 126 || result.exit_code == 127) && !session_.ledger.has_value())
      throw Error(fmt::format(
          "objective.command cannot be run: {}\nThe command was: {}\nNo trial is lost: repair the command and run again",
          reading.error, evaluation_.command(node.mapped()).text));
    const int attempt = ++attempts_[result.tag];
    if (attempt <= options_.objective.retries) {
      session_.queue.push_front(std::move(node.mapped()));  // not started when stopping: then it stays pending
      return;
    }
    attempts_.erase(result.tag);
    if (attempt > 1) reading.error = fmt::format("failed {} times, at last: {}", attempt, reading.error);
    outcomes.push_back({.id = result.tag, .value = std::nullopt, .error = std::move(reading.error)});
  }

  const RunOptions& options_;
  Evaluation evaluation_;
  Session session_;
  std::map<std::int64_t, Trial> running_;  // by id
  std::map<std::int64_t, int> attempts_;   // failed ones, by id
  std::int64_t num_outcomes_ = 0, num_batches_ = 0;
  ProcessPool pool_;  // last: its processes die first
};

void validate(const RunOptions& options) {
  options.objective.validate();
  if (options.budget.batch < 1)
    throw std::invalid_argument(fmt::format("run: budget.batch: expected at least 1, got {}", options.budget.batch));
  if (options.budget.evaluations < 1)
    throw std::invalid_argument(fmt::format("run: budget.evaluations: expected at least 1, got {}", options.budget.evaluations));
  if (options.objective.command.empty() && options.objective.builtin.empty() && options.objective.lookup.empty())
    throw std::invalid_argument("run: expected objective.command, objective.builtin or objective.lookup");
}

}  // namespace
}  // namespace runner

RunSummary run(Study& study, const RunOptions& options) {
  runner::validate(options);
  if (!options.objective.builtin.empty()) {
    const runner::Builtin known(options.objective, study.options());
    return runner::run_known(study, options,
                             [&](const Trial& trial) { return Outcome{.id = trial.id, .value = known(trial), .error = {}}; });
  }
  if (!options.objective.lookup.empty())
    return runner::run_known(study, options, runner::Lookup(options.objective, study.options()));
  return runner::CommandRun(study, options).run();
}

}  // namespace salvo

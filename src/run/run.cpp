#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/failing.h>
#include <salvo/front.h>
#include <salvo/run.h>
#include <salvo/run_policy.h>
#include <salvo/stopping.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "run/builtin.h"
#include "run/command.h"
#include "run/failures.h"
#include "run/lookup.h"
#include "run/meter.h"
#include "run/process.h"
#include "run/value.h"

namespace salvo {
namespace runner {
namespace {

RunPolicyOptions policy_options(const RunOptions& options) {
  const bool async = options.objective.schedule == Schedule::async;
  return {.evaluations = options.budget.evaluations,
          .batch = options.budget.batch,
          .at_once = async ? options.objective.workers : options.budget.batch,
          .refill = async,
          .retries = options.objective.retries};
}

RunEnd end_of(StopReason reason) {
  switch (reason) {
    case StopReason::time:
      return RunEnd::time_over;
    case StopReason::target:
      return RunEnd::target_reached;
    case StopReason::patience:
    case StopReason::gain:
      break;
  }
  return RunEnd::no_improvement;
}

// What both kinds of objective share: the policy, the queue of trials to evaluate, the display, when to stop.
struct Session {
  Session(Study& of, const RunOptions& how)
      : study(of),
        options(how),
        stopping(how.budget, of.options().direction()),
        failures(how.objective.schedule == Schedule::async),
        meter(of, how),
        policy(of, policy_options(how)) {
    for (Trial& trial : study.claim_orphans(policy.owner())) queue.push_back(std::move(trial));
    stopping.look(study);
  }

  [[nodiscard]] int interrupted() const { return options.stop ? options.stop->load(std::memory_order_relaxed) : 0; }
  // 0: go on; 1: finish what runs; 2: at once.
  [[nodiscard]] int stop() { return std::max(interrupted(), stopping.look() ? 1 : 0); }
  [[nodiscard]] bool async() const { return options.objective.schedule == Schedule::async; }

  // Asks for as many more trials as may be out.
  void refill(int num_running) {
    const int room = policy.room(study, num_running + static_cast<std::int64_t>(queue.size()));
    if (room == 0) return;
    for (Trial& trial : study.ask(room, policy.owner())) queue.push_back(std::move(trial));
  }

  void record(std::vector<Told> outcomes) {
    bool good_enough = false;
    for (const Told& outcome : outcomes) failures.count(outcome.outcome);
    for (const Told& outcome : policy.record(study, std::move(outcomes)).taken) {
      meter.count(outcome.outcome);
      const auto* values = std::get_if<Values>(&outcome.outcome);
      good_enough = good_enough || (values && keeps_to_constraints(*values, study.options().outputs) &&
                                    stopping.reaches(values->outputs.front()));
      if (!options.finished) continue;
      if (const auto trial = study.trial(outcome.id)) options.finished(*trial);
    }
    if (good_enough) stopping.look(study);
    tell_failures(false);
  }

  void batch_done(int running) {
    stopping.look(study);
    meter.batch_done(running);
    tell_failures(true);
  }

  void tell_failures(bool batch_done) {
    const auto news = failures.look(batch_done);
    if (news && options.failing) options.failing(*news);
  }

  // Nothing runs, and nothing more is to be begun. What was recorded is no news where values are known beforehand.
  RunSummary ended(bool known) {
    const bool by_hand = interrupted() > 0;
    const auto why = policy.all_failed(!by_hand);
    if (why && (why->held || !known)) return all_failed(*why);
    if (by_hand) return summary(RunEnd::stopped);
    if (!policy.machine().left.empty() && failures.num_outcomes() == 0) return machine_failed();
    return summary(stopping.why() ? end_of(stopping.why()->reason) : RunEnd::budget_spent);
  }

  RunSummary all_failed(const RunPolicy::AllFailed& why) {
    RunSummary ended = summary(RunEnd::all_failed);
    ended.message =
        fmt::format("all {} trials of this run failed, the last one with: {}\nRepair {} and run again: {}", why.num_failures,
                    why.last_error, options.objective.lookup.empty() ? "the command" : "objective.lookup",
                    why.held ? "these trials are kept pending and will be evaluated again"
                             : "these trials are recorded as failed, and the study goes on with new ones");
    return ended;
  }

  RunSummary machine_failed() {
    RunSummary ended = summary(RunEnd::machine_failed);
    ended.message = fmt::format(
        "the machine ended {} attempts in this run, at last again and again: {}\nNo trial is lost: {} of {} evaluations are "
        "done, "
        "{} trials are pending. See to the machine and run again; where these were failures of the points, leave their codes out "
        "of objective.machine_failures",
        policy.machine().num_failures, policy.machine().last_error, ended.evaluations, options.budget.evaluations,
        study.counts().pending);
    return ended;
  }

  RunSummary summary(RunEnd end) {
    const Counts counts = study.counts();
    RunSummary summary{.end = end,
                       .message = "",
                       .evaluations = counts.done + counts.failed,
                       .outcomes = failures.num_outcomes(),
                       .failures = failures.num_failed(),
                       .last_failure = failures.last_reason(),
                       .machine_failures = policy.machine().num_failures,
                       .left_by_machine = static_cast<std::int64_t>(policy.machine().left.size()),
                       .last_machine_failure = policy.machine().last_error,
                       .seconds = meter.seconds(),
                       .seconds_evaluating = meter.seconds_evaluating()};
    const std::int64_t budget = options.budget.evaluations;
    if (const auto& why = stopping.why(); why && end == end_of(why->reason)) {
      summary.reason = why->words;
      summary.message = fmt::format("stopped after {} of {} evaluations{}: {}", summary.evaluations, budget,
                                    counts.pending > 0 ? fmt::format(", {} trials pending", counts.pending) : "", why->words);
    } else if (end == RunEnd::stopped)
      summary.message = fmt::format("stopped after {} of {} evaluations, {} trials pending; run the same command again to go on",
                                    summary.evaluations, budget, counts.pending);
    else if (const Pool* pool = study.options().pool(); pool && study.num_left() < 1 && counts.pending == 0)
      summary.message = fmt::format("nothing left: all {} candidates of the pool have been evaluated", pool->size());
    else if (summary.evaluations >= budget)
      summary.message =
          fmt::format("budget spent: {} of {} evaluations; raise budget.evaluations to go on", summary.evaluations, budget);
    else if (summary.left_by_machine > 0)
      summary.message =
          fmt::format("{} of {} evaluations are done, {} trials pending; run again to evaluate what the machine ended",
                      summary.evaluations, budget, counts.pending);
    else
      summary.message = fmt::format(
          "nothing left to start: {} of {} evaluations, {} trials pending with others; run again when those have ended",
          summary.evaluations, budget, counts.pending);
    return summary;
  }

  Study& study;
  const RunOptions& options;
  Stopping stopping;
  FailureWatch failures;
  Meter meter;
  RunPolicy policy;
  std::deque<Trial> queue;
};

// An objective that is known here and now, in no time.
RunSummary run_known(Study& study, const RunOptions& options, const std::function<Outcome(const Trial&)>& objective) {
  Session session(study, options);
  while (session.stop() == 0) {
    if (session.queue.empty()) session.refill(0);
    if (session.queue.empty()) break;
    const auto start = Clock::now();
    std::vector<Told> outcomes;
    for (const Trial& trial : session.queue) outcomes.push_back({trial.id, objective(trial)});
    session.queue.clear();
    session.meter.add_evaluating(std::chrono::duration<double>(Clock::now() - start).count());
    session.record(std::move(outcomes));
    session.batch_done(0);
  }
  return session.ended(true);
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
        session_.refill(pool_.size());
        start();
      }
      if (pool_.size() == 0) return session_.ended(false);
      wait();
      if (const auto why = session_.policy.all_failed(false)) {
        pool_.kill_all();
        return session_.all_failed(*why);
      }
      if (session_.policy.machine().broken) {
        pool_.kill_all();
        return session_.machine_failed();
      }
    }
  }

 private:
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
    std::vector<Told> outcomes;
    for (const ProcessResult& result : results) finish(result, outcomes);
    num_outcomes_ += static_cast<std::int64_t>(outcomes.size());
    if (!outcomes.empty()) session_.record(std::move(outcomes));
    if (batch_complete())
      session_.batch_done(pool_.size());
    else
      session_.meter.tick(pool_.size());
  }

  bool batch_complete() {
    if (!session_.async()) return pool_.size() == 0 && session_.queue.empty();
    const std::int64_t batches = num_outcomes_ / options_.budget.batch;
    return std::exchange(num_batches_, batches) != batches;
  }

  // An outcome, or another attempt.
  void finish(const ProcessResult& result, std::vector<Told>& outcomes) {
    const auto node = running_.extract(result.tag);
    Reading reading = read_result(result, options_.objective.timeout, session_.study.options().outputs);
    if (reading.has_value()) {
      outcomes.push_back({result.tag, Values{std::move(reading.outputs), std::move(reading.others), std::move(reading.said)}});
      return;
    }
    if (by_machine(result, options_.objective.machine_failures)) {
      if (session_.policy.retry_machine(result.tag, reading.error)) session_.queue.push_back(std::move(node.mapped()));
      return;
    }
    // What cannot even start will not start for the other trials either.
    if ((result.exit_code == 126 || result.exit_code == 127) && !session_.policy.has_value())
      throw Error(fmt::format(
          "objective.command cannot be run: {}\nThe command was: {}\nNo trial is lost: repair the command and run again",
          reading.error, shown_command(evaluation_.command(node.mapped()))));
    if (session_.policy.retry(result.tag)) {
      session_.queue.push_front(std::move(node.mapped()));  // not started when stopping: then it stays pending
      return;
    }
    outcomes.push_back({result.tag, Failure{std::move(reading.error)}});
  }

  const RunOptions& options_;
  Evaluation evaluation_;
  Session session_;
  std::map<std::int64_t, Trial> running_;  // by id
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
    return runner::run_known(study, options, runner::Builtin(options.objective, study.options()));
  }
  if (!options.objective.lookup.empty())
    return runner::run_known(study, options, runner::Lookup(options.objective, study.options()));
  return runner::CommandRun(study, options).run();
}

}  // namespace salvo

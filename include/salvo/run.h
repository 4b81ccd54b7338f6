#pragma once
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace salvo {

// What happens while a study runs, for progress displays.
struct RunProgress {
  std::int64_t batch = 0;        // batches finished (evaluations ÷ batch when asynchronous)
  std::int64_t evaluations = 0;  // trials with an outcome, of all runs of this study
  std::int64_t budget = 0;
  std::int64_t failed = 0;
  std::int64_t running = 0;
  double seconds = 0;          // since this run began
  double rate = 0;             // evaluations per second of this run
  double seconds_left = -1;    // −1: not known yet
  std::optional<double> best;  // best raw value so far
  // What was recommended after the last batch, or after one before where looking each time would cost more than a few per cent.
  std::optional<Recommendation> recommended;
  std::optional<Front> front{};  // of several objectives, as the recommendation
  bool batch_done = false;       // true once per finished batch
};

// Most evaluations fail: half of a batch or more, or of 20 where there are no batches.
struct Failing {
  std::int64_t failed = 0, of = 0;
  std::string reason;  // of the last one
};

struct RunOptions {
  ObjectiveOptions objective;
  Budget budget;
  std::function<void(const RunProgress&)> progress;  // called on the running thread
  std::function<void(const Trial&)> finished;        // after each trial's outcome is stored
  std::function<void(const Failing&)> failing{};     // at once, but seldom when it goes on
  // 0: go on; 1: finish what runs, then stop; 2: stop at once. A signal handler may raise it.
  const std::atomic<int>* stop = nullptr;
};

// all_failed: a run that began with failures only (the first 20, or all there were). In a study without any value
// these trials stay pending, to be evaluated again once the command is repaired; in one that has values they are
// recorded as failed, and a run gives up after max(20, batch) of them.
// machine_failed: the machine ended attempt after attempt (see ObjectiveOptions::machine_failures), or all there were; these
// trials stay pending.
// time_over, target_reached and no_improvement are those of stopping.h.
enum class RunEnd { budget_spent, stopped, all_failed, machine_failed, time_over, target_reached, no_improvement };

struct RunSummary {
  RunEnd end = RunEnd::budget_spent;
  std::string message;   // how it ended, in words
  std::string reason{};  // of the last three ends: "the target 0.95 was reached (0.953 ± 0.004)"
  std::int64_t evaluations = 0;
  std::int64_t outcomes = 0, failures = 0;  // of this run
  std::string last_failure{};
  std::int64_t machine_failures = 0, left_by_machine = 0;  // attempts that the machine ended; trials that are pending for it
  std::string last_machine_failure{};
  double seconds = 0;             // wall clock of this run
  double seconds_evaluating = 0;  // of these, waiting for evaluations
};

// Asks, evaluates and tells until the budget is spent or it is time to stop (stopping.h): then what runs is waited for, and
// what was asked for but not begun stays pending. Trials left pending by a dead run are evaluated first.
// The budget counts every trial of the study but the abandoned ones: done, failed or pending, asked for by any run
// or evaluated elsewhere and handed in. Several runs may work on one study at once; then the last of them to ask may
// overstep the budget by a batch.
// Throws Error when the command cannot be run at all, StoreError when an outcome cannot be stored; whatever was
// running is killed first, and its trials stay pending.
RunSummary run(Study& study, const RunOptions& options);

}  // namespace salvo

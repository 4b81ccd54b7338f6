#pragma once
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <atomic>
#include <functional>
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
  bool batch_done = false;     // true once per finished batch
};

struct RunOptions {
  ObjectiveOptions objective;
  Budget budget;
  std::function<void(const RunProgress&)> progress;  // called on the running thread
  std::function<void(const Trial&)> finished;        // after each trial's outcome is stored
  // 0: go on; 1: finish what runs, then stop; 2: stop at once. A signal handler may raise it.
  const std::atomic<int>* stop = nullptr;
};

enum class RunEnd { budget_spent, stopped, all_failed };

struct RunSummary {
  RunEnd end = RunEnd::budget_spent;
  std::string message;  // how it ended, in words
  std::int64_t evaluations = 0;
  double seconds = 0;  // wall clock of this run
  double seconds_evaluating = 0;
};

// Asks, evaluates and tells until the budget is spent. Trials left pending by a dead run are evaluated first.
RunSummary run(Study& study, const RunOptions& options);

}  // namespace salvo

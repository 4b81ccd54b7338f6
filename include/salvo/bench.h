#pragma once
#include <salvo/study_file.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace salvo {

// One problem and one method: what a benchmark runs once for every seed.
struct BenchCase {
  std::string problem, method;                                    // as the tables call them
  StudyFile file;                                                 // all but the seed
  double optimum = 0;                                             // f*, of the points that keep to the constraints
  double hypervolume = std::numeric_limits<double>::quiet_NaN();  // of several objectives: the best there is
  double stuck = std::numeric_limits<double>::quiet_NaN();  // a run that ends with more regret ended badly; NaN: no such line
  std::string settings;                                     // every key that was set: runs of other settings are not mixed
};

struct BenchPlan {
  std::string name = "bench";
  std::vector<BenchCase> cases;  // by problem, then by method
  int seeds = 10;
  std::int64_t first_seed = 0;
  [[nodiscard]] std::int64_t num_runs() const { return seeds * static_cast<std::int64_t>(cases.size()); }
};

// What the command line says on top of the file, or instead of one.
struct BenchRequest {
  std::string path{};                              // the benchmark file; empty: none
  std::vector<std::string> problems{}, methods{};  // empty: the file's
  std::optional<int> seeds{};
  std::optional<std::int64_t> first_seed{};
  Overrides set{};   // study-file keys for every run
  Overrides vary{};  // {"model.num_inducing", "250,500"}: every method once with each value
  bool quick = false;
};

// Throws InputError with file and line, the key, what was expected and what came (docs/benchmarks.md).
[[nodiscard]] BenchPlan plan_bench(const BenchRequest& request);

// After a batch; of more than 100 batches (10 for methods without a model), after every so many of them. Regret is the true value
// at the recommended point against the optimum, ≥ 0 up to rounding; infinite where that point truly breaks a constraint. Of
// several objectives it is what the hypervolume of the front's true values lacks of the best.
struct BenchStep {
  std::int64_t batches = 0, evaluations = 0;
  double regret = 0;
  double queried = 0;                      // regret of the best point tried so far (of several objectives: of all points tried)
  double cumulative = 0;                   // regrets of all points tried so far, summed (the paper's equation 1); both are NaN
                                           // where true values cost a command, this one with several outputs, too
  double fit = 0, draw = 0, maximise = 0;  // seconds so far, of choosing points, by the clock
  double cpu = 0;                          // seconds of processor time so far: the same whatever else the machine does
};

struct BenchRun {
  std::string problem, method, settings;
  std::string version;  // of Salvo; runs of another one are not used
  std::int64_t seed = 0;
  std::vector<BenchStep> steps;
  double seconds_evaluating = 0, seconds = 0;  // in evaluations; in all, without what measuring took
};

// One run from beginning to end on the calling thread. Throws Error when evaluations fail.
[[nodiscard]] BenchRun run_case(const BenchCase& which, std::int64_t seed,
                                const std::function<void(const BenchStep&)>& on_step = {});

// The runs in a JSON-lines file, those of the plan only and each once. A missing file has none. A last line that was
// cut off (power, kill -9) is passed over; any other line that is no run throws InputError with its number.
struct BenchRuns {
  std::vector<BenchRun> runs;
  std::int64_t others = 0;  // of other cases, seeds, settings or versions
};
[[nodiscard]] BenchRuns read_runs(const BenchPlan& plan, const std::string& path);

struct BenchProgress {
  std::int64_t finished = 0, failed = 0, total = 0;  // runs
  int running = 0;
  double seconds = 0;
  double seconds_left = -1;  // −1: not known yet
};

struct BenchOptions {
  std::string path{};  // the JSON-lines file; it grows by a line for every run that finishes
  int jobs = 0;        // processes at a time; 0: one per core
  std::function<void(const BenchCase&, std::int64_t seed, const BenchStep&)> on_step{};
  std::function<void(const BenchRun&)> on_run{};
  std::function<void(const BenchCase&, std::int64_t seed, const std::string& error)> on_failure{};
  std::function<void(const BenchProgress&)> on_progress{};
  const std::atomic<int>* stop = nullptr;  // 1: start no more runs; 2: kill those under way
};

// Runs what the file does not have yet, each run in a process of its own (forked: the caller must have no other
// threads), and gives what became of them. Throws Error when the file cannot be written or another benchmark uses it.
BenchProgress run_bench(const BenchPlan& plan, const BenchOptions& options);

}  // namespace salvo

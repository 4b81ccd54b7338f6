#include <fmt/format.h>
#include <salvo/bench.h>
#include <salvo/threads.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "bench/processes.h"
#include "bench/record.h"
#include "math/parallel.h"

namespace salvo {
namespace benching {
namespace {

using Clock = std::chrono::steady_clock;

struct Task {
  const BenchCase* which;
  std::int64_t seed;
};

// How long runs take, case by case, to say how long the rest will.
class Forecast {
 public:
  void add(const BenchCase& which, double seconds) {
    auto& [sum, n] = seen_[&which];
    sum += seconds;
    ++n;
  }

  // Seconds until all of `open` are done by `jobs` at a time; −1 when nothing is known. A case not yet seen is taken
  // to last as long as the longest one seen.
  [[nodiscard]] double left(const std::vector<Task>& open, const std::map<std::size_t, Clock::time_point>& running,
                            int jobs) const {
    if (seen_.empty()) return -1;
    double longest = 0;
    for (const auto& [which, times] : seen_) longest = std::max(longest, times.first / times.second);
    double sum = 0, last = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto found = seen_.find(open[i].which);
      double needed = found == seen_.end() ? longest : found->second.first / found->second.second;
      if (const auto begun = running.find(i); begun != running.end())
        needed = std::max(0.1 * needed, needed - std::chrono::duration<double>(Clock::now() - begun->second).count());
      sum += needed;
      last = std::max(last, needed);
    }
    return std::max(last, sum / jobs);
  }

 private:
  std::map<const BenchCase*, std::pair<double, int>> seen_;
};

// Seed by seed, so that a benchmark that is stopped has all methods equally far.
std::vector<Task> open_tasks(const BenchPlan& plan, const std::vector<BenchRun>& done) {
  std::set<std::tuple<std::string, std::string, std::int64_t>> have;
  for (const BenchRun& run : done) have.insert({run.problem, run.method, run.seed});
  std::vector<Task> open;
  for (int i = 0; i < plan.seeds; ++i)
    for (const BenchCase& which : plan.cases)
      if (!have.contains({which.problem, which.method, plan.first_seed + i})) open.push_back({&which, plan.first_seed + i});
  return open;
}

}  // namespace
}  // namespace benching

BenchProgress run_bench(const BenchPlan& plan, const BenchOptions& options) {
  using namespace benching;
  const auto start = Clock::now();
  RunsFile file(options.path);
  std::vector<Task> tasks = open_tasks(plan, read_runs(plan, options.path).runs);
  const int cores = allowed_cores();
  const int jobs = options.jobs > 0 ? options.jobs : cores;
  BenchProgress progress;
  progress.total = plan.num_runs();
  progress.finished = progress.total - static_cast<std::int64_t>(tasks.size());

  Forecast forecast;
  std::vector<bool> ended(tasks.size(), false);
  std::map<std::size_t, Clock::time_point> begun;
  const auto report = [&](int running) {
    progress.running = running;
    progress.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    std::vector<Task> open;
    std::map<std::size_t, Clock::time_point> still;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (ended[i]) continue;
      if (const auto found = begun.find(i); found != begun.end()) still[open.size()] = found->second;
      open.push_back(tasks[i]);
    }
    progress.seconds_left = forecast.left(open, still, jobs);
    if (options.on_progress) options.on_progress(progress);
  };

  std::map<int, BenchRun> results;
  replicate({.count = static_cast<int>(tasks.size()),
             .jobs = jobs,
             .body =
                 [&](int i, const Emit& emit) {
                   set_num_threads(std::max(1, cores / jobs));
                   const Task& task = tasks[static_cast<std::size_t>(i)];
                   emit("begun");
                   emit(to_line(run_case(*task.which, task.seed, [&](const BenchStep& step) { emit("step" + to_line(step)); })));
                 },
             .on_line =
                 [&](int i, std::string_view line) {
                   const Task& task = tasks[static_cast<std::size_t>(i)];
                   if (line == "begun") {
                     begun[static_cast<std::size_t>(i)] = Clock::now();
                   } else if (line.starts_with("step")) {
                     if (options.on_step) options.on_step(*task.which, task.seed, step_of(line.substr(4)));
                   } else {
                     results[i] = run_of(line);
                   }
                 },
             .on_end =
                 [&](int i, const std::string& error) {
                   const Task& task = tasks[static_cast<std::size_t>(i)];
                   ended[static_cast<std::size_t>(i)] = true;
                   const auto found = results.find(i);
                   if (found == results.end()) {
                     ++progress.failed;
                     if (options.on_failure) options.on_failure(*task.which, task.seed, error);
                     return;
                   }
                   file.append(found->second);
                   ++progress.finished;
                   forecast.add(*task.which,
                                std::chrono::duration<double>(Clock::now() - begun[static_cast<std::size_t>(i)]).count());
                   if (options.on_run) options.on_run(found->second);
                   results.erase(found);
                 },
             .on_tick = report,
             .stop = options.stop});
  report(0);
  return progress;
}

}  // namespace salvo

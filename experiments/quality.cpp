// How good is the default method? Final simple regret of the paper's problems over many seeds.
#include <fmt/core.h>
#include <salvo/salvo.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "experiments.h"
#include "support/replicates.h"
#include "support/scratch.h"

namespace salvo::experiments {
namespace {

struct Goal {
  double median, threshold;
  int above;  // seeds that may end above the threshold
};

// "The main job" asks for these at 50 batches of 100; regret is the TRUE value at the recommended point minus f*.
const std::map<std::string, Goal> kGoals{
    {"hartmann6", {0.04, 0.1, 10}}, {"shekel", {0.10, 1.0, 7}}, {"ackley5", {0.055, 1e9, 0}}};

struct Settings {
  std::vector<std::string> problems{"hartmann6", "shekel", "ackley5"};
  int seeds = 30, first_seed = 0, jobs = 0, batches = 50, batch = 100;
  std::vector<std::string> overrides;
  bool json = false;
};

BenchPlan plan_of(const Settings& settings, const std::string& problem) {
  BenchRequest request{.path = {}, .problems = {problem}, .methods = {"thompson"}};
  request.seeds = settings.seeds;
  request.first_seed = settings.first_seed;
  request.set = {{"budget.batch", std::to_string(settings.batch)},
                 {"budget.evaluations", std::to_string(settings.batch * settings.batches)}};
  for (const std::string& each : settings.overrides) {
    const auto equals = each.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("--set: expected key=value, got " + each);
    request.set.emplace_back(each.substr(0, equals), each.substr(equals + 1));
  }
  return plan_bench(request);
}

double quantile(std::vector<double> sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto i = static_cast<std::size_t>(at);
  const double next = sorted[std::min(i + 1, sorted.size() - 1)];
  return sorted[i] + (at - static_cast<double>(i)) * (next - sorted[i]);
}

// Prints one problem's row; true when its goals hold (or it has none).
bool report(const Settings& settings, const std::string& name, const std::vector<BenchRun>& runs) {
  std::vector<double> regrets, queried, seconds;
  for (const BenchRun& run : runs) {
    regrets.push_back(run.steps.back().regret);
    queried.push_back(run.steps.back().queried);
    seconds.push_back(run.seconds);
  }
  if (regrets.empty()) return false;
  const std::vector<double> by_seed = regrets;
  std::sort(regrets.begin(), regrets.end());
  std::sort(queried.begin(), queried.end());
  std::sort(seconds.begin(), seconds.end());
  const auto goal = kGoals.find(name);
  const double threshold = goal == kGoals.end() ? 1.0 : std::min(goal->second.threshold, 1.0);
  const auto above = std::count_if(regrets.begin(), regrets.end(), [&](double r) { return r > threshold; });
  const double median = quantile(regrets, 0.5);
  const bool complete = static_cast<int>(regrets.size()) == settings.seeds;
  const bool holds =
      complete &&
      (goal == kGoals.end() || (median <= goal->second.median && (goal->second.threshold > 1e8 || above <= goal->second.above)));
  if (settings.json) {
    nlohmann::ordered_json line{{"name", "regret of " + name},
                                {"value", median},
                                {"unit", "simple regret"},
                                {"quartiles", {quantile(regrets, 0.25), median, quantile(regrets, 0.75)}},
                                {"above", above},
                                {"above_what", threshold},
                                {"seeds", regrets.size()},
                                {"best_queried", quantile(queried, 0.5)},
                                {"seconds", quantile(seconds, 0.5)},
                                {"regrets", by_seed}};
    if (goal != kGoals.end()) {
      line["goal"] = goal->second.median;
      if (goal->second.threshold < 1e8) line["goal_above"] = goal->second.above;
    }
    line["holds"] = holds;
    fmt::print("{}\n", line.dump());
  } else {
    std::string wish = "-";
    if (goal != kGoals.end()) {
      wish = fmt::format("median ≤ {}", goal->second.median);
      if (goal->second.threshold < 1e8) wish += fmt::format(", ≤ {} above", goal->second.above);
    }
    fmt::print("{:<12} {:>8.4f} {:>8.4f} {:>8.4f}   {:>2} of {} above {:<4} {:>10.4f} {:>8.1f}   {:<28} {}\n", name,
               quantile(regrets, 0.25), median, quantile(regrets, 0.75), above, regrets.size(), threshold, quantile(queried, 0.5),
               quantile(seconds, 0.5), wish, holds ? "holds" : "MISSED");
  }
  std::fflush(stdout);
  return holds;
}

}  // namespace

int run_quality(Arguments& arguments) {
  Settings settings;
  arguments.list("--problems", settings.problems, "problems to run");
  arguments.option("--seeds", settings.seeds, "runs of each problem", kPositive);
  arguments.option("--first-seed", settings.first_seed, "seed of the first run");
  arguments.option("--batches", settings.batches, "batches of each run", kPositive);
  arguments.option("--batch", settings.batch, "points of a batch", kPositive);
  arguments.option("--jobs", settings.jobs, "processes at a time (0: one per core)");
  arguments.repeated("--set", settings.overrides, "a study-file key to change, key=value (repeatable)");
  arguments.flag("--json", settings.json, "one JSON object per line");
  arguments.parse();
  keep_memory();
  for (const std::string& name : settings.problems) (void)plan_of(settings, name);  // bad arguments fail at once
  if (!settings.json)
    fmt::print("{:<12} {:>8} {:>8} {:>8}   {:<16} {:>10} {:>8}   goal\n", "problem", "quarter", "median", "3quarter", "seeds",
               "queried", "seconds");
  bool all = true;
  const bool terminal = isatty(STDERR_FILENO) == 1;
  for (const std::string& name : settings.problems) {
    const BenchPlan plan = plan_of(settings, name);
    const Scratch file;
    BenchOptions options{
        .path = file.path, .jobs = settings.jobs, .on_step = {}, .on_run = {}, .on_failure = {}, .on_progress = {}};
    options.on_failure = [](const BenchCase& which, std::int64_t seed, const std::string& error) {
      fmt::print(stderr, "{}, seed {}: {}\n", which.problem, seed, error);
    };
    options.on_progress = [&](const BenchProgress& p) {
      if (terminal) fmt::print(stderr, "\r{}: {} of {} runs{}", name, p.finished, p.total, p.running == 0 ? "\r\033[K" : "");
    };
    run_bench(plan, options);
    all = report(settings, name, read_runs(plan, file.path).runs) && all;
  }
  return all ? 0 : 1;
}

}  // namespace salvo::experiments

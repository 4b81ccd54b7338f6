// Is the recommended point as good as the study's own data allow? Its true value beside that of the best point tried, on every
// built-in problem, with the problem's noise and without.
#include <fmt/core.h>
#include <salvo/salvo.h>

#include <algorithm>
#include <cmath>

#include "experiments.h"
#include "support/replicates.h"
#include "support/scratch.h"

namespace salvo::experiments {
namespace {

constexpr double kDeviations = 2;  // of the noise, that a noisy study may miss the best point tried by

std::vector<std::string> with_one_output() {
  std::vector<std::string> names = problem_names();
  std::erase_if(names, [](const std::string& name) { return problem(name).outputs.size() > 1; });
  return names;
}

struct Look {
  std::vector<std::string> problems = with_one_output();
  int seeds = 5, first_seed = 0, jobs = 0, evaluations = 600, batch = 50;
};

BenchPlan plan_of(const Look& settings, const std::string& problem, double noise) {
  BenchRequest request{.path = {}, .problems = {problem}, .methods = {"auto"}};
  request.seeds = settings.seeds;
  request.first_seed = settings.first_seed;
  request.set = {{"budget.batch", std::to_string(settings.batch)},
                 {"budget.evaluations", std::to_string(settings.evaluations)},
                 {"objective.noise_variance", fmt::format("{}", noise)}};
  return plan_bench(request);
}

// Prints the row of a problem with so much noise; true when no seed misses what it may.
bool report(const Look& settings, const std::string& name, double noise, const std::vector<BenchRun>& runs) {
  // At the end of each run; without noise after whichever batch it was most, but for the first: until a point was evaluated twice
  // nobody can tell noise from a rough objective.
  std::vector<double> missed;
  for (const BenchRun& run : runs) {
    double most = run.steps.back().regret - run.steps.back().queried;
    for (std::size_t i = 1; noise == 0 && i < run.steps.size(); ++i)
      most = std::max(most, run.steps[i].regret - run.steps[i].queried);
    missed.push_back(most);
  }
  if (missed.empty()) return false;
  std::sort(missed.begin(), missed.end());
  const double allowed = kDeviations * std::sqrt(noise);
  const auto over = std::count_if(missed.begin(), missed.end(), [&](double each) { return each > allowed; });
  const bool holds = over == 0 && std::ssize(missed) == settings.seeds;
  fmt::print("{:<14} {:>7.3g} {:>10.3g} {:>10.3g} {:>10.3g}   {:>2} of {:<3} {}\n", name, noise, missed[missed.size() / 2],
             missed.back(), allowed, over, missed.size(), holds ? "holds" : "MISSED");
  std::fflush(stdout);
  return holds;
}

}  // namespace

int run_recommendation(Arguments& arguments) {
  Look settings;
  arguments.list("--problems", settings.problems, "problems to run");
  arguments.option("--seeds", settings.seeds, "runs of each problem", kPositive);
  arguments.option("--first-seed", settings.first_seed, "seed of the first run");
  arguments.option("--evaluations", settings.evaluations, "evaluations of each run", kPositive);
  arguments.option("--batch", settings.batch, "points of a batch", kPositive);
  arguments.option("--jobs", settings.jobs, "processes at a time (0: one per core)");
  arguments.parse();
  keep_memory();
  fmt::print("{:<14} {:>7} {:>10} {:>10} {:>10}   {}\n", "problem", "noise", "median", "worst", "allowed", "seeds above");
  bool all = true;
  for (const std::string& name : settings.problems) {
    std::vector<double> noises{0};
    if (const double own = problem(name).noise_variance; own > 0) noises.push_back(own);
    for (const double noise : noises) {
      const BenchPlan plan = plan_of(settings, name, noise);
      const Scratch file;
      BenchOptions options{
          .path = file.path, .jobs = settings.jobs, .on_step = {}, .on_run = {}, .on_failure = {}, .on_progress = {}};
      options.on_failure = [](const BenchCase& which, std::int64_t seed, const std::string& error) {
        fmt::print(stderr, "{}, seed {}: {}\n", which.problem, seed, error);
      };
      run_bench(plan, options);
      all = report(settings, name, noise, read_runs(plan, file.path).runs) && all;
    }
  }
  return all ? 0 : 1;
}

}  // namespace salvo::experiments

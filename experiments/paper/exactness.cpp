// Is anything lost? Regret of sparse Thompson sampling against that of the exact GP on the same problems and seeds: a
// bootstrap interval of the difference of medians, and whether it lies inside a margin stated beforehand.
#include <fmt/core.h>
#include <salvo/salvo.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "experiments.h"
#include "support/measure.h"
#include "support/replicates.h"
#include "support/result.h"

namespace salvo::experiments {
namespace {

const std::map<std::string, double> kMargins{{"hartmann6", 0.02}, {"ackley5", 0.02}, {"shekel", 0.05}};

struct ExactnessSettings {
  std::vector<std::string> problems{"hartmann6", "ackley5", "shekel"};
  int seeds = 30, batches = 50, batch = 100, jobs = 0, num_inducing = 500;
  bool quick = false;
  std::string folder = "docs/results";
};

double one_run(const ExactnessSettings& settings, const std::string& name, int seed, const char* method) {
  set_num_threads(1);
  const std::string text = fmt::format(
      "name = \"{0}\"\nseed = {1}\nmethod = \"{2}\"\n[objective]\nbuiltin = \"{0}\"\n[budget]\nbatch = {3}\nevaluations = {4}\n"
      "[model]\nnum_inducing = {5}\nexact_until = 0\nnear_share = 0\nscout_share = 0\nalpha = 1.5\n",
      name, seed, method, settings.batch, settings.batch * settings.batches, settings.num_inducing);
  const StudyFile file = parse_study_file(text, name);
  const Problem truth = problem(name);
  Study study = Study::create(file.study, ":memory:");
  RunOptions options;
  options.objective = file.objective;
  options.budget = file.budget;
  (void)run(study, options);
  return truth.value(study.recommend()->trial.params) - truth.optimum;
}

// Resamples the runs of both methods, each by itself: 2.5% and 97.5% points of median(a) − median(b).
std::pair<double, double> bootstrap(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr std::uint64_t kResamples = 4000;
  std::vector<double> differences;
  for (std::uint64_t r = 0; r < kResamples; ++r) {
    const auto resampled = [&](const std::vector<double>& from, const char* which) {
      const Key key = Key(r).fold(which);
      std::vector<double> out(from.size());
      for (std::size_t i = 0; i < from.size(); ++i) out[i] = from[key.at(i).below(from.size())];
      return median(out);
    };
    differences.push_back(resampled(a, "a") - resampled(b, "b"));
  }
  std::sort(differences.begin(), differences.end());
  return {differences[kResamples / 40], differences[kResamples - kResamples / 40 - 1]};
}

std::vector<double> runs(const ExactnessSettings& settings, const std::string& name, const char* method) {
  const auto results = replicate(
      settings.seeds, settings.jobs, [&](int i) { return fmt::format("{}", one_run(settings, name, i, method)); },
      [](int, const std::string&) {});
  std::vector<double> regrets;
  for (const std::string& text : results) {
    if (text.empty()) throw std::runtime_error(fmt::format("a run of {} with {} died", name, method));
    regrets.push_back(std::stod(text));
  }
  return regrets;
}

}  // namespace

// The exact GP costs O(n³) at every step: at full size (50 batches of 100) a run takes hours.
int run_exactness(Arguments& arguments) {
  ExactnessSettings settings;
  arguments.list("--problems", settings.problems, "problems to run");
  arguments.option("--seeds", settings.seeds, "runs of each", kPositive);
  arguments.option("--batches", settings.batches, "batches of each run: 50 of 100 take hours", kPositive);
  arguments.option("--batch", settings.batch, "points of a batch", kPositive);
  arguments.option("--inducing", settings.num_inducing, "m of the sparse model", kPositive);
  arguments.option("--jobs", settings.jobs, "processes at a time (0: one per core)");
  arguments.flag("--quick", settings.quick, "a tiny run, for the test suite");
  arguments.option("--out", settings.folder, "folder of the result");
  arguments.parse();
  keep_memory();
  if (settings.jobs <= 0) settings.jobs = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (settings.quick) {
    settings.seeds = 3;
    settings.batches = 3;
    settings.batch = 10;
    settings.num_inducing = 10;
    settings.problems = {"shekel"};
  }
  Result result{.name = "exactness",
                .title = "Sparse against exact Thompson sampling",
                .remark = fmt::format("final simple regret by seed, sorted; {} seeds, {} batches of {}, m = {}", settings.seeds,
                                      settings.batches, settings.batch, settings.num_inducing),
                .numbers = {{"quick", settings.quick},
                            {"seeds", settings.seeds},
                            {"batches", settings.batches},
                            {"batch", settings.batch},
                            {"m", settings.num_inducing}},
                .panels = {}};
  fmt::print("{} seeds, {} batches of {}, m = {}\n\n{:<12} {:>10} {:>10} {:>24} {:>8}\n", settings.seeds, settings.batches,
             settings.batch, settings.num_inducing, "problem", "sparse", "exact", "difference, 95%", "margin");
  for (const std::string& name : settings.problems) {
    std::vector<double> sparse = runs(settings, name, "thompson"), exact = runs(settings, name, "thompson-exact");
    const auto [low, high] = bootstrap(sparse, exact);
    const auto margin = kMargins.find(name);
    const bool known = margin != kMargins.end();
    // Equivalent inside the margin; when the whole interval is below it, sparse is at least not worse.
    const char* verdict = !known                                             ? "no margin was stated"
                          : low >= -margin->second && high <= margin->second ? "equivalent"
                          : high <= margin->second                           ? "not worse"
                          : low > margin->second                             ? "WORSE"
                                                                             : "undecided";
    fmt::print("{:<12} {:>10.4f} {:>10.4f} {:>11.4f} to {:>8.4f} {:>8} {}\n", name, median(sparse), median(exact), low, high,
               known ? fmt::format("{}", margin->second) : "-", verdict);
    std::fflush(stdout);
    result.numbers["problems"].push_back({{"problem", name},
                                          {"sparse_median", median(sparse)},
                                          {"exact_median", median(exact)},
                                          {"difference_95", {low, high}},
                                          {"margin", known ? nlohmann::ordered_json(margin->second) : nlohmann::ordered_json()},
                                          {"verdict", verdict},
                                          {"sparse", sparse},
                                          {"exact", exact}});
    std::sort(sparse.begin(), sparse.end());
    std::sort(exact.begin(), exact.end());
    std::vector<double> shares;
    for (std::size_t i = 0; i < sparse.size(); ++i)
      shares.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(sparse.size()));
    result.panels.push_back({fmt::format("{}: {}", name, verdict),
                             "share of the seeds",
                             "regret",
                             false,
                             true,
                             {{"sparse", shares, sparse}, {"exact", shares, exact}}});
  }
  write_result(result, settings.folder, arguments.command());
  return 0;
}

}  // namespace salvo::experiments

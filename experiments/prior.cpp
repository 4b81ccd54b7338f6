// What an old study is worth as a prior: regret with and without it, for old functions that are alike, shifted, have nothing to
// do with the new one, or are its opposite. It must help early where it can and must not hurt late where it cannot.
#include <fmt/core.h>
#include <salvo/salvo.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "experiments.h"
#include "support/measure.h"
#include "support/replicates.h"
#include "support/result.h"

namespace salvo::experiments {
namespace {

struct PriorSettings {
  std::vector<std::string> problems{"hartmann6", "ackley5", "rosenbrock4"};
  std::vector<std::string> kinds{"alike", "shifted", "unrelated", "opposite"};
  int seeds = 30, first_seed = 0, jobs = 0, batch = 10, old = 100;
  std::vector<int> looks{50, 150, 250};  // evaluations after which the regret is taken
  bool quick = false;
  std::string folder = "docs/results";
};

using Function = std::function<double(const Params&)>;

Vector unit(const Space& space, const Params& params) { return Encoding(space).encode(params); }

// Smooth, of about the spread of the new function, and without anything to do with it.
Function random_function(const Space& space, double spread, Key key) {
  constexpr Eigen::Index kWaves = 60;
  const int d = Encoding(space).num_dims();
  Matrix W(kWaves, d);
  Vector b(kWaves), w(kWaves);
  key.fold("W").fill_normal({W.data(), static_cast<std::size_t>(W.size())});
  key.fold("b").fill_uniform({b.data(), static_cast<std::size_t>(b.size())});
  key.fold("w").fill_normal({w.data(), static_cast<std::size_t>(w.size())});
  return [=](const Params& params) {
    const Vector phase = W / 0.3 * unit(space, params) + 2 * M_PI * b;
    return spread * std::sqrt(2.0 / kWaves) * w.dot(phase.array().cos().matrix());
  };
}

double spread_of(const Problem& truth) {
  const Encoding space(truth.space);
  const Matrix U = uniform(1000, space.num_dims(), Key(0).fold("spread"));
  Vector f(U.rows());
  for (Eigen::Index i = 0; i < U.rows(); ++i)
    f(i) = truth.value(space.decode({U.row(i).data(), static_cast<std::size_t>(U.cols())}));
  return std::sqrt((f.array() - f.mean()).square().mean());
}

// The old function: three times as steep and elsewhere, with its optimum 5 or 20% of each range away.
Function old_function(const Problem& truth, const std::string& kind, Key key) {
  const double spread = spread_of(truth);
  if (kind == "unrelated") return random_function(truth.space, spread, key.fold("waves"));
  if (kind == "opposite") return [&truth](const Params& params) { return -truth.value(params); };
  const double share = kind == "alike" ? 0.05 : 0.2;
  std::vector<double> shift;
  for (std::size_t i = 0; i < truth.space.parameters().size(); ++i) {
    const auto& range = std::get<Float>(truth.space.parameters()[i].domain);
    shift.push_back((key.fold("shift").uniform(i) < 0.5 ? -share : share) * (range.high - range.low));
  }
  return [&truth, shift, spread](const Params& params) {
    std::vector<double> x;
    for (std::size_t i = 0; i < params.size(); ++i) x.push_back(std::get<double>(params[i]) + shift[i]);
    return 3 * truth.f(x) + 10 * spread;
  };
}

StudyOptions options_for(const Problem& truth, std::uint64_t seed, int batch) {
  StudyOptions options;
  options.outputs = one_objective(Direction::minimize);
  options.search = SpaceSearch{.space = truth.space};
  options.seed = seed;
  options.batch = batch;
  return options;
}

// Tells `count` evaluations of f, with noise of this deviation.
void evaluate(Study& study, const Function& f, double noise, int count, int batch, Key key) {
  for (int done = 0; done < count; done += batch)
    for (const Trial& trial : study.ask(std::min(batch, count - done))) {
      double error = 0;
      key.fold(static_cast<std::uint64_t>(trial.id)).fill_normal({&error, 1});
      study.tell(trial.id, f(trial.params) + noise * error);
    }
}

std::vector<double> regrets(const PriorSettings& settings, const Problem& truth, Study& study, Key key) {
  std::vector<double> out;
  int done = 0;
  for (const int look : settings.looks) {
    const Function f = [&](const Params& params) { return truth.value(params); };
    evaluate(study, f, std::sqrt(truth.noise_variance), look - done, settings.batch, key);
    out.push_back(truth.value(study.recommend()->trial.params) - truth.optimum);
    done = look;
  }
  return out;
}

// {"without": [...], "alike": [...], …}
nlohmann::ordered_json one_seed(const PriorSettings& settings, const std::string& name, int number) {
  set_num_threads(1);
  const Problem truth = problem(name);
  const auto seed = static_cast<std::uint64_t>(number);
  const Key key = Key(seed).fold("prior");
  nlohmann::ordered_json out;
  {
    Study study = Study::create(options_for(truth, seed, settings.batch), ":memory:");
    out["without"] = regrets(settings, truth, study, key.fold("new"));
  }
  for (const std::string& kind : settings.kinds) {
    Study old = Study::create(options_for(truth, seed + 1000, settings.batch), ":memory:");
    const double noise = (kind == "alike" || kind == "shifted" ? 3 : 1) * std::sqrt(truth.noise_variance);
    evaluate(old, old_function(truth, kind, key.fold(kind)), noise, settings.old, settings.batch, key.fold(kind));
    std::vector<Params> points;
    std::vector<double> values;
    for (const Trial& trial : old.trials()) {
      points.push_back(trial.params);
      values.push_back(*trial.value());
    }
    Study study = Study::create(options_for(truth, seed, settings.batch), ":memory:");
    study.set_prior(points, values, kind);
    out[kind] = regrets(settings, truth, study, key.fold("new"));
    out["slopes"].push_back(study.model_report()->prior->slope);
  }
  return out;
}

// Of the logarithms of the ratios of regret, seed by seed: the mean, and two standard errors of it.
std::pair<double, double> log_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kLeast = 1e-4;  // below it a regret is as good as none
  Vector ratio(std::ssize(a));
  for (std::size_t i = 0; i < a.size(); ++i)
    ratio(static_cast<Eigen::Index>(i)) = std::log(std::max(a[i], kLeast) / std::max(b[i], kLeast));
  const double n = static_cast<double>(a.size());
  const double variance = (ratio.array() - ratio.mean()).square().sum() / std::max(1.0, n - 1);
  return {ratio.mean(), 2 * std::sqrt(variance / n)};
}

}  // namespace

int run_prior(Arguments& arguments) {
  PriorSettings settings;
  arguments.list("--problems", settings.problems, "problems to run");
  arguments.list("--kinds", settings.kinds, "old functions: alike, shifted, unrelated, opposite");
  arguments.option("--seeds", settings.seeds, "runs of each", kPositive);
  arguments.option("--first-seed", settings.first_seed, "of the runs");
  arguments.option("--last-look", settings.looks.back(), "evaluations of a run", Range{200});
  arguments.option("--old", settings.old, "evaluations of the old study", kPositive);
  arguments.option("--jobs", settings.jobs, "processes at a time (0: one per core)");
  arguments.flag("--quick", settings.quick, "a tiny run, for the test suite");
  arguments.option("--out", settings.folder, "folder of the result");
  arguments.parse();
  keep_memory();
  if (settings.jobs <= 0) settings.jobs = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (settings.quick) {
    settings.seeds = 2;
    settings.looks = {20, 30};
    settings.old = 20;
    settings.problems = {"shekel"};
    settings.kinds = {"alike", "opposite"};
  }
  Result result{.name = "prior",
                .title = "An old study as a prior",
                .remark = fmt::format("median regret; {} seeds, batches of {}, {} evaluations of the old function",
                                      settings.seeds, settings.batch, settings.old),
                .numbers = {{"quick", settings.quick},
                            {"seeds", settings.seeds},
                            {"batch", settings.batch},
                            {"old", settings.old},
                            {"evaluations", settings.looks}},
                .panels = {}};
  std::vector<double> looks(settings.looks.begin(), settings.looks.end());
  for (const std::string& name : settings.problems) {
    const auto texts = replicate(
        settings.seeds, settings.jobs, [&](int i) { return one_seed(settings, name, settings.first_seed + i).dump(); },
        [](int, const std::string&) {});
    std::vector<nlohmann::ordered_json> all;
    for (const std::string& text : texts) {
      if (text.empty()) throw std::runtime_error(fmt::format("a run of {} died", name));
      all.push_back(nlohmann::ordered_json::parse(text));
    }
    std::vector<std::string> ways{"without"};
    ways.insert(ways.end(), settings.kinds.begin(), settings.kinds.end());
    Panel panel{name, "evaluations", "median regret", true, true, {}};
    for (const std::string& way : ways) {
      const auto of = [&](const std::string& which, std::size_t k) {
        std::vector<double> out;
        for (const auto& each : all) out.push_back(each[which][k].get<double>());
        return out;
      };
      std::vector<double> medians;
      fmt::print("{:<12} {:<10}", name, way);
      for (std::size_t k = 0; k < looks.size(); ++k) {
        const auto mine = of(way, k), without = of("without", k);
        const auto [mean, error] = log_ratio(mine, without);
        medians.push_back(median(mine));
        fmt::print("  {:>4}: {:<8.4g}", looks[k], medians.back());
        if (way != "without")
          fmt::print(" ×{:.2f} ({:.2f} to {:.2f})", std::exp(mean), std::exp(mean - error), std::exp(mean + error));
        result.numbers["runs"].push_back({{"problem", name},
                                          {"prior", way},
                                          {"evaluations", looks[k]},
                                          {"median", medians.back()},
                                          {"ratio", std::exp(mean)},
                                          {"ratio_95", {std::exp(mean - error), std::exp(mean + error)}},
                                          {"regrets", mine}});
      }
      fmt::print("\n");
      std::fflush(stdout);
      panel.series.push_back({way, looks, medians});
    }
    for (const auto& each : all) result.numbers["slopes"][name].push_back(each["slopes"]);
    result.panels.push_back(std::move(panel));
  }
  write_result(result, settings.folder, arguments.command());
  return 0;
}

}  // namespace salvo::experiments

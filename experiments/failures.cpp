// Evaluations that fail somewhere in the space, or in a pool of random points of it: how many do, and what is found all the same,
// with and without learning from them.
#include <fmt/core.h>
#include <salvo/salvo.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "experiments.h"
#include "support/quantile.h"
#include "support/replicates.h"

namespace salvo::experiments {
namespace {

using Coordinates = std::vector<double>;

struct Breaking {
  std::string name, words;
  int num_dims;
  std::function<double(const Coordinates&)> f;  // to be minimised
  std::function<bool(const Coordinates&)> fails;
  double best;  // of what works
};

double bowl(const Coordinates& x, std::size_t from, double centre) {
  double sum = 0;
  for (std::size_t i = from; i < x.size(); ++i) sum += std::pow(x[i] - centre, 2);
  return sum;
}

// Of points that differ by however little one fails and the other does not.
bool by_chance(const Coordinates& x, double share) {
  Key key(0);
  for (const double each : x) key = key.fold(std::bit_cast<std::uint64_t>(each));
  return key.uniform(0) < share;
}

std::vector<Breaking> breaking_problems() {
  const auto below = [](const Coordinates& x) { return x[0] < 0.3; };
  const auto slope = [](const Coordinates& x) { return x[0] + bowl(x, 1, 0.6); };
  return {{"edge2", "2 parameters, best at the edge of what works", 2, slope, below, 0.3},
          {"edge5", "the same with 5", 5, slope, below, 0.3},
          {"bowl2", "2 parameters, best far from what fails", 2, [](const Coordinates& x) { return bowl(x, 0, 0.55); }, below, 0},
          {"disc2", "2 parameters, the best disc fails", 2, [](const Coordinates& x) { return bowl(x, 0, 0.5); },
           [](const Coordinates& x) { return bowl(x, 0, 0.5) < 0.0625; }, 0.0625},
          {"corner4", "4 parameters, best in a corner of two edges", 4,
           [](const Coordinates& x) { return x[0] + x[1] + x[2] + x[3]; },
           [](const Coordinates& x) { return x[0] + x[1] < 0.5 || x[2] + x[3] < 0.5; }, 1.0},
          {"chance2", "2 parameters, 60% fail whatever the point", 2, [](const Coordinates& x) { return bowl(x, 0, 0.55); },
           [](const Coordinates& x) { return by_chance(x, 0.6); }, 0},
          {"chance5", "5 parameters, 30% fail whatever the point", 5, [](const Coordinates& x) { return bowl(x, 0, 0.55); },
           [](const Coordinates& x) { return by_chance(x, 0.3); }, 0},
          {"never2", "2 parameters, nothing fails", 2, slope, [](const Coordinates&) { return false; }, 0.0}};
}

struct FailuresSettings {
  std::vector<std::string> problems{"edge2", "edge5", "bowl2", "disc2", "corner4", "chance2", "chance5", "never2"};
  int seeds = 30, evaluations = 200, batch = 10, candidates = 0, jobs = 0;
  bool quick = false;
};

struct Run {
  double failed = 0, regret = 0;
};

SpaceSearch box_search(const Breaking& problem, FailureUse use) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < problem.num_dims; ++i) parameters.push_back({fmt::format("x{}", i + 1), Float{0, 1}});
  SpaceSearch search{.space = Space(parameters)};
  search.model.failures = use;
  return search;
}

PoolSearch pool_search(const Breaking& problem, FailureUse use, int candidates, std::uint64_t seed) {
  const Key key = Key(seed).fold("candidates");
  std::vector<float> rows;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(candidates * problem.num_dims); ++i)
    rows.push_back(static_cast<float>(key.uniform(i)));
  std::vector<std::string> columns;
  for (int i = 0; i < problem.num_dims; ++i) columns.push_back(fmt::format("x{}", i + 1));
  PoolSearch search{.pool = Pool::from_numbers(std::move(rows), std::move(columns), {})};
  search.model.kernel = PoolKernelType::matern52;
  search.model.failures = use;
  return search;
}

Coordinates candidate(const Pool& pool, std::int64_t row) {
  const float* numbers = pool.numbers(row);
  return {numbers, numbers + pool.num_features()};
}

double best_candidate(const Pool& pool, const Breaking& problem) {
  double best = std::numeric_limits<double>::infinity();
  for (std::int64_t row = 0; row < pool.size(); ++row)
    if (const Coordinates x = candidate(pool, row); !problem.fails(x)) best = std::min(best, problem.f(x));
  return best;
}

Run run_breaking(const Breaking& problem, FailureUse use, const FailuresSettings& settings, std::uint64_t seed) {
  StudyOptions options;
  options.outputs = one_objective(Direction::minimize);
  options.seed = seed;
  options.batch = settings.batch;
  if (settings.candidates > 0)
    options.search = pool_search(problem, use, settings.candidates, seed);
  else
    options.search = box_search(problem, use);
  const Pool* pool = options.pool();
  Study study = Study::create(options, ":memory:");
  for (int n = 0; n < settings.evaluations; n += settings.batch) {
    std::vector<Told> outcomes;
    for (const Trial& trial : study.ask(settings.batch)) {
      Coordinates x;
      if (pool)
        x = candidate(*pool, pool->find(to_string(trial.params[0])));
      else
        for (const Value& value : trial.params) x.push_back(std::get<double>(value));
      outcomes.push_back(problem.fails(x) ? Told{trial.id, Failure{"it broke"}} : told(trial.id, problem.f(x)));
    }
    study.tell(outcomes);
  }
  const auto best = study.recommend();
  const double known = pool ? best_candidate(*pool, problem) : problem.best;
  return {static_cast<double>(study.counts().failed) / settings.evaluations,
          best ? best->trial.value().value() - known : std::numeric_limits<double>::infinity()};
}

void print_line(const Breaking& problem, FailureUse use, const FailuresSettings& settings) {
  const auto one = [&](int i) {
    set_num_threads(1);
    const Run run = run_breaking(problem, use, settings, static_cast<std::uint64_t>(i) + 1);
    return fmt::format("{} {}", 100 * run.failed, run.regret);
  };
  std::vector<double> failed, regret;
  for (const std::string& text : replicate(settings.seeds, settings.jobs, one, [](int, const std::string&) {})) {
    if (text.empty()) throw std::runtime_error(fmt::format("a run of {} died", problem.name));
    std::size_t read = 0;
    failed.push_back(std::stod(text, &read));
    regret.push_back(std::stod(text.substr(read)));
  }
  fmt::print("| {} | {} | {:.0f}% ({:.0f} to {:.0f}) | {:.2g} ({:.2g} to {:.2g}) |\n", problem.words, to_string(use),
             quantile_of(failed, 0.5), quantile_of(failed, 0), quantile_of(failed, 1), quantile_of(regret, 0.5),
             quantile_of(regret, 0), quantile_of(regret, 1));
  std::fflush(stdout);
}

}  // namespace

int run_failures(Arguments& arguments) {
  FailuresSettings settings;
  arguments.list("--problems", settings.problems, "problems to run");
  arguments.option("--seeds", settings.seeds, "runs of each", kPositive);
  arguments.option("--evaluations", settings.evaluations, "of each run", kPositive);
  arguments.option("--batch", settings.batch, "points of a batch", kPositive);
  arguments.option("--candidates", settings.candidates, "of a pool of random points of the box (0: the box itself)");
  arguments.option("--jobs", settings.jobs, "processes at a time (0: one per core)");
  arguments.flag("--quick", settings.quick, "a tiny run, for the test suite");
  arguments.parse();
  keep_memory();
  if (settings.jobs <= 0) settings.jobs = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (settings.quick) {
    settings.seeds = 2;
    settings.evaluations = 40;
    settings.problems = {"edge2", "never2"};
  }
  fmt::print("{} evaluations in batches of {}, {} seeds: medians (all)\n\n", settings.evaluations, settings.batch,
             settings.seeds);
  fmt::print("| problem | failures | evaluations that failed | above the best that works |\n|---|---|---|---|\n");
  const std::vector<Breaking> known = breaking_problems();
  for (const std::string& name : settings.problems) {
    const auto problem = std::find_if(known.begin(), known.end(), [&](const Breaking& each) { return each.name == name; });
    if (problem == known.end())
      throw std::invalid_argument(fmt::format(
          "--problems: expected some of edge2, edge5, bowl2, disc2, corner4, chance2, chance5, never2, got \"{}\"", name));
    for (const FailureUse use : {FailureUse::learn, FailureUse::ignore}) print_line(*problem, use, settings);
  }
  return 0;
}

}  // namespace salvo::experiments

// How often what a study with several outputs says of its best trials is true, where values are noisy.
#include <fmt/core.h>
#include <salvo/salvo.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "experiments.h"
#include "support/replicates.h"

namespace salvo::experiments {
namespace {

using Coordinates = std::vector<double>;

struct Noisy {
  std::string name, words;
  int num_dims;
  Outputs outputs;
  std::function<Coordinates(const Coordinates&)> f;  // without the noise; of a test the chance that it is passed
  Coordinates range;                                 // of each output
};

double squares_from(const Coordinates& x, std::size_t from, double centre) {
  double sum = 0;
  for (std::size_t i = from; i < x.size(); ++i) sum += std::pow(x[i] - centre, 2);
  return sum;
}

double sum_of(const Coordinates& x) {
  double sum = 0;
  for (const double each : x) sum += each;
  return sum;
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

std::vector<Noisy> noisy_problems() {
  const Output first{"first", Objective{Direction::minimize}}, second{"second", Objective{Direction::minimize}};
  const Output cost{"cost", Objective{Direction::minimize}}, load{"load", Constraint{.max = 1}}, test{"test", passes()};
  const auto circle = [](const Coordinates& x) {
    const double g = 1 + squares_from(x, 1, 0.5), angle = x[0] * std::numbers::pi / 2;
    return Coordinates{g * std::cos(angle), g * std::sin(angle)};
  };
  const auto curve = [](const Coordinates& x) {
    const double g = 1 + 3 * std::abs(x[1] - 0.3);
    return Coordinates{x[0], g * (1 - std::sqrt(x[0] / g))};
  };
  const auto plane = [](const Coordinates& x) { return Coordinates{squares_from(x, 0, 0.8), sum_of(x)}; };
  const auto wave = [](const Coordinates& x) {
    return Coordinates{squares_from(x, 0, 0.7), 2 * squares_from(x, 0, 0.2) + 0.3 * std::sin(6 * x[0]) + 0.4};
  };
  const auto chance = [](const Coordinates& x) {
    return Coordinates{squares_from(x, 0, 0.9), logistic(8 * (1.1 - x[0] - x[1]))};
  };
  return {{"curve2", "front, 2 parameters", 2, {first, second}, curve, {1, 3}},
          {"circle3", "front, 3 parameters", 3, {first, second}, circle, {1.5, 1.5}},
          {"circle6", "front, 6 parameters", 6, {first, second}, circle, {2, 2}},
          {"plane2", "constraint, 2 parameters", 2, {cost, load}, plane, {1, 2}},
          {"wave3", "constraint, 3 parameters", 3, {cost, load}, wave, {1, 3}},
          {"chance2", "test passed by chance, 2 parameters", 2, {cost, test}, chance, {1.6, 0}}};
}

// Sums over runs; claims are of recommendations that say to be allowed.
struct Tally {
  double points = 0, inside = 0, squares = 0, bias = 0;  // of what a front says: within ±2 deviations, z², z
  double claims = 0, claimed = 0, kept = 0;
};

void look_at(const Noisy& problem, Study& study, Tally& tally) {
  const auto point_of = [](const Params& params) {
    Coordinates out;
    for (const Value& value : params) out.push_back(std::get<double>(value));
    return out;
  };
  for (const Recommendation& each : study.front().points) {
    const Coordinates truth = problem.f(point_of(each.trial.params));
    const std::size_t num_objectives = std::holds_alternative<Objective>(problem.outputs[1].role) ? 2 : 1;
    for (std::size_t k = 0; k < num_objectives; ++k) {
      const double z = (each.outputs[k].mean - truth[k]) / each.outputs[k].stddev;
      tally.points += 1;
      tally.inside += std::abs(z) <= 2 ? 1 : 0;
      tally.squares += std::min(z * z, 1e4);
      tally.bias += std::clamp(z, -100.0, 100.0);
    }
    const auto* constraint = std::get_if<Constraint>(&problem.outputs[1].role);
    if (!constraint || !each.allowed) continue;
    tally.claims += 1;
    tally.claimed += each.feasible;
    tally.kept += constraint->passed ? truth[1] : constraint->holds(truth[1]) ? 1 : 0;
  }
}

Tally run_noisy(const Noisy& problem, double noise, int evaluations, int batch, std::uint64_t seed) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < problem.num_dims; ++i) parameters.push_back({fmt::format("x{}", i + 1), Float{0, 1}});
  StudyOptions options;
  options.outputs = problem.outputs;
  options.search = SpaceSearch{.space = Space(parameters)};
  options.seed = seed;
  options.batch = batch;
  Study study = Study::create(options, ":memory:");
  const Key key = Key(seed).fold("noise");
  Tally tally;
  for (int n = 0; n < evaluations; n += batch) {
    std::vector<Told> outcomes;
    for (const Trial& trial : study.ask(batch)) {
      Coordinates x;
      for (const Value& value : trial.params) x.push_back(std::get<double>(value));
      Coordinates y = problem.f(x);
      const Key mine = key.fold(static_cast<std::uint64_t>(trial.id));
      for (std::size_t o = 0; o < y.size(); ++o) {
        const auto* constraint = std::get_if<Constraint>(&problem.outputs[o].role);
        if (constraint && constraint->passed) {
          y[o] = mine.uniform(o) < y[o] ? 1 : 0;
        } else {
          double normal = 0;
          mine.fold(o).fill_normal({&normal, 1});
          y[o] += noise * problem.range[o] * normal;
        }
      }
      outcomes.push_back({trial.id, Values{y}});
    }
    study.tell(outcomes);
    if (n + batch >= 4 * batch && (n / batch) % 2 == 1) look_at(problem, study, tally);
  }
  return tally;
}

struct CalibrationSettings {
  std::vector<std::string> problems{"curve2", "circle3", "circle6", "plane2", "wave3", "chance2"};
  int first = 1, seeds = 30, evaluations = 120, batch = 10, jobs = 0;
  double noise = 0.05;
  bool quick = false;
};

void print_line(const Noisy& problem, const CalibrationSettings& settings) {
  const auto one = [&](int i) {
    set_num_threads(1);
    const Tally t =
        run_noisy(problem, settings.noise, settings.evaluations, settings.batch, static_cast<std::uint64_t>(settings.first + i));
    return fmt::format("{} {} {} {} {} {} {}", t.points, t.inside, t.squares, t.bias, t.claims, t.claimed, t.kept);
  };
  Tally all;
  for (const std::string& text : replicate(settings.seeds, settings.jobs, one, [](int, const std::string&) {})) {
    std::istringstream in(text);
    for (double* sum : {&all.points, &all.inside, &all.squares, &all.bias, &all.claims, &all.claimed, &all.kept})
      if (double each = 0; in >> each)
        *sum += each;
      else
        throw std::runtime_error(fmt::format("a run of {} died", problem.name));
  }
  fmt::print("| {} | {:.0f} | {:.1f}% | {:.2f} | {:+.2f} |", problem.words, all.points, 100 * all.inside / all.points,
             std::sqrt(all.squares / all.points), all.bias / all.points);
  if (all.claims > 0)
    fmt::print(" {:.0f} | {:.1f}% | {:.1f}% |\n", all.claims, 100 * all.claimed / all.claims, 100 * all.kept / all.claims);
  else
    fmt::print(" – | – | – |\n");
  std::fflush(stdout);
}

}  // namespace

int run_calibration(Arguments& arguments) {
  CalibrationSettings settings;
  arguments.list("--problems", settings.problems, "problems to run");
  arguments.option("--seeds", settings.seeds, "runs of each", kPositive);
  arguments.option("--first", settings.first, "the first seed", kPositive);
  arguments.option("--evaluations", settings.evaluations, "of each run", kPositive);
  arguments.option("--batch", settings.batch, "points of a batch", kPositive);
  arguments.option("--noise", settings.noise, "its deviation, as a share of the range");
  arguments.option("--jobs", settings.jobs, "processes at a time (0: one per core)");
  arguments.flag("--quick", settings.quick, "a tiny run, for the test suite");
  arguments.parse();
  keep_memory();
  if (settings.jobs <= 0) settings.jobs = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (settings.quick) {
    settings.seeds = 2;
    settings.evaluations = 40;
    settings.problems = {"curve2", "chance2"};
  }
  fmt::print("{} evaluations in batches of {}, {} seeds, noise {}: looked at after every second batch from the fourth on\n\n",
             settings.evaluations, settings.batch, settings.seeds, settings.noise);
  fmt::print(
      "| problem | values said | within ±2 sd | √mean z² | mean z | said to hold | claimed | true |\n"
      "|---|---|---|---|---|---|---|---|\n");
  const std::vector<Noisy> known = noisy_problems();
  for (const std::string& name : settings.problems) {
    const auto problem = std::find_if(known.begin(), known.end(), [&](const Noisy& each) { return each.name == name; });
    if (problem == known.end())
      throw std::invalid_argument(
          fmt::format("--problems: expected some of curve2, circle3, circle6, plane2, wave3, chance2, got \"{}\"", name));
    print_line(*problem, settings);
  }
  return 0;
}

}  // namespace salvo::experiments

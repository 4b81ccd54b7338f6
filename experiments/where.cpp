// Known conditions among parameters: what a study that is told of them lacks of the best, beside what people do without:
// normalise the parts of a mixture, or let evaluations outside fail.
#include <fmt/core.h>
#include <salvo/salvo.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "experiments.h"
#include "support/quantile.h"
#include "support/replicates.h"

namespace salvo::experiments {
namespace {

struct Conditioned {
  std::string name, words;
  std::vector<Parameter> parameters;
  std::vector<std::string> where;
  std::function<double(const std::vector<double>&)> f;  // to be maximised, of the numbers
  double noise;                                         // standard deviation
  int evaluations, batch;
  bool mixture = false;  // its parts may be normalised
};

std::vector<double> numbers(const Params& at) {
  std::vector<double> out;
  for (const Value& each : at) {
    const auto* whole = std::get_if<std::int64_t>(&each);
    out.push_back(whole ? static_cast<double>(*whole) : std::get<double>(each));
  }
  return out;
}

double square_from(const std::vector<double>& x, const std::vector<double>& centre) {
  double out = 0;
  for (std::size_t i = 0; i < centre.size(); ++i) out += (x[i] - centre[i]) * (x[i] - centre[i]);
  return out;
}

// Of five parts, two blends that do well; the better one has none of the fifth part and is narrow.
double blend(const std::vector<double>& x) {
  return std::exp(-square_from(x, {0.45, 0.3, 0.2, 0.05, 0}) / 0.08) +
         0.8 * std::exp(-square_from(x, {0.1, 0.1, 0.2, 0.3, 0.3}) / 0.2) + 0.3 * x[0] * x[1] - 0.2 * x[4];
}

// Three temperatures in rising order, three times; the best without the order would have the first two exchanged.
double ramp(const std::vector<double>& x) {
  return -square_from({(x[0] - 600) / 300, (x[1] - 450) / 300, (x[2] - 800) / 300, x[3], x[4], x[5]}, {0, 0, 0, 0.3, 0.6, 0.2}) -
         0.3 * std::sin(8 * x[3]) * std::cos(6 * x[4]);
}

// Hartmann's function of six within a ball that leaves its optimum outside.
double hartmann(const std::vector<double>& x) {
  static const Problem problem = salvo::problem("hartmann6");
  return -problem.f(x);
}

// Whole numbers of machines and people, paid from one budget.
double staff(const std::vector<double>& x) {
  return std::pow(x[0], 0.4) * std::pow(x[1], 0.35) * std::pow(x[2], 0.25) + 2 * std::sin(x[0] / 3) + std::cos(x[1] / 2);
}

std::vector<Parameter> several_floats(const std::string& names, double low, double high) {
  std::vector<Parameter> out;
  for (const char name : names) out.push_back({std::string(1, name), Float{low, high}});
  return out;
}

std::vector<Conditioned> conditioned_problems() {
  std::vector<Parameter> ramped = several_floats("pqr", 300, 900);
  for (const Parameter& each : several_floats("uvw", 0, 1)) ramped.push_back(each);
  return {{"mixture",
           "a mixture of five",
           several_floats("abcde", 0, 1),
           {"a + b + c + d + e == 1", "d + e <= 0.6"},
           blend,
           0.02,
           200,
           10,
           true},
          {"order", "three temperatures in order", ramped, {"p + 20 <= q", "q + 20 <= r"}, ramp, 0.02, 200, 10},
          {"ball",
           "Hartmann-6 in a ball",
           problem("hartmann6").space.parameters(),
           {"(x1 - .5)**2 + (x2 - .5)**2 + (x3 - .5)**2 + (x4 - .5)**2 + (x5 - .5)**2 + (x6 - .5)**2 <= 0.16"},
           hartmann,
           0.01,
           300,
           20},
          {"counts",
           "whole numbers and a budget",
           {{"machines", Int{0, 100}}, {"people", Int{0, 200}}, {"rooms", Int{0, 50}}},
           {"3 * machines + people + 5 * rooms <= 180"},
           staff,
           0.05,
           200,
           10}};
}

// The best that many random points and walks from the best of them find.
double best_of(const Conditioned& problem) {
  const Encoding space = Space(problem.parameters, problem.where);
  const auto value = [&](const Vector& x) {
    return problem.f(numbers(space.decode({x.data(), static_cast<std::size_t>(x.size())})));
  };
  std::vector<std::pair<double, Vector>> found;
  Vector x(space.num_dims());
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    Key(3).fold(i).fill_uniform({x.data(), static_cast<std::size_t>(x.size())});
    space.snap({x.data(), static_cast<std::size_t>(x.size())});
    found.emplace_back(value(x), x);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  double best = found[0].first;
  for (std::size_t k = 0; k < 10; ++k) {
    auto [f, at] = found[k];
    Vector step(at.size());
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      Key(4).fold(k).fold(i).fill_normal({step.data(), static_cast<std::size_t>(step.size())});
      Vector next = at + 0.3 * std::pow(10.0, -4.0 * static_cast<double>(i % 100) / 100) * step;
      next = next.cwiseMax(0.0).cwiseMin(1.0);
      space.snap({next.data(), static_cast<std::size_t>(next.size())});
      if (const double here = value(next); here > f) {
        f = here;
        at = next;
      }
    }
    best = std::max(best, f);
  }
  return best;
}

// What the recommended point lacks of the best, and the share of evaluations that lay outside.
std::pair<double, double> run_conditioned(const Conditioned& problem, const std::string& way, double best, std::uint64_t seed) {
  const Space inside(problem.parameters, problem.where);
  SpaceSearch search{.space = way == "told" || way == "random" ? inside : Space(problem.parameters)};
  if (way == "random") search.method = Method::random;
  StudyOptions options;
  options.outputs = one_objective(Direction::maximize);
  options.search = search;
  options.seed = seed;
  options.batch = problem.batch;
  Study study = Study::create(options, ":memory:");
  const auto meant = [&](const Params& at) {
    std::vector<double> x = numbers(at);
    if (way != "normalised") return x;
    double sum = 0;
    for (const double each : x) sum += each;
    for (double& each : x) each = sum > 0 ? each / sum : 1 / static_cast<double>(x.size());
    return x;
  };
  const auto outside = [&](const Params& at) {
    try {
      Params there;
      const std::vector<double> x = meant(at);
      for (const double each : x) there.emplace_back(each);
      (void)inside.check(there);
      return false;
    } catch (const std::invalid_argument&) {
      return true;
    }
  };
  const Key noise = Key(seed).fold("noise");
  double wasted = 0;
  for (int n = 0; n < problem.evaluations; n += problem.batch) {
    std::vector<Told> outcomes;
    for (const Trial& trial : study.ask(problem.batch)) {
      if (outside(trial.params)) {
        ++wasted;
        outcomes.push_back({trial.id, Failure{"outside"}});
        continue;
      }
      double error = 0;
      noise.fold(static_cast<std::uint64_t>(trial.id)).fill_normal({&error, 1});
      outcomes.push_back(told(trial.id, problem.f(meant(trial.params)) + problem.noise * error));
    }
    study.tell(outcomes);
  }
  const auto recommended = study.recommend();
  return {recommended ? best - problem.f(meant(recommended->trial.params)) : best, wasted / problem.evaluations};
}

struct WhereSettings {
  std::vector<std::string> problems{"mixture", "order", "ball", "counts"}, ways{"told", "untold", "random"};
  int seeds = 30, jobs = 0;
  bool quick = false;
};

void print_way(const Conditioned& problem, const std::string& way, double best, const WhereSettings& settings) {
  const auto one = [&](int i) {
    set_num_threads(1);
    const auto [lacks, wasted] = run_conditioned(problem, way, best, static_cast<std::uint64_t>(i) + 1);
    return fmt::format("{} {}", lacks, wasted);
  };
  std::vector<double> lacks, wasted;
  for (const std::string& text : replicate(settings.seeds, settings.jobs, one, [](int, const std::string&) {})) {
    if (text.empty()) throw std::runtime_error(fmt::format("a run of {} died", problem.name));
    std::size_t read = 0;
    lacks.push_back(std::stod(text, &read));
    wasted.push_back(std::stod(text.substr(read)));
  }
  fmt::print("| {} | {} | {:.2g} ({:.2g} to {:.2g}) | {:.2g} | {:.0f}% |\n", problem.words, way, quantile_of(lacks, 0.5),
             quantile_of(lacks, 0.25), quantile_of(lacks, 0.75), *std::max_element(lacks.begin(), lacks.end()),
             100 * quantile_of(wasted, 0.5));
  std::fflush(stdout);
}

}  // namespace

int run_where(Arguments& arguments) {
  WhereSettings settings;
  arguments.list("--problems", settings.problems, "problems to run");
  arguments.list("--ways", settings.ways, "told: with conditions; untold: outside fails (a mixture is normalised); random");
  arguments.option("--seeds", settings.seeds, "runs of each", kPositive);
  arguments.option("--jobs", settings.jobs, "processes at a time (0: one per core)");
  arguments.flag("--quick", settings.quick, "a tiny run, for the test suite");
  arguments.parse();
  keep_memory();
  if (settings.jobs <= 0) settings.jobs = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (settings.quick) {
    settings.seeds = 2;
    settings.problems = {"counts"};
    settings.ways = {"told"};
  }
  fmt::print(
      "{} seeds: medians (quartiles)\n\n| problem | conditions | below the best | worst | outside |\n|---|---|---|---|---|\n",
      settings.seeds);
  const std::vector<Conditioned> known = conditioned_problems();
  for (const std::string& name : settings.problems) {
    const auto problem = std::find_if(known.begin(), known.end(), [&](const Conditioned& each) { return each.name == name; });
    if (problem == known.end())
      throw std::invalid_argument(fmt::format("--problems: expected some of mixture, order, ball, counts, got \"{}\"", name));
    const double best = best_of(*problem);
    for (const std::string& way : settings.ways) {
      if (way != "told" && way != "untold" && way != "random")
        throw std::invalid_argument(fmt::format("--ways: expected some of told, untold, random, got \"{}\"", way));
      print_way(*problem, way == "untold" && problem->mixture ? "normalised" : way, best, settings);
    }
  }
  return 0;
}

}  // namespace salvo::experiments

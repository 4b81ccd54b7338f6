// Categories whose choices have each their own best point: how often the best choice is found, and how closely, for several
// shares of a batch that go to other choices than the best point's.
#include <fmt/core.h>
#include <salvo/salvo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "experiments.h"
#include "support/quantile.h"
#include "support/replicates.h"

namespace salvo::experiments {
namespace {

struct Choosing {
  std::string name, words;
  Space space;
  std::function<double(const Params&)> f;  // to be maximised
  double best, near;                       // the best value, and what is less below it only with the best choice
  double noise;                            // standard deviation
  int evaluations, batch;
};

double normal(const Key& key) {
  double out = 0;
  key.fill_normal({&out, 1});
  return out;
}

double real(const Value& value) { return std::get<double>(value); }

std::vector<Value> names(int count) {
  std::vector<Value> out;
  for (int i = 0; i < count; ++i) out.emplace_back(fmt::format("c{}", i));
  return out;
}

int number_of(const Value& choice) { return std::stoi(std::get<std::string>(choice).substr(1)); }

// examples/reactor.py: every catalyst has a best temperature of its own, and the best one the narrowest.
double reactor(const Params& at) {
  struct Peak {
    double kelvin, width, height;
  };
  constexpr std::array<Peak, 3> kPeaks{{{520, 90, 78}, {655, 60, 91}, {760, 150, 70}}};
  const Peak& peak = kPeaks.at(static_cast<std::size_t>(number_of(at[3])));
  const double stages = static_cast<double>(std::get<std::int64_t>(at[2]));
  const double heat = std::exp(-std::pow((real(at[0]) - peak.kelvin) / peak.width, 2));
  const double feed = std::exp(-std::pow(std::log10(real(at[1]) / (0.64 * std::pow(0.5, stages))) / 0.8, 2));
  const auto conversion = [](double n) { return (1 - std::pow(0.45, n)) * std::pow(0.985, n); };
  return peak.height * heat * feed * conversion(stages) / conversion(5);
}

// A well for each of 16 pairs of choices, at places and of heights drawn at random.
double wells(const Params& at) {
  const Key key = Key(5).fold(static_cast<std::uint64_t>(4 * number_of(at[3]) + number_of(at[4])));
  double square = 0;
  for (std::size_t e = 0; e < 3; ++e) square += std::pow(real(at[e]) - key.uniform(e), 2);
  return key.uniform(3) * std::exp(-square / (2 * 0.15 * 0.15));
}

// Twelve choices that lift a bowl and move it a little.
double lifted(const Params& at) {
  const int choice = number_of(at[4]);
  double square = 0;
  for (std::size_t e = 0; e < 4; ++e) square += std::pow(real(at[e]) - 0.5 - 0.3 * std::sin(choice + static_cast<double>(e)), 2);
  return normal(Key(9).fold(static_cast<std::uint64_t>(choice))) - 3 * square;
}

// A bowl that knows nothing of two categories.
double indifferent(const Params& at) {
  double square = 0;
  for (std::size_t e = 0; e < 4; ++e) square += std::pow(real(at[e]) - 0.3, 2);
  return -square;
}

// A hundred and twenty solvents of a polarity and a boiling point each, which decide with two settings.
std::vector<double> of_solvent(int number) {
  const Key key = Key(11).fold(static_cast<std::uint64_t>(number));
  return {key.uniform(0), 40 + 160 * key.uniform(1)};
}

double solvents(const Params& at) {
  const std::vector<double> known = of_solvent(number_of(at[2]));
  const double polar = known[0] - 0.35, boiling = (known[1] - 90) / 160;
  const double heat = real(at[0]) - 0.8 * known[1] / 200, time = real(at[1]) - 0.6;
  return std::exp(-4 * polar * polar - 6 * boiling * boiling - 3 * heat * heat - 2 * time * time) + 0.3 * std::sin(6 * known[0]);
}

Space solvent_space(bool described) {
  Categorical category{names(120)};
  for (int i = 0; i < 120 && described; ++i) category.numbers.push_back(of_solvent(i));
  return Space({{"heat", Float{0, 1}}, {"time", Float{0, 1}}, {"solvent", category}});
}

// The best of the solvents, and what the best of another lacks of it.
std::vector<double> solvent_heights() {
  std::vector<double> out;
  for (int i = 0; i < 120; ++i)
    out.push_back(solvents({std::min(1.0, 0.8 * of_solvent(i)[1] / 200), 0.6, fmt::format("c{}", i)}));
  return out;
}

std::vector<Parameter> floats(int count) {
  std::vector<Parameter> out;
  for (int i = 0; i < count; ++i) out.push_back({fmt::format("x{}", i + 1), Float{0, 1}});
  return out;
}

Space with_categories(int num_floats, const std::vector<int>& sizes) {
  std::vector<Parameter> parameters = floats(num_floats);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    parameters.push_back({fmt::format("kind{}", i + 1), Categorical{names(sizes[i])}});
  return Space(parameters);
}

// Of the best values of the choices the highest, and what the next one lacks of it.
std::pair<double, double> best_and_gap(std::vector<double> heights) {
  std::sort(heights.rbegin(), heights.rend());
  return {heights[0], heights[0] - heights[1]};
}

std::vector<Choosing> choosing_problems() {
  std::vector<double> of_wells, of_lifted;
  for (std::uint64_t k = 0; k < 16; ++k) of_wells.push_back(Key(5).fold(k).uniform(3));
  for (std::uint64_t k = 0; k < 12; ++k) of_lifted.push_back(normal(Key(9).fold(k)));
  const auto [well, well_gap] = best_and_gap(of_wells);
  const auto [lift, lift_gap] = best_and_gap(of_lifted);
  const auto [solvent, solvent_gap] = best_and_gap(solvent_heights());
  const Space oven({{"temperature", Float{300, 900}},
                    {"rate", Float{1e-4, 1, Scale::log}},
                    {"stages", Int{1, 8}},
                    {"catalyst", Categorical{names(3)}}});
  return {{"reactor", "three catalysts, the best with the narrowest peak", oven, reactor, 91, 13, 2, 400, 20},
          {"wells", "a well for each of 4 × 4 choices", with_categories(3, {4, 4}), wells, well, well_gap, 0.02, 600, 30},
          {"lifted", "12 choices that lift a bowl", with_categories(4, {12}), lifted, lift, lift_gap, 0.1, 300, 20},
          {"solvents", "120 solvents, described", solvent_space(true), solvents, solvent, solvent_gap, 0.02, 200, 10},
          {"names", "120 solvents by name alone", solvent_space(false), solvents, solvent, solvent_gap, 0.02, 200, 10},
          {"indifferent", "two categories that do not matter", with_categories(4, {3, 3}), indifferent, 0, 1, 0.05, 300, 20}};
}

struct ChoicesSettings {
  std::vector<std::string> problems{"reactor", "wells", "lifted", "indifferent"}, shares{"0", "0.1", "0.2"};
  int seeds = 30, jobs = 0;
  bool quick = false;
};

// What the recommended point lacks of the best, after half of the evaluations and after all.
std::pair<double, double> run_choosing(const Choosing& problem, double share, std::uint64_t seed) {
  SpaceSearch search{.space = problem.space};
  search.model.choice_share = share;
  StudyOptions options;
  options.outputs = one_objective(Direction::maximize);
  options.search = search;
  options.seed = seed;
  options.batch = problem.batch;
  Study study = Study::create(options, ":memory:");
  const Key noise = Key(seed).fold("noise");
  const auto lacks = [&] { return problem.best - problem.f(study.recommend().value().trial.params); };
  double half = 0;
  for (int n = 0; n < problem.evaluations; n += problem.batch) {
    if (half == 0 && 2 * n >= problem.evaluations) half = lacks();
    std::vector<Told> outcomes;
    for (const Trial& trial : study.ask(problem.batch))
      outcomes.push_back(
          told(trial.id, problem.f(trial.params) + problem.noise * normal(noise.fold(static_cast<std::uint64_t>(trial.id)))));
    study.tell(outcomes);
  }
  return {half, lacks()};
}

void print_line(const Choosing& problem, const std::string& share, const ChoicesSettings& settings) {
  const auto one = [&](int i) {
    set_num_threads(1);
    const auto [half, end] = run_choosing(problem, std::stod(share), static_cast<std::uint64_t>(i) + 1);
    return fmt::format("{} {}", half, end);
  };
  std::vector<double> half, end;
  for (const std::string& text : replicate(settings.seeds, settings.jobs, one, [](int, const std::string&) {})) {
    if (text.empty()) throw std::runtime_error(fmt::format("a run of {} died", problem.name));
    std::size_t read = 0;
    half.push_back(std::stod(text, &read));
    end.push_back(std::stod(text.substr(read)));
  }
  const auto wrong = [&](const std::vector<double>& values) {
    return std::count_if(values.begin(), values.end(), [&](double each) { return each >= problem.near; });
  };
  fmt::print("| {} | {} | {:.2g} ({:.2g} to {:.2g}) | {} | {:.2g} ({:.2g} to {:.2g}) | {} |\n", problem.words, share,
             quantile_of(half, 0.5), quantile_of(half, 0.25), quantile_of(half, 0.75), wrong(half), quantile_of(end, 0.5),
             quantile_of(end, 0.25), quantile_of(end, 0.75), wrong(end));
  std::fflush(stdout);
}

}  // namespace

int run_choices(Arguments& arguments) {
  ChoicesSettings settings;
  arguments.list("--problems", settings.problems, "problems to run");
  arguments.list("--shares", settings.shares, "values of model.choice_share");
  arguments.option("--seeds", settings.seeds, "runs of each", kPositive);
  arguments.option("--jobs", settings.jobs, "processes at a time (0: one per core)");
  arguments.flag("--quick", settings.quick, "a tiny run, for the test suite");
  arguments.parse();
  keep_memory();
  if (settings.jobs <= 0) settings.jobs = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (settings.quick) {
    settings.seeds = 2;
    settings.problems = {"lifted"};
    settings.shares = {"0.2"};
  }
  fmt::print("{} seeds: medians (quartiles)\n\n", settings.seeds);
  fmt::print("| problem | share | below the best at half time | another choice | at the end | another choice |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  const std::vector<Choosing> known = choosing_problems();
  for (const std::string& name : settings.problems) {
    const auto problem = std::find_if(known.begin(), known.end(), [&](const Choosing& each) { return each.name == name; });
    if (problem == known.end())
      throw std::invalid_argument(
          fmt::format("--problems: expected some of reactor, wells, lifted, solvents, names, indifferent, got \"{}\"", name));
    for (const std::string& share : settings.shares) print_line(*problem, share, settings);
  }
  return 0;
}

}  // namespace salvo::experiments

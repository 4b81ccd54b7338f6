// What is said of the chance that an evaluation succeeds, beside the truth: by regressions on the labels, as searches use them,
// and by a probit classifier.
#include <fmt/core.h>
#include <salvo/threads.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "acquire/normal.h"
#include "experiments.h"
#include "search/failures.h"
#include "search/output_model.h"
#include "support/measure.h"
#include "support/probit.h"
#include "support/replicates.h"

namespace salvo::experiments {
namespace {

using Index = Eigen::Index;
using Place = Eigen::RowVectorXd;

struct Chance {
  std::string name, words;
  int num_dims;
  std::function<double(const Place&)> p;  // of success
};

std::vector<Chance> chances() {
  const auto sharp = [](bool succeeds) { return succeeds ? 1.0 : 0.0; };
  return {{"edge2", "edge, 2 parameters", 2, [=](const Place& x) { return sharp(x(0) >= 0.3); }},
          {"disc2", "disc, 2", 2, [=](const Place& x) { return sharp((x.array() - 0.5).square().sum() >= 0.0625); }},
          {"corner4", "corner, 4", 4, [=](const Place& x) { return sharp(x(0) + x(1) >= 0.5 && x(2) + x(3) >= 0.5); }},
          {"half5", "half-space, 5", 5, [=](const Place& x) { return sharp(x.sum() >= 2.16); }},
          {"noisy2", "noisy edge, 2", 2, [](const Place& x) { return normal_cdf((x(0) - 0.3) / 0.15); }},
          {"chance2", "chance alone, 2", 2, [](const Place&) { return 0.7; }},
          {"rare2", "rare, 2", 2, [=](const Place& x) { return sharp(x(0) + x(1) >= 0.245); }},
          {"curve2", "curved edge, 2", 2, [=](const Place& x) { return sharp(x(1) >= 0.35 + 0.2 * std::sin(7 * x(0))); }}};
}

// A place on the edge of what mostly succeeds; where there is none, any place.
Place on_the_edge(const Chance& problem, Key key) {
  constexpr std::uint64_t kTries = 1000;
  const Place first = uniform(1, problem.num_dims, key.fold("first")).row(0);
  const bool here = problem.p(first) >= 0.5;
  for (std::uint64_t i = 0; i < kTries; ++i) {
    Place a = first, b = uniform(1, problem.num_dims, key.fold(i)).row(0);
    if ((problem.p(b) >= 0.5) == here) continue;
    for (int k = 0; k < 40; ++k) {
      const Place middle = 0.5 * (a + b);
      ((problem.p(middle) >= 0.5) == here ? a : b) = middle;
    }
    return a;
  }
  return first;
}

// One place around another: each distance, from a half down to a hundredth, is as likely as its half, in every direction.
Place near(const Place& centre, Key key) {
  for (std::uint64_t i = 0;; ++i) {
    const Key mine = key.fold(i);
    Place way(centre.size());
    mine.fill_normal({way.data(), static_cast<std::size_t>(way.size())});
    const Place x = centre + 0.5 * std::pow(0.02, mine.fold("far").uniform(0)) * way / way.norm();
    if (x.minCoeff() >= 0 && x.maxCoeff() <= 1) return x;
  }
}

enum class Design { random, crowded };
constexpr int kDesigned = 10;     // places of a search that are spread over everything before any are chosen …
constexpr double kNear = 0.75;    // … and share of the others that lie around the best, at the edge
constexpr Index kHeldOut = 1000;  // half of them around the same place, where the places learned from are crowded there

struct Sample {
  Matrix X;
  Vector s;         // ±1
  Matrix held_out;  // other places …
  Vector p;         // … and their chances of success
};

Sample draw(const Chance& problem, Design design, int size, Key key) {
  const bool crowded = design == Design::crowded;
  const Place centre = on_the_edge(problem, key.fold("centre"));
  Sample out{uniform(size, problem.num_dims, key.fold("X")), Vector(size), uniform(kHeldOut, problem.num_dims, key.fold("at")),
             Vector(kHeldOut)};
  for (Index i = kDesigned; crowded && i < size; ++i)
    if (key.fold("which").uniform(static_cast<std::uint64_t>(i)) < kNear)
      out.X.row(i) = near(centre, key.fold("near").fold(static_cast<std::uint64_t>(i)));
  for (Index i = 0; crowded && i < kHeldOut / 2; ++i)
    out.held_out.row(i) = near(centre, key.fold("at near").fold(static_cast<std::uint64_t>(i)));
  for (Index i = 0; i < size; ++i)
    out.s(i) = key.fold("label").uniform(static_cast<std::uint64_t>(i)) < problem.p(out.X.row(i)) ? 1 : -1;
  for (Index i = 0; i < kHeldOut; ++i) out.p(i) = problem.p(out.held_out.row(i));
  return out;
}

Record record(Index i) { return {.id = i + 1, .sequence = i + 1}; }

Learning learning_over(int num_dims) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < num_dims; ++i) parameters.push_back({fmt::format("x{}", i + 1), Float{0, 1}});
  return {.space = Encoding(Space(parameters)), .model = {}};
}

// Half a pass and half a failure beside what the place has been seen to do, as of a test that is told as passed or not.
double share_of(double mean, double variance) { return (std::clamp(mean, 0.0, 1.0) + 2 * variance) / (1 + 4 * variance); }

// What each says of the places held out: the regression on ±1 read in two ways, that on 0 and 1, the classifier.
constexpr int kClassifiers = 4;
constexpr std::array<const char*, kClassifiers> kNames{"±1, Φ", "±1, share", "0/1, share", "probit"};
using Claims = std::array<Vector, kClassifiers>;

Claims claims(const Sample& sample) {
  const auto d = static_cast<int>(sample.X.cols());
  const Index n = sample.s.size();
  const Learning learning = learning_over(d);
  Claims out;

  Failures failures(d);
  Observations fine(d);
  OutputModel test(Output{"test", passes()}, learning.space);
  std::vector<std::int64_t> ids;
  for (Index i = 0; i < n; ++i) {
    const Vector x = sample.X.row(i).transpose();
    if (sample.s(i) > 0)
      fine.add(record(i), x, 0);
    else
      failures.add(record(i), x);
    test.observe(record(i), x, sample.s(i) > 0 ? 1 : 0);
    ids.push_back(i + 1);
  }
  const Success success = failures.learn(learning, fine);
  const Prediction there = success.gp.predict(sample.held_out);
  out[0].resize(kHeldOut);
  out[1].resize(kHeldOut);
  for (Index i = 0; i < kHeldOut; ++i) {
    const double mean = there.mean(i), variance = std::max(0.0, there.variance(i));
    out[0](i) = normal_cdf(mean / std::sqrt(variance + success.gp.hyper().noise));
    out[1](i) = share_of(0.5 * (1 + mean), 0.25 * variance);
  }

  test.learn(learning, nullptr, 1, Key(1));
  test.update();
  test.learn_around(ids, learning.model);
  test.look_at_noise();
  out[2] = test.estimates(sample.held_out).holds;

  FitOptions fitting = fit_options(learning, false);
  fitting.min_variance = 0.1;
  fitting.max_variance = 100;
  fitting.max_mean = 2;
  const Hyperparameters start{
      .kernel = {KernelType::matern32, 4.0, (0.5 * fitting.max_lengthscales).cwiseMax(fitting.min_lengthscales)}, .mean = 0.5};
  out[3] = fitted_probit(start, sample.X, sample.s, fitting).chance(sample.held_out);
  return out;
}

// What is lost on average over what may come of each place held out; no claim counts as nearer to certainty than a millionth.
struct Score {
  double log_loss = 0, brier = 0, error = 0;  // error: of the claims in ten bins
  double claims90 = 0, kept90 = 0, claims95 = 0, kept95 = 0;
};
constexpr int kMeasures = 7;

Score score(const Vector& claimed, const Vector& p) {
  constexpr int kBins = 10;
  constexpr double kSurest = 1e-6;
  const auto n = static_cast<double>(p.size());
  Score out;
  std::array<double, kBins> off{};
  for (Index i = 0; i < p.size(); ++i) {
    const double q = std::clamp(claimed(i), 0.0, 1.0), sure = std::clamp(q, kSurest, 1 - kSurest);
    out.log_loss -= (p(i) * std::log(sure) + (1 - p(i)) * std::log1p(-sure)) / n;
    out.brier += (p(i) * (1 - q) * (1 - q) + (1 - p(i)) * q * q) / n;
    off[static_cast<std::size_t>(std::min<int>(kBins - 1, static_cast<int>(q * kBins)))] += (q - p(i)) / n;
    out.claims90 += q >= 0.9 ? 1 : 0;
    out.kept90 += q >= 0.9 ? p(i) : 0;
    out.claims95 += q >= 0.95 ? 1 : 0;
    out.kept95 += q >= 0.95 ? p(i) : 0;
  }
  for (const double each : off) out.error += std::abs(each);
  return out;
}

struct ClassifierSettings {
  std::vector<std::string> problems{"edge2", "disc2", "corner4", "half5", "noisy2", "chance2", "rare2", "curve2"};
  int first = 1, seeds = 30, jobs = 0;
  bool quick = false;
};

struct Quartiles {
  double low, middle, high;
};
Quartiles quartiles(std::vector<double> values) {
  const double middle = median(values);
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
  };
  return {at(0.25), middle, at(0.75)};
}

// Of one problem, design and size: every measure of every classifier, by seed.
struct Cell {
  std::string words;
  std::array<std::array<std::vector<double>, kMeasures>, kClassifiers> measured;
};

Cell measure(const Chance& problem, Design design, int size, const ClassifierSettings& settings) {
  const auto one = [&](int i) {
    set_num_threads(1);
    const auto seed = static_cast<std::uint64_t>(settings.first + i);
    const Sample sample = draw(problem, design, size, Key(seed).fold(problem.name).fold(static_cast<std::uint64_t>(size)));
    std::string text;
    for (const Vector& each : claims(sample)) {
      const Score s = score(each, sample.p);
      text += fmt::format("{} {} {} {} {} {} {} ", s.log_loss, s.brier, s.error, s.claims90, s.kept90, s.claims95, s.kept95);
    }
    return text;
  };
  Cell out{fmt::format("{} | {} | {}", problem.words, design == Design::random ? "random" : "crowded", size), {}};
  for (const std::string& text : replicate(settings.seeds, settings.jobs, one, [](int, const std::string&) {})) {
    std::istringstream in(text);
    for (auto& classifier : out.measured)
      for (auto& values : classifier)
        if (double value = 0; in >> value)
          values.push_back(value);
        else
          throw std::runtime_error(fmt::format("a run of {} died", problem.name));
  }
  return out;
}

void print_head(const std::string& what) {
  fmt::print("\n{}\n\n| problem | places | n |", what);
  for (const char* name : kNames) fmt::print(" {} |", name);
  fmt::print("\n|---|---|---|---|---|---|---|\n");
}

void print_measure(const std::string& what, std::size_t k, const std::vector<Cell>& cells) {
  print_head(what);
  for (const Cell& cell : cells) {
    fmt::print("| {} |", cell.words);
    for (const auto& classifier : cell.measured) {
      const Quartiles q = quartiles(classifier[k]);
      fmt::print(" {:.3f} ({:.3f} to {:.3f}) |", q.middle, q.low, q.high);
    }
    fmt::print("\n");
  }
}

double sum_of_all(const std::vector<double>& values) {
  double sum = 0;
  for (const double each : values) sum += each;
  return sum;
}

// Over all seeds: of the places of which so much is claimed the share that succeeds, and how many these are.
void print_kept(const std::string& what, std::size_t k, const std::vector<Cell>& cells) {
  print_head(what);
  for (const Cell& cell : cells) {
    fmt::print("| {} |", cell.words);
    for (const auto& classifier : cell.measured) {
      const double claimed = sum_of_all(classifier[k]), kept = sum_of_all(classifier[k + 1]);
      const double places = static_cast<double>(kHeldOut) * static_cast<double>(classifier[k].size());
      if (claimed > 0)
        fmt::print(" {:.1f}% of {:.0f}% |", 100 * kept / claimed, 100 * claimed / places);
      else
        fmt::print(" – |");
    }
    fmt::print("\n");
  }
}

// In how many of the cells the classifier is better, or worse, on the same seeds by more than these differ: all but the outer
// quarters of the differences are on one side.
void print_verdict(const std::vector<Cell>& cells) {
  constexpr std::size_t kProbit = kClassifiers - 1;
  fmt::print(
      "\nThe classifier against each regression, seed by seed: better, worse in so many of {} rows, the others within the "
      "seeds' spread\n\n| measure |",
      cells.size());
  for (std::size_t c = 0; c < kProbit; ++c) fmt::print(" {} |", kNames[c]);
  fmt::print("\n|---|---|---|---|\n");
  const std::array<const char*, 3> measures{"log loss", "Brier score", "calibration error"};
  for (std::size_t k = 0; k < measures.size(); ++k) {
    fmt::print("| {} |", measures[k]);
    for (std::size_t c = 0; c < kProbit; ++c) {
      int better = 0, worse = 0;
      for (const Cell& cell : cells) {
        std::vector<double> more = cell.measured[c][k];
        for (std::size_t i = 0; i < more.size(); ++i) more[i] -= cell.measured[kProbit][k][i];
        const Quartiles q = quartiles(more);
        better += q.low > 0 ? 1 : 0;
        worse += q.high < 0 ? 1 : 0;
      }
      fmt::print(" {}, {} |", better, worse);
    }
    fmt::print("\n");
  }
}

}  // namespace

int run_classifiers(Arguments& arguments) {
  ClassifierSettings settings;
  arguments.list("--problems", settings.problems, "problems to run");
  arguments.option("--seeds", settings.seeds, "samples of each", kPositive);
  arguments.option("--first", settings.first, "the first seed", kPositive);
  arguments.option("--jobs", settings.jobs, "processes at a time (0: one per core)");
  arguments.flag("--quick", settings.quick, "a tiny run, for the test suite");
  arguments.parse();
  keep_memory();
  if (settings.jobs <= 0) settings.jobs = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  std::vector<int> sizes{20, 50, 150};
  if (settings.quick) {
    settings.seeds = 2;
    settings.problems = {"edge2", "chance2"};
    sizes = {20};
  }
  const std::vector<Chance> known = chances();
  std::vector<Cell> cells;
  for (const std::string& name : settings.problems) {
    const auto problem = std::find_if(known.begin(), known.end(), [&](const Chance& each) { return each.name == name; });
    if (problem == known.end())
      throw std::invalid_argument(fmt::format(
          "--problems: expected some of edge2, disc2, corner4, half5, noisy2, chance2, rare2, curve2, got \"{}\"", name));
    for (const Design design : {Design::random, Design::crowded})
      for (const int size : sizes) cells.push_back(measure(*problem, design, size, settings));
  }
  fmt::print("{} seeds, {} places held out: medians and quartiles\n", settings.seeds, kHeldOut);
  print_verdict(cells);
  print_measure("Log loss, nats", 0, cells);
  print_measure("Brier score", 1, cells);
  print_measure("Calibration error, ten bins", 2, cells);
  print_kept("Of what is claimed with .9 or more", 3, cells);
  print_kept("Of what is claimed with .95 or more", 5, cells);
  return 0;
}

}  // namespace salvo::experiments

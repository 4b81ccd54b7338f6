// The search around the best point, as a study's user sees it.
#include <gtest/gtest.h>
#include <salvo/random.h>
#include <salvo/study.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "support/options.h"

namespace salvo {
namespace {

using Objective3 = std::function<double(double, double, double)>;

double number(const Params& params, std::size_t i) { return std::get<double>(params[i]); }

Study run(const Objective3& f, int evaluations, double noise = 0, std::uint64_t seed = 1) {
  StudyOptions options = test::small_options(Space({{"a", Float{0, 1}}, {"b", Float{0, 1}}, {"c", Float{0, 1}}}), seed);
  options.outputs = {{"value", Objective{Direction::minimize}}};
  options.batch = 10;
  Study study = Study::create(options, ":memory:");
  for (int n = 0; n < evaluations; n += 10) {
    std::vector<Told> values;
    for (const Trial& trial : study.ask(10)) {
      double e = 0;
      Key(seed).fold("noise").fold(static_cast<std::uint64_t>(trial.id)).fill_normal({&e, 1});
      values.push_back(told(trial.id, f(number(trial.params, 0), number(trial.params, 1), number(trial.params, 2)) + noise * e));
    }
    study.tell(values);
  }
  return study;
}

double lowest(Study& study) {
  double out = 1e300;
  for (const Trial& trial : study.trials()) out = std::min(out, trial.value().value());
  return out;
}

double sphere(double a, double b, double c) { return std::pow(a - 0.3, 2) + std::pow(b - 0.7, 2) + std::pow(c - 0.5, 2); }
double tilted(double a, double b, double c) { return 1e6 * std::pow(a - b, 2) + sphere(a, b, c); }
double steps(double a, double b, double c) { return std::floor(20 * sphere(a, b, c)); }

TEST(Around, ABowlWithoutNoiseIsPolishedToAMillionthOfItsRange) {
  Study bowl = run(sphere, 150), valley = run(tilted, 250);
  EXPECT_LT(lowest(bowl), 1e-6);
  EXPECT_LT(lowest(valley) - 0.08, 1e-6 * 1e6);  // its range is a million, its minimum 2 · 0.2²
}

TEST(Around, ValuesMayHaveAnyUnits) {
  Study shifted = run([](double a, double b, double c) { return 1e9 + 1e3 * sphere(a, b, c); }, 150);
  Study penalised = run([](double a, double b, double c) { return a > 0.6 ? 1e100 : sphere(a, b, c); }, 200);
  EXPECT_LT(lowest(shifted) - 1e9, 1e-3);
  EXPECT_LT(lowest(penalised), 1e-3);
}

TEST(Around, WithoutNoiseTheRecommendationIsTheBestPointTried) {
  for (const auto& f : {sphere, tilted, steps}) {
    Study study = run(f, 120);
    const Recommendation best = study.recommend().value();
    EXPECT_EQ(best.trial.value(), lowest(study));
    EXPECT_NEAR(best.mean, lowest(study), 0.5 * (f(1, 0, 1) - lowest(study))) << "an estimate of it";
  }
}

TEST(Around, WithNoiseTheRecommendationIsAsGoodAsTheBestTriedUpToTheNoise) {
  constexpr double kNoise = 0.05;
  for (const std::uint64_t seed : {1, 2, 3}) {
    Study study = run(sphere, 200, kNoise, seed);
    const auto truth = [](const Trial& t) { return sphere(number(t.params, 0), number(t.params, 1), number(t.params, 2)); };
    double best = 1e300;
    for (const Trial& trial : study.trials()) best = std::min(best, truth(trial));
    EXPECT_LT(truth(study.recommend()->trial) - best, 2 * kNoise);
  }
}

// The minimum is a corner, where every search ends at the same numbers.
TEST(Around, WithoutNoiseNoPointIsLookedAtTwiceAroundTheBest) {
  Study study = run([](double a, double b, double c) { return a + b + c; }, 200);
  std::set<Params> seen;
  for (const Trial& trial : study.trials()) {
    const bool is_new = seen.insert(trial.params).second;
    const bool known_to_be_quiet = trial.id > 100;
    EXPECT_TRUE(is_new || trial.source != Source::local || !known_to_be_quiet) << "trial " << trial.id;
  }
  EXPECT_LE(lowest(study), 1e-9);
}

// A program that refuses to do the same twice, as those do whose output folder exists.
TEST(Around, ARepeatThatFailedIsNotAskedForAgain) {
  for (const bool abandons : {false, true}) {
    Study study = Study::create(test::small_options(Space({{"a", Float{0, 1}}, {"b", Float{0, 1}}})), ":memory:");
    int repeats = 0;
    for (int n = 0; n < 120; ++n) {
      const Trial trial = study.ask(1).front();
      if (trial.source != Source::repeat) {
        study.tell(trial.id, std::pow(number(trial.params, 0) - 0.4, 2));
        continue;
      }
      ++repeats;
      study.tell(std::vector<Told>{{trial.id, abandons ? Outcome(Abandoned{}) : Outcome(Failure{"it is there"})}});
    }
    EXPECT_GT(repeats, 0);
    EXPECT_LE(repeats, ModelOptions{}.num_repeats);
  }
}

// Without noise there is nothing to learn from another look at the best corner.
TEST(Around, WithoutNoiseACornerIsNotAskedForAgainAndAgain) {
  StudyOptions options = test::small_options(Space({{"a", Float{0, 1}}, {"b", Float{0, 1}}}));
  options.outputs = {{"value", Objective{Direction::minimize}}};
  Study study = Study::create(options, ":memory:");
  int corner = 0;
  for (int batch = 0; batch < 16; ++batch) {
    for (const Trial& trial : study.ask(5)) {
      const double a = number(trial.params, 0), b = number(trial.params, 1);
      corner += a == 0 && b == 0 ? 1 : 0;
      study.tell(trial.id, a + b);
    }
  }
  EXPECT_GE(corner, 1);
  EXPECT_LE(corner, 1 + 3) << "a few before it was known that there is no noise, and one to find out";
}

}  // namespace
}  // namespace salvo

// Where a study with several outputs looks, and what it recommends.
#include <gtest/gtest.h>
#include <salvo/study.h>
#include <salvo/threads.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "math/hypervolume.h"
#include "support/folder.h"
#include "support/options.h"

namespace salvo {
namespace {

double entry_of(const Params& params, std::size_t i) { return std::get<double>(params[i]); }

Output goal(const std::string& name, Direction direction = Direction::minimize) { return {name, Objective{direction}}; }

struct OutputsJob {
  std::vector<Output> outputs;
  std::function<std::vector<double>(double, double)> f;
};

// The best that keeps to the bound is at (.6, .4), where it holds with equality.
OutputsJob at_a_bound() {
  return {{goal("cost"), {"load", Constraint{.max = 1}}}, [](double x, double y) {
            return std::vector{std::pow(x - 1.1, 2) + std::pow(y - 0.9, 2), x + y};
          }};
}

// A front from (0, 1) to (1, 0), reached at y = .3: f₂ = 1 − √f₁.
OutputsJob along_a_front() {
  return {{goal("first"), goal("second")}, [](double x, double y) {
            const double off = 1 + 5 * std::abs(y - 0.3);
            return std::vector{x, off * (1 - std::sqrt(x / off))};
          }};
}

StudyOptions outputs_options(const OutputsJob& job, std::uint64_t seed = 1) {
  StudyOptions options = test::small_options(Space({{"x", Float{0, 1}}, {"y", Float{0, 1}}}), seed);
  options.outputs = job.outputs;
  options.batch = 10;
  return options;
}

void tell_outputs(Study& study, const OutputsJob& job, int size) {
  std::vector<Told> outcomes;
  for (const Trial& trial : study.ask(size))
    outcomes.push_back({trial.id, Values{job.f(entry_of(trial.params, 0), entry_of(trial.params, 1))}});
  study.tell(outcomes);
}

Study run_outputs(const OutputsJob& job, int evaluations, std::uint64_t seed = 1) {
  Study study = Study::create(outputs_options(job, seed), ":memory:");
  for (int n = 0; n < evaluations; n += 10) tell_outputs(study, job, 10);
  return study;
}

std::vector<Params> points_asked(Study& study) {
  std::vector<Params> out;
  for (const Trial& trial : study.trials()) out.push_back(trial.params);
  return out;
}

// A load that a few values exceed by very much: the models see it logarithmically.
OutputsJob with_a_steep_load() {
  return {
      {goal("cost"), {"load", Constraint{.max = 1}}}, [](double x, double y) {
        const double over = x + y - 1;
        return std::vector{std::pow(x - 1.1, 2) + std::pow(y - 0.9, 2), 1 + std::copysign(std::expm1(9 * std::abs(over)), over)};
      }};
}

TEST(OutputsSearch, TheBestAtABoundIsFoundAndKeepsToIt) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Study study = run_outputs(at_a_bound(), 60, seed);
    const Recommendation best = study.recommend().value();
    const std::vector<double>& outputs = std::get<Values>(*best.trial.outcome).outputs;
    EXPECT_TRUE(best.allowed);
    EXPECT_GE(best.feasible, 0.95);
    EXPECT_LE(outputs[1], 1);
    EXPECT_LT(outputs[0], 0.5 + 1e-3) << "the least distance from (1.1, .9) to the bound, squared";
  }
}

TEST(OutputsSearch, WithoutAnyPointThatHoldsItSaysSo) {
  OutputsJob job = at_a_bound();
  job.outputs[1].role = Constraint{.max = -1};  // x + y ≥ 0
  Study study = run_outputs(job, 40);
  const Recommendation best = study.recommend().value();
  EXPECT_FALSE(best.allowed);
  EXPECT_LT(best.feasible, 0.05);
  EXPECT_LT(entry_of(best.trial.params, 0) + entry_of(best.trial.params, 1), 0.05) << "what misses least";
  EXPECT_FALSE(study.observed_best());
}

// Of 60 points on the front no two are farther apart than a few times their mean distance.
TEST(OutputsSearch, AFrontIsCoveredFromEndToEnd) {
  Study study = run_outputs(along_a_front(), 100);
  const Front found = study.front();
  ASSERT_GE(found.points.size(), 20u);
  std::vector<double> first;
  for (const Recommendation& point : found.points) first.push_back(point.outputs[0].mean);
  std::sort(first.begin(), first.end());
  EXPECT_LT(first.front(), 0.02);
  EXPECT_GT(first.back(), 0.98);
  for (std::size_t i = 1; i < first.size(); ++i) EXPECT_LT(first[i] - first[i - 1], 0.25);
  // The whole front has ∫ (1 − f₂) = 2/3 above (1, 1).
  Matrix Y(std::ssize(found.points), 2);
  for (Eigen::Index i = 0; i < Y.rows(); ++i)
    for (Eigen::Index k = 0; k < 2; ++k)
      Y(i, k) = -found.points[static_cast<std::size_t>(i)].outputs[static_cast<std::size_t>(k)].mean;
  EXPECT_GT(hypervolume(Y, Vector::Constant(2, -1)), 2.0 / 3 - 0.03);
}

// Values as far apart as numbers can be, a reference that is nowhere near: no volume may become more than a number.
TEST(OutputsSearch, ValuesOfAnySizeAreSearched) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const auto steep = [](double x, double y) {
    return std::vector{std::pow(10, 300 * (x - 0.5)), std::pow(10, 300 * (0.5 - x)) * (1 + y)};
  };
  const auto flat = [](double x, double y) { return std::vector{kMost * (2 * x - 1), kMost / 2 * (y - 2 * x + 0.5)}; };
  const auto plain = [](double x, double y) { return std::vector{x, 1 - x + y}; };
  const Output far{"far", Objective{Direction::minimize, 1e300}};
  for (const OutputsJob& job : {OutputsJob{{goal("first"), goal("second")}, steep},
                                OutputsJob{{goal("first"), goal("second")}, flat}, OutputsJob{{goal("first"), far}, plain}}) {
    Study study = run_outputs(job, 40);
    EXPECT_EQ(study.counts().done, 40);
    EXPECT_GT(study.front().points.size(), 1u);
    EXPECT_TRUE(std::isfinite(study.front().hypervolume));
  }
}

TEST(OutputsSearch, WeightsChooseAPointOfTheFront) {
  Study study = run_outputs(along_a_front(), 80);
  const auto of = [&](const Weights& weights) { return study.recommend(weights)->outputs[0].mean; };
  EXPECT_LT(of({{"first", 0.9}, {"second", 0.1}}), of({}));
  EXPECT_GT(of({{"first", 0.1}, {"second", 0.9}}), of({}));
  EXPECT_LT(of({{"first", 1}}), 0.02);
  EXPECT_THROW((void)study.recommend({{"third", 1}}), std::invalid_argument);
  EXPECT_THROW((void)study.recommend({{"first", -1}}), std::invalid_argument);
}

// Killed after any batch and opened again it goes on as if it had not stopped.
TEST(OutputsSearch, AResumedStudyGoesOnAlike) {
  for (const OutputsJob& job : {at_a_bound(), with_a_steep_load(), along_a_front()}) {
    const test::Folder folder;
    Study whole = Study::create(outputs_options(job), ":memory:");
    Study::create(outputs_options(job), folder.path("study.db"));
    for (int n = 0; n < 7; ++n) {
      Study again = Study::open(folder.path("study.db"));
      tell_outputs(whole, job, 10);
      tell_outputs(again, job, 10);
      if (n == 4) (void)again.recommend();  // a question changes nothing
    }
    Study again = Study::open(folder.path("study.db"));
    EXPECT_EQ(points_asked(whole), points_asked(again));
    EXPECT_EQ(whole.recommend()->trial.id, again.recommend()->trial.id);
  }
}

// A bound turns and warps what a model sees: one that was learned with another bound is no use. The load is now wanted to be
// large, and what is expected of it stays what it is.
TEST(OutputsSearch, AChangedBoundIsLearnedAnew) {
  const OutputsJob job = with_a_steep_load();
  const test::Folder folder;
  {
    Study study = Study::create(outputs_options(job), folder.path("study.db"));
    for (int n = 0; n < 4; ++n) tell_outputs(study, job, 10);
    (void)study.ask(1);  // learns, and stores it
  }
  OutputsJob other = job;
  other.outputs[1].role = Constraint{.min = 20, .max = 30};
  Study study = Study::open_or_create(outputs_options(other), folder.path("study.db"));
  Study fresh = Study::create(outputs_options(other), ":memory:");
  std::vector<Params> points;
  std::vector<Values> values;
  for (const Trial& trial : study.trials())
    if (trial.outcome) {
      points.push_back(trial.params);
      values.push_back(std::get<Values>(*trial.outcome));
    }
  fresh.add(points, values);
  const auto changed = study.predict_outputs(points), expected = fresh.predict_outputs(points);
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_NEAR(changed[i][1].mean, expected[i][1].mean, 0.05 * (10 + std::abs(expected[i][1].mean))) << i;
}

// With noise the recommendation rests on models, not on values.
TEST(OutputsSearch, AResumedNoisyStudyGoesOnAlike) {
  OutputsJob job = at_a_bound();
  const auto exact = job.f;
  job.f = [exact, k = std::make_shared<std::uint64_t>(0)](double x, double y) {
    std::vector<double> out = exact(x, y);
    const Key key = Key(9).fold(static_cast<std::uint64_t>(1e9 * x)).fold(static_cast<std::uint64_t>(1e9 * y));
    for (std::size_t o = 0; o < out.size(); ++o) out[o] += 0.1 * (key.uniform(o) - 0.5);
    return out;
  };
  const test::Folder folder;
  Study whole = Study::create(outputs_options(job), ":memory:");
  Study::create(outputs_options(job), folder.path("study.db"));
  for (int n = 0; n < 8; ++n) {
    Study again = Study::open(folder.path("study.db"));
    tell_outputs(whole, job, 10);
    tell_outputs(again, job, 10);
  }
  Study again = Study::open(folder.path("study.db"));
  EXPECT_EQ(points_asked(whole), points_asked(again));
  const Recommendation best = again.recommend().value();
  EXPECT_EQ(whole.recommend()->trial.id, best.trial.id);
  EXPECT_LT(entry_of(best.trial.params, 0) + entry_of(best.trial.params, 1), 1.05) << "the true load, for a noise of ±.05";
}

TEST(OutputsSearch, TheNumberOfThreadsChangesNothing) {
  std::vector<std::vector<Params>> runs;
  for (const int threads : {1, 3}) {
    set_num_threads(threads);
    Study study = run_outputs(at_a_bound(), 50);
    runs.push_back(points_asked(study));
  }
  set_num_threads(0);
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(OutputsSearch, EveryPointIsNewValidAndHandedOutOnce) {
  StudyOptions options = test::small_options(test::mixed_space(), 3);
  options.outputs = {goal("a"), goal("b", Direction::maximize), {"c", Constraint{.min = 0}}};
  options.batch = 6;
  Study study = Study::create(options, ":memory:");
  int told = 0;
  for (int n = 0; n < 4; ++n) {
    std::vector<Told> outcomes;
    for (const Trial& trial : study.ask(6)) {
      EXPECT_EQ(study.space().check(trial.params), trial.params);
      const double u = Key(4).uniform(static_cast<std::uint64_t>(++told));
      if (told % 7 == 0)
        outcomes.push_back({trial.id, Failure{"it broke"}});
      else
        outcomes.push_back({trial.id, Values{{u, u * u, told % 5 == 0 ? std::nan("") : u - 0.3}}});
    }
    study.tell(outcomes);
    EXPECT_TRUE(study.recommend());
    EXPECT_FALSE(study.front().points.empty());
  }
  std::vector<Params> all = points_asked(study);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "before 25 evaluations nothing is looked at twice";
}

// Of 400 evaluations all but three stopped before the objective was measured: around the best there is hardly a value of it.
TEST(OutputsSearch, AnObjectiveThatIsSeldomMeasuredIsSearchedAllTheSame) {
  Study study = Study::create(outputs_options(at_a_bound()), ":memory:");
  std::vector<Params> points;
  std::vector<Values> values;
  for (int i = 0; i < 400; ++i) {
    const double x = Key(6).uniform(2 * static_cast<std::uint64_t>(i)), y = Key(6).uniform(2 * static_cast<std::uint64_t>(i) + 1);
    points.push_back({x, y});
    values.push_back({{std::nan(""), x + y}});
  }
  const std::vector<Params> far{{0.02, 0.02}, {0.98, 0.01}, {0.01, 0.98}};
  for (const Params& point : far) {
    points.push_back(point);
    values.push_back({at_a_bound().f(entry_of(point, 0), entry_of(point, 1))});
  }
  (void)study.add(points, values);
  EXPECT_EQ(study.ask(10).size(), 10u);
  EXPECT_TRUE(study.recommend()->trial.value());
}

TEST(OutputsSearch, AFiniteSpaceIsSearchedToItsEnd) {
  StudyOptions options = test::small_options(Space({{"i", Int{0, 5}}, {"j", Int{0, 4}}}), 2);
  options.outputs = {goal("cost"), {"load", Constraint{.max = 5}}};
  options.batch = 5;
  Study study = Study::create(options, ":memory:");
  const auto whole = [](const Params& params, std::size_t k) { return static_cast<double>(std::get<std::int64_t>(params[k])); };
  for (int n = 0; n < 4; ++n)
    for (const Trial& trial : study.ask(5)) {
      const double i = whole(trial.params, 0), j = whole(trial.params, 1);
      study.tell(std::vector<Told>{{trial.id, Values{{-i - 2 * j, i + j}}}});
    }
  const Recommendation best = study.recommend().value();
  EXPECT_EQ(whole(best.trial.params, 0) + 2 * whole(best.trial.params, 1), 9) << "(1, 4)";
}

TEST(OutputsSearch, WhatIsFixedStaysFixed) {
  Study study = run_outputs(at_a_bound(), 20);
  for (const Trial& trial : study.ask({.size = 5, .fixed = {{"x", 0.25}}})) EXPECT_EQ(entry_of(trial.params, 0), 0.25);
}

TEST(OutputsSearch, EveryOutputHasItsModelAndItsEstimates) {
  Study study = run_outputs(at_a_bound(), 40);
  const std::vector<ModelReport> reports = study.model_reports();
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].output, "cost");
  EXPECT_EQ(reports[1].output, "load");
  const std::vector<Params> points{{0.55, 0.45}, {0.65, 0.3}};
  const auto found = study.predict_outputs(points);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<double> truth = at_a_bound().f(entry_of(points[i], 0), entry_of(points[i], 1));
    for (std::size_t o = 0; o < 2; ++o) EXPECT_NEAR(found[i][o].mean, truth[o], 5 * found[i][o].stddev + 0.02);
  }
}

// Where hardly anything passes at first the search learns where it does.
TEST(OutputsSearch, ATestThatIsPassedOrNotIsLearned) {
  OutputsJob job{{goal("cost"), {"sound", passes()}}, [](double x, double y) {
                   return std::vector{std::pow(x - 0.9, 2) + std::pow(y - 0.9, 2), x + y < 0.9 ? 1.0 : 0.0};
                 }};
  Study study = run_outputs(job, 80);
  const Recommendation best = study.recommend().value();
  EXPECT_EQ(std::get<Values>(*best.trial.outcome).outputs[1], 1);
  EXPECT_LT(best.outputs[0].mean, 0.5) << "the best that passes has .405, and half of those beside it do not";
}

TEST(OutputsSearch, MethodsThatDrawNoPathsAreRefusedInWords) {
  for (const Method method : {Method::ei, Method::turbo, Method::thompson_grid}) {
    StudyOptions options = outputs_options(at_a_bound());
    test::search_of(options).method = method;
    EXPECT_THROW((void)Study::create(options, ":memory:"), std::invalid_argument);
  }
  for (const Method method : {Method::thompson, Method::random, Method::sobol}) {
    StudyOptions options = outputs_options(at_a_bound());
    test::search_of(options).method = method;
    Study study = Study::create(options, ":memory:");
    for (int n = 0; n < 3; ++n) tell_outputs(study, at_a_bound(), 10);
    EXPECT_TRUE(study.recommend());
  }
}

}  // namespace
}  // namespace salvo

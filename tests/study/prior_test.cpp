#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/fitted_model.h>
#include <salvo/study.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "store/store.h"
#include "support/folder.h"
#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::message;
using test::points;
using ::testing::HasSubstr;

Space plane(double high = 1) { return Space({{"x", Float{0, high}}, {"y", Float{0, 1}}}); }

StudyOptions options_of(Space space = plane()) {
  StudyOptions options = test::small_options(std::move(space), 3);
  options.batch = 6;
  return options;
}

double hill(const Params& p) {
  const auto x = std::get<double>(p[0]), y = std::get<double>(p[1]);
  return std::exp(-8 * ((x - 0.7) * (x - 0.7) + (y - 0.2) * (y - 0.2)));
}

struct OldValues {
  std::vector<Params> points;
  std::vector<double> values;
};
// A grid of 100, one of which is the top, in units of its own.
OldValues old_hill(double scale = 50, double offset = -7) {
  OldValues out;
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j) {
      out.points.push_back({0.1 * i, 0.1 * j});
      out.values.push_back(offset + scale * hill(out.points.back()));
    }
  return out;
}

Study with_prior(const std::string& url, const OldValues& old = old_hill(), const StudyOptions& options = options_of()) {
  Study study = Study::create(options, url);
  study.set_prior(old.points, old.values, "last year");
  return study;
}

// Right by its checksum and yet no prior: a program of another version wrote it, or a hand.
TEST(StudyPrior, WhatCannotBeReadCanStillBeRemoved) {
  const test::Folder folder;
  (void)with_prior(folder.path("a.db"));
  open_store(folder.path("a.db"))->set_prior("{\"from\": 7");
  Study study = Study::open(folder.path("a.db"));
  EXPECT_THAT(message<StoreError>([&] { (void)study.prior(); }), HasSubstr("--remove-prior"));
  EXPECT_THAT(message<StoreError>([&] { (void)study.ask(2); }), HasSubstr("\"prior\" is damaged"));
  EXPECT_TRUE(study.remove_prior());
  EXPECT_FALSE(study.remove_prior());
  EXPECT_FALSE(study.prior());
  EXPECT_EQ(study.priors().size(), 3U);
  EXPECT_EQ(study.priors()[0].from, "last year");
  EXPECT_EQ(study.ask(2).size(), 2U);
}

void tell(Study& study, const std::vector<Trial>& trials, const std::function<double(const Params&)>& f) {
  for (const Trial& trial : trials) study.tell(trial.id, f(trial.params));
}

double mean_at(Study& study, const Params& point) { return study.predict({&point, 1})[0].mean; }
void add(Study& study, const Params& point, double value) { (void)study.add({&point, 1}, std::span<const double>(&value, 1)); }

TEST(Prior, TheFirstPointIsTheOldBestAndTheOthersAreSpread) {
  Study study = with_prior(":memory:"), without = Study::create(options_of(), ":memory:");
  const std::vector<Params> first = points(study.ask(6)), usual = points(without.ask(6));
  EXPECT_NEAR(std::get<double>(first[0][0]), 0.7, 1e-9);
  EXPECT_NEAR(std::get<double>(first[0][1]), 0.2, 1e-9);
  EXPECT_GT(hill(first[3]), 0.2) << "another good one, half a length-scale away";
  EXPECT_NE(first[3], first[0]);
  for (const std::size_t i : {1, 2, 4, 5}) EXPECT_EQ(first[i], usual[i]);
}

// The values differ from the old ones by offset and scale: the old mean explains nearly all, and the model knows the function
// where it has not looked.
TEST(Prior, OffsetAndScaleAreLearned) {
  Study study = with_prior(":memory:");
  const auto f = [](const Params& p) { return 1000 + 5 * hill(p); };
  for (int batch = 0; batch < 3; ++batch) tell(study, study.ask(6), f);
  const auto report = study.model_report();
  ASSERT_TRUE(report && report->prior);
  EXPECT_EQ(report->prior->from, "last year");
  EXPECT_GT(report->prior->explained, 0.95);
  EXPECT_NEAR(report->prior->slope, 0.1, 0.02);
  Study without = Study::create(options_of(), ":memory:");
  for (const Trial& trial : study.trials()) add(without, trial.params, *trial.value());
  double error = 0, usual = 0;
  for (const Params& p : old_hill().points) {
    error += std::abs(mean_at(study, p) - f(p));
    usual += std::abs(mean_at(without, p) - f(p));
  }
  EXPECT_LT(error, 0.3 * usual);
}

// What the new values contradict is not followed, and what they turn round only when they are sure.
TEST(Prior, AMisleadingOneLosesItsSay) {
  Study study = with_prior(":memory:", old_hill());
  const auto other = [](const Params& p) { return std::sin(9 * std::get<double>(p[0])) * std::cos(7 * std::get<double>(p[1])); };
  for (int batch = 0; batch < 8; ++batch) tell(study, study.ask(6), other);
  EXPECT_LT(study.model_report()->prior->explained, 0.3);
  EXPECT_GT(study.observed_best()->value(), 0.95);
}

TEST(Prior, AStudyReopenedBeforeEveryAskGoesOnAlike) {
  const test::Folder folder;
  const auto run = [](Study study, const std::function<void(Study&)>& between) {
    for (int batch = 0; batch < 5; ++batch) {
      between(study);
      tell(study, study.ask(6), hill);
    }
    return points(study.trials());
  };
  const std::string path = folder.path("a.db");
  EXPECT_EQ(run(with_prior(":memory:"), [](Study&) {}), run(with_prior(path), [&](Study& study) { study = Study::open(path); }));
  Study::open(path).backup(folder.path("b.db"));
  Study copy = Study::open(folder.path("b.db")), original = Study::open(path);
  EXPECT_EQ(copy.prior()->from, "last year");
  EXPECT_EQ(copy.prior()->num_trials, 100);
  EXPECT_EQ(points(copy.ask(6)), points(original.ask(6)));
}

// Who has the study open when a prior comes or goes asks as one who opens it then; without one nothing of it is left.
TEST(Prior, ComesAndGoesForEveryoneAndLeavesNothing) {
  const test::Folder folder;
  const std::string path = folder.path("a.db");
  Study mine = Study::create(options_of(), path);
  tell(mine, mine.ask(12), hill);
  EXPECT_FALSE(mine.prior());
  const Params middle{0.5, 0.5};
  const double before = mean_at(mine, middle);
  const OldValues old = old_hill();
  Study::open(path).set_prior(old.points, old.values, "elsewhere");
  const double with = mean_at(mine, middle);
  EXPECT_NE(with, before);
  Study fresh = Study::open(path);
  EXPECT_EQ(with, mean_at(fresh, middle));
  EXPECT_TRUE(Study::open(path).remove_prior());
  EXPECT_FALSE(mine.remove_prior());
  EXPECT_FALSE(mine.model_report()->prior);
  EXPECT_EQ(mine.priors().size(), 2U);
  EXPECT_EQ(mean_at(mine, middle), before);
}

TEST(Prior, OutlivesAChangeOfTheSpace) {
  Study study = with_prior(":memory:");
  tell(study, study.ask(6), hill);
  (void)study.set_space(Space({{"x", Float{0, 1}}, {"y", Float{0, 0.5}}, {"z", Float{0, 1}}}), {{"z", 0.5}});
  const auto report = study.model_report();
  ASSERT_TRUE(report && report->prior);
  EXPECT_EQ(report->prior->num_points, 60) << "those up to y = 0.5";
  EXPECT_GT(report->prior->explained, 0.5);
  (void)study.set_space(Space({{"x", Float{5, 6}}, {"y", Float{0, 0.5}}, {"z", Float{0, 1}}}));
  (void)study.ask(3);
  add(study, {5.5, 0.1, 0.5}, 1);
  EXPECT_EQ(study.model_report()->prior->num_points, 0) << "none of it is left";
}

// While a parameter is gone, points elsewhere than where it was fixed have no say; when it is back they have.
TEST(Prior, APointWaitsForAParameterThatIsGone) {
  const test::Folder folder;
  for (const std::string& url : {std::string(":memory:"), folder.path("a.db")}) {
    Study study = with_prior(url);
    tell(study, study.ask(6), hill);
    (void)study.ask(1);
    const int all = study.model_report()->prior->num_points;
    (void)study.set_space(Space({{"x", Float{0, 1}}, {"y", Fixed{0.2}}}));
    (void)study.set_space(Space({{"x", Float{0, 1}}}));
    add(study, {0.5}, 1);
    add(study, {0.7}, 2);
    EXPECT_EQ(study.model_report()->prior->num_points, 10) << "of a hundred those at y = 0.2";
    (void)study.set_space(plane(), {{"y", 0.2}});
    EXPECT_EQ(study.model_report()->prior->num_points, all);
  }
}

TEST(Prior, EveryMethodWithAModelTakesIt) {
  for (const MethodInfo& each : methods()) {
    StudyOptions options = options_of();
    test::search_of(options).method = each.method;
    test::model_of(options).num_candidates = 200;
    if (each.model == ModelUse::none) {
      EXPECT_THAT(message<std::invalid_argument>([&] { (void)with_prior(":memory:", old_hill(), options); }),
                  HasSubstr("expected a method with a model"));
      continue;
    }
    Study study = with_prior(":memory:", old_hill(), options);
    for (int batch = 0; batch < 2; ++batch) tell(study, study.ask(6), hill);
    EXPECT_EQ(study.ask(2).size(), 2U) << each.summary;
  }
  StudyOptions features = options_of();
  test::model_of(features).type = ModelType::inducing_features;
  test::model_of(features).num_inducing = test::model_of(features).num_features = 128;
  Study study = with_prior(":memory:", old_hill(), features);
  for (int batch = 0; batch < 2; ++batch) tell(study, study.ask(6), hill);
  EXPECT_GT(study.model_report()->prior->explained, 0.8);
}

TEST(Prior, SaysWhatItCannotTake) {
  Study study = Study::create(options_of(), ":memory:");
  const auto said = [&](const std::vector<Params>& at, const std::vector<double>& values, const std::string& from = "x") {
    return message<std::invalid_argument>([&] { study.set_prior(at, values, from); });
  };
  const Params a{0.1, 0.2}, b{0.3, 0.4};
  EXPECT_THAT(said({a, b}, {1}), HasSubstr("one value per point"));
  EXPECT_THAT(said({a}, {1}), HasSubstr("at least two values"));
  EXPECT_THAT(said({a, b}, {1, std::numeric_limits<double>::quiet_NaN()}), HasSubstr("point 2: expected a finite value"));
  EXPECT_THAT(said({a, {0.3, 1.5}}, {1, 2}), HasSubstr("y"));
  EXPECT_THAT(said({a, b}, {1, 2}, ""), HasSubstr("where it comes from"));
  EXPECT_FALSE(study.prior());
  study.set_prior(std::vector<Params>{a, b}, std::vector{1.0, 1.0}, "two that are equal say nothing");
  EXPECT_EQ(study.ask(6).size(), 6U);
}

}  // namespace
}  // namespace salvo

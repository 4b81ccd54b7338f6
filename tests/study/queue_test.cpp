// Points that people want tried, and batches in which some parameters are given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/study.h>

#include <map>
#include <set>
#include <stdexcept>

#include "support/folder.h"
#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::message;
using test::points;
using test::small_options;
using ::testing::HasSubstr;

Params point(double temperature, const std::string& catalyst = "Ni") {
  return {temperature, 0.01, std::int64_t{3}, std::string("huge"), catalyst, std::string("north")};
}

Study begun(const std::string& url = ":memory:") { return Study::create(small_options(test::mixed_space(), 3), url); }

TEST(Queue, IsHandedOutFirstInItsOrderThenTheSearchGoesOn) {
  Study study = begun();
  EXPECT_EQ(study.enqueue(std::vector<Params>{point(500), point(400), point(600)}), 3);
  const auto first = study.ask(2);
  EXPECT_EQ(points(first), (std::vector<Params>{point(500), point(400)}));
  EXPECT_EQ(first[0].source, Source::queue);
  const auto second = study.ask(4);
  EXPECT_EQ(second[0].params, point(600));
  for (std::size_t i = 1; i < second.size(); ++i) EXPECT_NE(second[i].source, Source::queue);
  EXPECT_TRUE(study.queue().empty());
}

TEST(Queue, LeavesOutWhatWaitsIsPendingOrHasAValue) {
  Study study = begun();
  EXPECT_EQ(study.enqueue(std::vector<Params>{point(500), point(500)}), 1);
  const auto trial = study.ask(1).at(0);
  EXPECT_EQ(study.enqueue(std::vector<Params>{point(500)}), 0);
  study.tell(trial.id, 1.0);
  EXPECT_EQ(study.enqueue(std::vector<Params>{point(500)}), 0);
  EXPECT_EQ(study.enqueue(std::vector<Params>{point(500)}, true), 1);
  EXPECT_EQ(study.ask(1).at(0).params, point(500));                    // a second measurement
  EXPECT_EQ(study.enqueue(std::vector<Params>{point(500)}, true), 0);  // which is pending
}

// A point that somebody was given meanwhile is not handed out twice.
TEST(Queue, APointThatBecamePendingIsPassedOver) {
  Study study = begun();
  const auto pending = study.ask(1);
  study.abandon(pending[0].id);
  (void)study.enqueue(points(pending));
  study.revive(pending[0].id, "");
  const auto next = study.ask(1);
  EXPECT_NE(next[0].params, pending[0].params);
  EXPECT_TRUE(study.queue().empty());
}

TEST(Queue, RefusesWhatIsNoPointAndTakesNothingOfIt) {
  Study study = begun();
  EXPECT_THAT(message<std::invalid_argument>([&] {
                (void)study.enqueue(std::vector<Params>{point(400), point(1e6)});
              }),
              HasSubstr("temperature"));
  EXPECT_TRUE(study.queue().empty());
}

// What was queued and what was handed out is on disk: whoever opens the study goes on alike.
TEST(Queue, AResumedStudyGoesOnAlike) {
  const test::Folder folder;
  const auto half = [&](const std::string& path) {
    Study study = begun(path);
    test::tell_all(study, study.ask(6));
    (void)study.enqueue(std::vector<Params>{point(500), point(400)});
    test::tell_all(study, study.ask(1));
    return study;
  };
  Study whole = half(folder.path("a.db"));
  (void)half(folder.path("b.db"));
  Study resumed = Study::open(folder.path("b.db"));
  const std::map<std::string, Value> fixed{{"temperature", 450.0}};
  for (int i = 0; i < 3; ++i) {
    const auto expected = whole.ask({.size = 4, .fixed = i == 1 ? fixed : std::map<std::string, Value>()}),
               got = resumed.ask({.size = 4, .fixed = i == 1 ? fixed : std::map<std::string, Value>()});
    EXPECT_EQ(points(got), points(expected));
    test::tell_all(whole, expected);
    test::tell_all(resumed, got);
  }
}

TEST(Fix, EveryPointHasTheValuesAndTheyAreDistinct) {
  for (const auto& [method, name] : Names<Method>::list) {
    SCOPED_TRACE(name);
    auto options = small_options(test::mixed_space(), 5);
    test::search_of(options).method = method;
    Study study = Study::create(options, ":memory:");
    const std::map<std::string, Value> fixed{{"temperature", 450.0}, {"catalyst", std::string("Pt")}};
    for (int batch = 0; batch < 4; ++batch) {
      const auto trials = study.ask({.size = 5, .fixed = batch == 2 ? std::map<std::string, Value>() : fixed});
      std::set<Params> seen;
      for (const Trial& trial : trials) {
        if (batch != 2) {
          EXPECT_EQ(std::get<double>(trial.params[0]), 450.0);
          EXPECT_EQ(std::get<std::string>(trial.params[4]), "Pt");
        }
        EXPECT_TRUE(seen.insert(trial.params).second);
      }
      test::tell_all(study, trials);
    }
  }
}

// The others are chosen for what is given: y = −(x − z)², so with z given the best x is z.
TEST(Fix, TheOthersAreChosenForIt) {
  auto options = small_options(Space({{"x", Float{0, 1}}, {"z", Float{0, 1}}}), 7);
  test::model_of(options) = {.num_inducing = 60, .num_features = 500};
  Study study = Study::create(options, ":memory:");
  std::vector<Params> grid;
  std::vector<double> values;
  for (const double x : {0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0})
    for (const double z : {0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0}) {
      grid.push_back({x, z});
      values.push_back(-(x - z) * (x - z));
    }
  (void)study.add(grid, values);
  for (const double z : {0.2, 0.7})
    for (const Trial& trial : study.ask({.size = 5, .fixed = {{"z", z}}}))
      EXPECT_NEAR(std::get<double>(trial.params[0]), z, 0.125);  // a step of the grid
}

TEST(Fix, TakesThoseOfTheQueueThatHaveTheValues) {
  Study study = begun();
  (void)study.enqueue(std::vector<Params>{point(500), point(450)});
  const auto hot = study.ask({.size = 2, .fixed = {{"temperature", 450.0}}});
  EXPECT_EQ(hot[0].params, point(450));
  EXPECT_EQ(std::get<double>(hot[1].params[0]), 450.0);
  EXPECT_EQ(study.queue().size(), 1U);
}

TEST(Fix, RefusesInWords) {
  Study study = begun();
  const auto refused = [&](const std::map<std::string, Value>& fixed) {
    return message<std::invalid_argument>([&] { (void)study.ask({.size = 1, .fixed = fixed}); });
  };
  EXPECT_THAT(refused({{"pressure", 1.0}}), HasSubstr("pressure"));
  EXPECT_THAT(refused({{"temperature", 1e6}}), HasSubstr("temperature"));
  EXPECT_THAT(refused({{"temperature", 450.0},
                       {"rate", 0.01},
                       {"stages", std::int64_t{3}},
                       {"size", std::string("huge")},
                       {"catalyst", std::string("Ni")}}),
              HasSubstr("enqueue"));
  EXPECT_EQ(study.counts().total(), 0);
}

// A finite space has fewer points where one of two parameters is given.
TEST(Fix, CountsWhatIsLeft) {
  Study study = Study::create(small_options(Space({{"a", Int{1, 3}}, {"b", Int{1, 4}}}), 1), ":memory:");
  EXPECT_EQ(study.ask({.size = 3, .fixed = {{"b", std::int64_t{2}}}}).size(), 3U);
  EXPECT_THAT(message<std::invalid_argument>([&] {
                (void)study.ask({.size = 1, .fixed = {{"b", std::int64_t{2}}}});
              }),
              HasSubstr("with what is fixed"));
  EXPECT_EQ(study.ask(9).size(), 9U);
}

}  // namespace
}  // namespace salvo

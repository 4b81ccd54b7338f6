// Floats and whole numbers with steps, from the first design to the last free point.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/space_review.h>
#include <salvo/study.h>

#include <cmath>
#include <set>

#include "support/folder.h"
#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::message;
using test::points;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Space stepped_oven() {
  return Space({{"temperature", Float{.low = 300, .high = 900, .step = 5}},
                {"rate", Float{.low = 1e-4, .high = 1, .scale = Scale::log, .digits = 2}},
                {"share", Float{.low = 0, .high = 1, .step = 0.1}},
                {"stirring", Int{.low = 0, .high = 1000, .step = 50}},
                {"gas", Categorical{{std::string("air"), std::string("argon")}}}});
}

double worth(const Params& at) {
  const double t = (std::get<double>(at[0]) - 612) / 100, r = std::log10(std::get<double>(at[1])) + 2.2;
  const double s = std::get<double>(at[2]) - 0.72, n = (static_cast<double>(std::get<std::int64_t>(at[3])) - 430) / 300;
  return -(t * t + r * r + s * s + n * n + (std::get<std::string>(at[4]) == "air" ? 0.5 : 0));
}

void tell_worth(Study& study, const std::vector<Trial>& trials) {
  for (const Trial& trial : trials) study.tell(trial.id, worth(trial.params));
}

StudyOptions options_over(const Space& space, Method method = Method::automatic) {
  StudyOptions options = test::small_options(space, 5);
  test::search_of(options).method = method;
  options.batch = 8;
  return options;
}

// Whatever chose it; and what was measured between the steps is told and learned from as it was.
TEST(GridStudy, EveryPointHandedOutIsOnTheGrid) {
  for (const Method method : {Method::automatic, Method::turbo, Method::sobol, Method::random, Method::ei}) {
    Study study = Study::create(options_over(stepped_oven(), method), ":memory:");
    const Params measured{611.25, 0.00623, 0.65, std::int64_t{433}, std::string("argon")};
    for (int batch = 0; batch < 6; ++batch) {
      std::set<Params> seen;
      const std::vector<Trial> trials = study.ask(8);
      for (const Trial& trial : trials) {
        EXPECT_EQ(stepped_oven().check_offered(trial.params), trial.params) << to_string(method);
        EXPECT_TRUE(seen.insert(trial.params).second) << to_string(method);
      }
      tell_worth(study, trials);
      if (batch == 2) (void)study.add(std::vector<Params>{measured}, std::vector<double>{worth(measured)});
    }
    EXPECT_EQ(study.trial(25)->params, measured);
  }
}

TEST(GridStudy, FindsTheBestOfTheGrid) {
  Study study = Study::create(options_over(stepped_oven()), ":memory:");
  for (int batch = 0; batch < 14; ++batch) tell_worth(study, study.ask(8));
  EXPECT_EQ(study.recommend()->trial.params, (Params{610.0, 0.0063, 0.7, std::int64_t{450}, std::string("argon")}));
}

TEST(GridStudy, IsUsedUpPointByPoint) {
  const Space space({{"a", Float{.low = 0, .high = 1.9, .step = 0.1}}, {"b", Float{.low = 1, .high = 2, .digits = 1}}});
  ASSERT_EQ(space.num_points(), 20 * 11);
  Study study = Study::create(options_over(space), ":memory:");
  std::set<Params> seen;
  for (int batch = 0; batch < 10; ++batch)
    for (const Trial& trial : study.ask(22)) EXPECT_TRUE(seen.insert(trial.params).second);
  EXPECT_EQ(std::ssize(seen), 220);
  EXPECT_THAT(message<std::invalid_argument>([&] { (void)study.ask(1); }), HasSubstr("220"));
}

TEST(GridStudy, RefusesPointsBetweenTheStepsAndSaysTheNearest) {
  Study study = Study::create(options_over(stepped_oven()), ":memory:");
  const Params between{612.0, 0.01, 0.5, std::int64_t{100}, std::string("air")};
  EXPECT_THAT(
      message<std::invalid_argument>([&] { (void)study.enqueue(std::vector<Params>{between}); }),
      HasSubstr("parameter \"temperature\": expected a number from 300 to 900 in steps of 5, got 612; 610 is the nearest"));
  EXPECT_THAT(message<std::invalid_argument>([&] {
                (void)study.ask({.size = 2, .fixed = {{"rate", 0.0123}}});
              }),
              HasSubstr("with 2 significant digits, got 0.0123; 0.012 is the nearest"));
  for (const Trial& trial : study.ask({.size = 3, .fixed = {{"temperature", 615.0}}})) EXPECT_EQ(trial.params[0], Value(615.0));
}

TEST(GridStudy, GoesOnAfterReopeningAsIfItHadNot) {
  const test::Folder folder;
  const auto run = [&](const std::string& url, bool reopen) {
    Study study = Study::create(options_over(stepped_oven()), url);
    for (int batch = 0; batch < 4; ++batch) {
      if (reopen) study = Study::open(url);
      tell_worth(study, study.ask(8));
    }
    return points(study.trials());
  };
  EXPECT_EQ(run(":memory:", false), run(folder.path("study.db"), true));
}

TEST(GridStudy, StepsMayChange) {
  Study study = Study::create(options_over(Space({{"x", Float{.low = 0, .high = 1}}, {"n", Int{0, 64}}})), ":memory:");
  (void)study.ask(4);
  const Space stepped({{"x", Float{.low = 0, .high = 1, .step = 0.05}}, {"n", Int{.low = 0, .high = 64, .step = 16}}});
  const SpaceReview review = study.review_space(stepped);
  EXPECT_THAT(review.changes, ElementsAre("x: 0 … 1 becomes 0 … 1 in steps of 0.05; 4 trials keep their points",
                                          "n: whole numbers 0 … 64 becomes whole numbers 0 … 64 in steps of 16; 4 trials keep "
                                          "their points"));
  EXPECT_EQ(review.num_outside, 0);
  EXPECT_EQ(as_toml(stepped.parameters()[0].domain, ""), "{ low = 0, high = 1, step = 0.05 }");
  EXPECT_EQ(as_toml(stepped.parameters()[1].domain, ""), "{ low = 0, high = 64, type = \"int\", step = 16 }");
}

}  // namespace
}  // namespace salvo

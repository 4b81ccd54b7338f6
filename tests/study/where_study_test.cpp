// Conditions among parameters, from the first design to the recommendation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
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
using ::testing::HasSubstr;

double real(const Params& params, std::size_t i) { return std::get<double>(params[i]); }

StudyOptions options_over(const Space& space, Method method = Method::automatic, int batch = 8) {
  StudyOptions options = test::small_options(space, 5);
  test::search_of(options).method = method;
  options.batch = batch;
  return options;
}

// A mixture of three with an order, a disc, whole numbers, a choice that forbids a corner.
Space alloy() {
  return Space(
      {{"a", Float{0, 1}},
       {"b", Float{0, 1}},
       {"c", Float{0, 1}},
       {"t", Float{-1, 1}},
       {"u", Float{.low = -1, .high = 1, .step = 0.05}},
       {"n", Int{0, 40}},
       {"m", Int{0, 40}},
       {"kind", Categorical{{std::string("cast"), std::string("forged")}}}},
      {"a + b + c == 1", "a <= 2 * b", "t ** 2 + u ** 2 <= 0.8", "n + 2 * m <= 50", "kind == 'cast' or t + c <= 0.5 and n > 3"});
}

double worth(const Params& at) {
  const double a = real(at, 0) - 0.6, b = real(at, 1) - 0.2, t = real(at, 3) - 0.9, u = real(at, 4) - 0.3;
  const double n = (static_cast<double>(std::get<std::int64_t>(at[5])) - 30) / 20;
  const double m = (static_cast<double>(std::get<std::int64_t>(at[6])) - 30) / 20;
  return -(a * a + b * b + t * t + u * u + n * n + m * m + (std::get<std::string>(at[7]) == "cast" ? 0.1 : 0));
}

void tell_worth(Study& study, const std::vector<Trial>& trials) {
  for (const Trial& trial : trials) study.tell(trial.id, worth(trial.params));
}

// Whatever chose it, and whatever of it was fixed for the batch.
TEST(WhereStudy, EveryPointHandedOutIsAllowed) {
  const Space space = alloy();
  for (const auto& [method, batch] :
       {std::pair(Method::automatic, 8), std::pair(Method::thompson, 8), std::pair(Method::thompson_grid, 8),
        std::pair(Method::thompson_features, 8), std::pair(Method::turbo, 8), std::pair(Method::sobol, 8),
        std::pair(Method::random, 8), std::pair(Method::ei, 1), std::pair(Method::gibbon, 4), std::pair(Method::lp, 4),
        std::pair(Method::qei, 4)}) {
    Study study = Study::create(options_over(space, method, batch), ":memory:");
    for (int round = 0; round < 5; ++round) {
      std::set<Params> seen;
      std::vector<Trial> trials = study.ask(round == 0 ? 12 : batch);
      if (round == 3 && batch > 1)
        for (const Trial& more : study.ask({.size = 3, .fixed = {{"n", std::int64_t{20}}, {"kind", std::string("forged")}}}))
          trials.push_back(more);
      for (const Trial& trial : trials) {
        EXPECT_EQ(space.check_offered(trial.params), trial.params) << to_string(method);
        EXPECT_LE(real(trial.params, 0), 2 * real(trial.params, 1)) << to_string(method);  // without a tolerance
        EXPECT_TRUE(seen.insert(trial.params).second) << to_string(method);
      }
      tell_worth(study, trials);
    }
  }
}

// Several outputs have a search of their own.
TEST(WhereStudy, SoIsEveryPointOfSeveralOutputs) {
  const Space space = alloy();
  StudyOptions options = options_over(space);
  options.outputs = {
      {"yield", Objective{Direction::maximize}}, {"cost", Objective{Direction::minimize}}, {"purity", Constraint{.min = 0.2}}};
  Study study = Study::create(options, ":memory:");
  for (int round = 0; round < 4; ++round)
    for (const Trial& trial : study.ask(8)) {
      EXPECT_EQ(space.check_offered(trial.params), trial.params);
      const double yield = worth(trial.params), cost = real(trial.params, 0) + real(trial.params, 3);
      study.tell(std::vector<Told>{{trial.id, Values{{yield, cost, real(trial.params, 1)}}}});
    }
}

// (a − 0.6)² + (b − 0.2)² + (c − 0.2)² on a + b + c = 1 and a <= 2b: b = 19/70, at the edge. A climb that ended at the wall it
// meets first, or short of the edge, would be far from it.
TEST(WhereStudy, FindsTheBestAtAnEdge) {
  const Space space({{"a", Float{0, 1}}, {"b", Float{0, 1}}, {"c", Float{0, 1}}}, {"a + b + c == 1", "a <= 2 * b"});
  Study study = Study::create(options_over(space), ":memory:");
  const auto value = [](const Params& at) {
    const double a = real(at, 0) - 0.6, b = real(at, 1) - 0.2, c = real(at, 2) - 0.2;
    return -(a * a + b * b + c * c);
  };
  for (int round = 0; round < 8; ++round)
    for (const Trial& trial : study.ask(8)) study.tell(trial.id, value(trial.params));
  EXPECT_NEAR(real(study.recommend()->trial.params, 1), 19.0 / 70, 1e-4);
}

// Whole numbers at an edge move along it in pairs: 3n + 2m is best at n + m = 30 with n as large as 2n + m <= 45 lets it.
TEST(WhereStudy, FindsTheBestOfWholeNumbersAtACorner) {
  const Space space({{"n", Int{0, 100}}, {"m", Int{0, 100}}}, {"n + m <= 30", "2 * n + m <= 45"});
  StudyOptions options = options_over(space);
  Study study = Study::create(options, ":memory:");
  for (int round = 0; round < 8; ++round)
    for (const Trial& trial : study.ask(8))
      study.tell(trial.id, 3.0 * static_cast<double>(std::get<std::int64_t>(trial.params[0])) +
                               2.0 * static_cast<double>(std::get<std::int64_t>(trial.params[1])));
  EXPECT_EQ(study.recommend()->trial.params, (Params{std::int64_t{15}, std::int64_t{15}}));
}

// A mixture of two is one free number, to the last bit.
TEST(WhereStudy, AMixtureOfTwoIsOneNumber) {
  const Space mixture({{"a", Float{0, 1}}, {"b", Float{0, 1}}}, {"a + b == 1"}), one({{"a", Float{0, 1}}});
  Study two = Study::create(options_over(mixture), ":memory:"), plain = Study::create(options_over(one), ":memory:");
  for (int round = 0; round < 4; ++round) {
    const std::vector<Trial> of_two = two.ask(8), of_one = plain.ask(8);
    ASSERT_EQ(of_two.size(), of_one.size());
    for (std::size_t i = 0; i < of_two.size(); ++i) {
      EXPECT_EQ(of_two[i].params[0], of_one[i].params[0]);
      const double value = std::sin(9 * real(of_one[i].params, 0));
      two.tell(of_two[i].id, value);
      plain.tell(of_one[i].id, value);
    }
  }
}

TEST(WhereStudy, GoesOnExactlyAfterAStop) {
  const test::Folder folder;
  const auto run = [&](const std::string& path, bool stop) {
    std::vector<Params> out;
    Study study = Study::create(options_over(alloy()), path);
    for (int round = 0; round < 4; ++round) {
      if (stop) study = Study::open(path);
      const std::vector<Trial> trials = study.ask(8);
      for (const Trial& trial : trials) out.push_back(trial.params);
      tell_worth(study, trials);
    }
    return out;
  };
  EXPECT_EQ(run(folder.path("a.db"), false), run(folder.path("b.db"), true));
  EXPECT_EQ(std::get<SpaceSearch>(Study::open(folder.path("b.db")).options().search).space.where(), alloy().where());
}

// Too many numbers to count those that are allowed: the last ones are handed out, and then words.
TEST(WhereStudy, SaysWhenTheLastOfVeryManyIsGone) {
  const Space space({{"n", Int{0, 1000}}, {"m", Int{0, 1000}}}, {"n * m == 5040"});
  StudyOptions options = options_over(space, Method::random);
  Study study = Study::create(options, ":memory:");
  std::set<Params> seen;
  for (int k = 0; k < 50; ++k) {
    const Trial trial = study.ask(1).at(0);
    EXPECT_TRUE(seen.insert(trial.params).second);
  }
  EXPECT_THAT(message<std::invalid_argument>([&] { (void)study.ask(1); }), HasSubstr("no point of the space is free"));
}

TEST(WhereStudy, RefusesPointsThatAreNotAllowed) {
  const Space space({{"a", Float{0, 1}}, {"b", Float{0, 1}}, {"c", Float{0, 1}}}, {"a + b + c == 1"});
  Study study = Study::create(options_over(space), ":memory:");
  EXPECT_THAT(message<std::invalid_argument>([&] {
                (void)study.enqueue(std::vector<Params>{{0.5, 0.5, 0.5}});
              }),
              HasSubstr("\"a + b + c == 1\" does not hold with a = 0.5, b = 0.5, c = 0.5"));
  EXPECT_THAT(message<std::invalid_argument>([&] {
                (void)study.add(std::vector<Params>{{0.5, 0.5, 0.5}}, std::vector<double>{1});
              }),
              HasSubstr("does not hold"));
  EXPECT_THAT(message<std::invalid_argument>([&] {
                (void)study.ask({.size = 2, .fixed = {{"c", 0.5}}});
              }),
              HasSubstr("\"c\" follows from the others; fix those instead"));
  (void)study.add(std::vector<Params>{{0.333, 0.333, 0.333}}, std::vector<double>{1});  // as people round
}

}  // namespace
}  // namespace salvo

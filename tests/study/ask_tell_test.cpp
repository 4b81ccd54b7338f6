#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/study.h>
#include <salvo/threads.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <set>

#include "store/owner.h"
#include "support/folder.h"
#include "support/helper.h"
#include "support/message.h"
#include "support/studies.h"

namespace salvo {
namespace {

using test::message;
using test::objective;
using test::points;
using test::small_options;
using testing::HasSubstr;

Study new_study(std::uint64_t seed = 0) { return Study::create(small_options(test::mixed_space(), seed), ":memory:"); }

TEST(Study, HandsOutValidDistinctPointsFirstOfTheDesignThenOfTheModel) {
  Study study = new_study();
  std::set<Params> seen;
  for (int batch = 0; batch < 4; ++batch) {
    const auto trials = study.ask(4);
    ASSERT_EQ(trials.size(), 4U);
    for (const Trial& trial : trials) {
      EXPECT_EQ(study.space().check(trial.params), trial.params);
      EXPECT_EQ(chosen_by_search(trial.source), batch > 0);
      EXPECT_EQ(trial.state(), TrialState::pending);
      EXPECT_TRUE(seen.insert(trial.params).second);
      EXPECT_EQ(study.trial(trial.id)->params, trial.params);
    }
    test::tell_all(study, trials);
  }
  EXPECT_EQ(study.counts().done, 16);
  EXPECT_GT(study.seconds().fit, 0);
}

TEST(Study, AnAskAcrossTheEndOfTheDesignTakesTheRestFromTheModel) {
  Study study = new_study();
  test::tell_all(study, study.ask(3));
  const auto trials = study.ask(3);
  EXPECT_EQ(trials[0].source, Source::initial);
  EXPECT_TRUE(chosen_by_search(trials[1].source));
  EXPECT_TRUE(chosen_by_search(trials[2].source));
}

TEST(Study, WithoutDataTheDesignGoesOn) {
  Study study = new_study();
  for (const Trial& trial : study.ask(9)) EXPECT_EQ(trial.source, Source::initial);
  study.tell(1, 0.5);
  EXPECT_EQ(study.ask(1).front().source, Source::initial);  // one value is no model
  study.tell(2, 0.7);
  EXPECT_TRUE(chosen_by_search(study.ask(1).front().source));
}

TEST(Study, TheDesignDoesNotDependOnHowItIsAskedFor) {
  Study whole = new_study(5), parts = new_study(5), other = new_study(6);
  const auto at_once = points(whole.ask(4));
  std::vector<Params> one_by_one;
  for (int i = 0; i < 4; ++i) {
    const auto trials = parts.ask(1);
    one_by_one.push_back(trials.front().params);
    if (i == 0) parts.tell(trials.front().id, 1.0);
  }
  EXPECT_EQ(at_once, one_by_one);
  EXPECT_NE(at_once, points(other.ask(4)));
}

TEST(Study, UniformDesignIsAnotherOne) {
  auto options = small_options(test::mixed_space());
  test::search_of(options).initial = Initial::uniform;
  Study uniform = Study::create(options, ":memory:"), sobol = new_study();
  EXPECT_NE(points(uniform.ask(4)), points(sobol.ask(4)));
}

TEST(Study, TellsComeInAnyOrderSinglyOrTogetherAndTrialsMayFailOrBeAbandoned) {
  Study study = new_study();
  const auto trials = study.ask(6);
  study.tell(trials[4].id, 4.0);
  study.fail(trials[0].id, "no convergence");
  const std::vector<Told> both{told(trials[5].id, -1.0), {trials[2].id, Abandoned{}}};
  study.tell(both);
  const Counts counts = study.counts();
  EXPECT_EQ(counts.done, 2);
  EXPECT_EQ(counts.failed, 1);
  EXPECT_EQ(counts.abandoned, 1);
  EXPECT_EQ(counts.pending, 2);
  EXPECT_EQ(counts.total(), 6);
  EXPECT_EQ(study.trial(trials[0].id)->error(), "no convergence");
  EXPECT_EQ(study.trial(trials[0].id)->state(), TrialState::failed);
  EXPECT_EQ(study.trial(trials[2].id)->state(), TrialState::abandoned);
  EXPECT_EQ(study.trial(trials[4].id)->value(), 4.0);
  EXPECT_GT(study.trial(trials[4].id)->told_at, 0);
  EXPECT_EQ(points(study.pending()), (std::vector<Params>{trials[1].params, trials[3].params}));
  EXPECT_EQ(study.ask(2).size(), 2U);
}

TEST(Study, ABadTellChangesNothing) {
  Study study = new_study();
  const auto trials = study.ask(3);
  study.tell(trials[0].id, 1.25);
  study.fail(trials[1].id, "boom");
  const auto attempt = [&](const Told& bad) {
    const std::vector<Told> outcomes{told(trials[2].id, 3.0), bad};
    return message<std::invalid_argument>([&] { study.tell(outcomes); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_THAT(attempt(told(trials[0].id, 9)), testing::AllOf(HasSubstr("trial 1"), HasSubstr("1.25"), HasSubstr("UTC")));
  EXPECT_THAT(attempt(told(trials[1].id, 9)), testing::AllOf(HasSubstr("trial 2"), HasSubstr("boom")));
  EXPECT_THAT(attempt(told(trials[2].id, 3.0)), HasSubstr("told already"));
  EXPECT_THAT(attempt(told(99, 9)), testing::AllOf(HasSubstr("no trial 99"), HasSubstr("has 3")));
  EXPECT_THAT(attempt(told(-1, 9)), HasSubstr("no trial -1"));
  EXPECT_THAT(attempt(told(trials[2].id, nan)), HasSubstr("finite"));
  EXPECT_THAT(attempt(told(trials[2].id, -inf)), HasSubstr("finite"));
  EXPECT_THAT(attempt({trials[2].id, Values{{1.0, 2.0}}}), testing::AllOf(HasSubstr("each of 1 outputs"), HasSubstr("got 2")));
  EXPECT_THAT(attempt({trials[2].id, Values{}}), HasSubstr("got 0"));
  EXPECT_EQ(study.counts().pending, 1);
  EXPECT_EQ(study.trial(trials[0].id)->value(), 1.25);
}

TEST(Study, TakesPointsEvaluatedElsewhere) {
  Study study = new_study();
  const Params point{450.0, 0.01, std::int64_t{3}, std::string("huge"), std::string("Ni"), std::string("north")};
  Params loose = point;
  loose[0] = std::int64_t{450};  // an integer for a float is typed
  const auto ids = study.add(std::vector<Params>{point, loose}, std::vector{1.0, 2.0});
  ASSERT_EQ(ids, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(study.trial(2)->params, point);
  EXPECT_EQ(study.trial(2)->source, Source::told);
  EXPECT_EQ(study.recommend()->trial.source, Source::told);
  loose[2] = std::int64_t{9};
  EXPECT_THAT(message<std::invalid_argument>([&] {
                study.add(std::vector<Params>{point, loose}, std::vector{1.0, 2.0});
              }),
              HasSubstr("stages"));
  EXPECT_THROW(study.add(std::vector<Params>{point}, std::vector{1.0, 2.0}), std::invalid_argument);
  EXPECT_THROW(study.add(std::vector<Params>{point}, std::vector{std::nan("")}), std::invalid_argument);
  EXPECT_EQ(study.counts().total(), 2);
}

TEST(Study, PointsEvaluatedElsewhereStandForTheDesign) {
  Study study = new_study();
  const int design = study.options().batch;
  std::vector<Params> points = test::points(Study::create(study.options(), ":memory:").ask(design));
  points.resize(static_cast<std::size_t>(design - 2));
  std::vector<double> values;
  for (const Params& point : points) values.push_back(test::objective(point));
  study.add(points, values);
  const auto trials = study.ask(4);
  EXPECT_EQ(trials[1].source, Source::initial) << "two points of the design are still due";
  EXPECT_TRUE(chosen_by_search(trials[2].source));
}

TEST(Study, AFiniteSpaceIsHandedOutWholeAndThenSaysSo) {
  auto options = small_options(Space({{"a", Int{0, 4}}, {"b", Categorical{{true, false}}}}));
  options.num_initial = 7;
  Study study = Study::create(options, ":memory:");
  std::set<Params> seen;
  for (const Trial& trial : study.ask(5)) EXPECT_TRUE(seen.insert(trial.params).second);
  test::tell_all(study, study.pending());
  for (const Trial& trial : study.ask(2)) EXPECT_TRUE(seen.insert(trial.params).second);  // the design does not repeat itself
  EXPECT_THAT(message<std::invalid_argument>([&] { (void)study.ask(9); }),
              testing::AllOf(HasSubstr("at most 8"), HasSubstr("got 9"), HasSubstr("has 10"), HasSubstr("2 are pending")));
  EXPECT_EQ(study.counts().total(), 7);
  const auto rest = study.ask(8);  // evaluated points may be asked for again, pending ones not
  std::set<Params> pending;
  for (const Trial& trial : study.pending()) EXPECT_TRUE(pending.insert(trial.params).second);
  EXPECT_EQ(pending.size(), 10U);
  EXPECT_THROW((void)study.ask(1), std::invalid_argument);
}

TEST(Study, RefusesWhatCannotBeAStudy) {
  EXPECT_THROW((void)Study::create({.outputs = one_objective(Direction::maximize)}, ":memory:"), std::invalid_argument);
  auto options = small_options(test::mixed_space());
  options.batch = 0;
  EXPECT_THAT(message<std::invalid_argument>([&] { (void)Study::create(options, ":memory:"); }), HasSubstr("batch"));
  options = small_options(test::mixed_space());
  test::model_of(options).alpha = std::nan("");
  EXPECT_THAT(message<std::invalid_argument>([&] { (void)Study::create(options, ":memory:"); }), HasSubstr("alpha"));
  const auto not_utf8 = [] { return small_options(Space({{"a", Categorical{{std::string("\xff"), std::string("b")}}}})); };
  EXPECT_THAT(message<std::invalid_argument>([&] { (void)Study::create(not_utf8(), ":memory:"); }), HasSubstr("UTF-8"));
  EXPECT_THROW((void)Study::create(small_options(test::mixed_space()), ""), std::invalid_argument);
  EXPECT_THROW((void)Study::open(":memory:"), std::invalid_argument);
  Study study = new_study();
  EXPECT_THROW((void)study.ask(0), std::invalid_argument);
  EXPECT_THROW((void)study.ask(-3), std::invalid_argument);
}

TEST(Study, RecommendsTheEvaluatedPointWithTheBestMeanAndStoresNothing) {
  for (const auto direction : {Direction::maximize, Direction::minimize}) {
    auto options = small_options(Space({{"x", Float{0, 1}}}));
    options.outputs = one_objective(direction);
    test::model_of(options).num_inducing = 30;  // more than there will be observations
    const double sign = direction == Direction::minimize ? 1 : -1;
    Study study = Study::create(options, ":memory:");
    EXPECT_FALSE(study.recommend());
    EXPECT_FALSE(study.observed_best());
    EXPECT_FALSE(study.model_report());
    for (int batch = 0; batch < 5; ++batch) {
      for (const Trial& trial : study.ask(4)) {
        const double x = std::get<double>(trial.params[0]);
        study.tell(trial.id, 100 + sign * 50 * (x - 0.3) * (x - 0.3));
      }
    }
    (void)study.ask(1);  // learns from all of them: Z = X, and the model is exact
    const auto best = study.recommend();
    ASSERT_TRUE(best);
    EXPECT_NEAR(std::get<double>(best->trial.params[0]), 0.3, 0.05);
    EXPECT_NEAR(best->mean, 100, 1.0);
    EXPECT_LT(best->stddev, 5);
    const auto predicted = study.predict(std::vector<Params>{best->trial.params});
    EXPECT_DOUBLE_EQ(predicted[0].mean, best->mean);
    EXPECT_DOUBLE_EQ(predicted[0].stddev, best->stddev);
    EXPECT_EQ(study.model_report()->num_observations, 20);
    EXPECT_NEAR(*study.observed_best()->value(), 100, 1.0);
    const double best_value = *study.observed_best()->value();
    for (const Trial& trial : study.trials()) EXPECT_GE(sign * (trial.value().value_or(best_value) - best_value), 0);
  }
}

// One penalty of −1e9 must not drown the rest: the optimum is still found.
TEST(Study, AnAbsurdlyBadValueDoesNotBlindTheModel) {
  Study study = Study::create(small_options(Space({{"x", Float{0, 1}}})), ":memory:");
  for (int batch = 0; batch < 8; ++batch)
    for (const Trial& trial : study.ask(10)) {
      const double x = std::get<double>(trial.params[0]);
      study.tell(trial.id, x < 0.1 ? -1e9 : -(x - 0.7) * (x - 0.7));
    }
  const auto best = study.recommend();
  EXPECT_NEAR(std::get<double>(best->trial.params[0]), 0.7, 0.03);
  EXPECT_NEAR(best->mean, 0, 0.05);
}

// The first batch is one value, which has no scale.
TEST(Study, LearnsTheScaleOfTheObjectiveFromSingleAsks) {
  for (const double scale : {1e-9, 1.0, 1e9}) {
    auto options = small_options(Space({{"x", Float{0, 1}}}));
    options.batch = 1;
    Study study = Study::create(options, ":memory:");
    for (int i = 0; i < 40; ++i) {
      const Trial trial = study.ask(1)[0];
      const double x = std::get<double>(trial.params[0]);
      study.tell(trial.id, -scale * (x - 0.7) * (x - 0.7));
    }
    EXPECT_NEAR(std::get<double>(study.recommend()->trial.params[0]), 0.7, 0.03) << scale;
    EXPECT_LT(study.model_report()->noise_stddev, 0.1 * scale);
  }
}

// Told first, a penalty of 1e300 sets the units; told the rest, they shrink by 300 digits.
TEST(Study, UnitsMayChangeByAnyFactor) {
  for (const double first : {1e300, 1e-300, 0.0}) {
    auto options = small_options(Space({{"x", Float{0, 1}}}));
    options.batch = 20;
    Study study = Study::create(options, ":memory:");
    const auto design = study.ask(20);
    study.tell(design[0].id, -first);
    study.tell(design[1].id, 0.0);
    EXPECT_EQ(study.ask(1).size(), 1U);
    for (std::size_t i = 2; i < design.size(); ++i) study.tell(design[i].id, std::get<double>(design[i].params[0]));
    EXPECT_EQ(study.ask(3).size(), 3U) << first;
  }
}

TEST(Study, BoundsThatHoldFewNumbersAreUsedUpAndThenItSaysSo) {
  const double epsilon = std::numeric_limits<double>::epsilon();
  Study study = Study::create(small_options(Space({{"x", Float{1, 1 + 4 * epsilon}}})), ":memory:");
  for (const Trial& trial : study.ask(2)) study.tell(trial.id, static_cast<double>(trial.id));
  EXPECT_THROW((void)study.ask(6), std::invalid_argument);
  EXPECT_EQ(study.ask(4).size(), 4U);
}

TEST(Study, QuestionsDoNotChangeTheAnswersOfAsk) {
  Study curious = new_study(), quiet = new_study();
  for (int batch = 0; batch < 5; ++batch) {
    const auto a = curious.ask(4), b = quiet.ask(4);
    EXPECT_EQ(points(a), points(b)) << "batch " << batch;
    test::tell_all(curious, a);
    test::tell_all(quiet, b);
    (void)curious.recommend();
    (void)curious.model_report();
    (void)curious.predict(points(a));
  }
}

TEST(Study, MinimisingIsMaximisingTheNegative) {
  auto options = small_options(test::mixed_space());
  Study up = Study::create(options, ":memory:");
  options.outputs = one_objective(Direction::minimize);
  Study down = Study::create(options, ":memory:");
  for (int batch = 0; batch < 4; ++batch) {
    const auto a = up.ask(4), b = down.ask(4);
    ASSERT_EQ(points(a), points(b));
    for (const Trial& trial : a) up.tell(trial.id, objective(trial.params));
    for (const Trial& trial : b) down.tell(trial.id, -objective(trial.params));
  }
}

TEST(Study, SurvivesAbsurdAndConstantValues) {
  for (const std::vector<double>& values : {std::vector{1.0}, {0.0}, {1e308, -1e308}, {1e-310, 2e-310}, {1, 2, 3, 4, 1e300}}) {
    Study study = new_study();
    for (int batch = 0; batch < 3; ++batch) {
      for (const Trial& trial : study.ask(4)) study.tell(trial.id, values[static_cast<std::size_t>(trial.id) % values.size()]);
    }
    EXPECT_TRUE(study.recommend());
    EXPECT_EQ(study.ask(3).size(), 3U);
  }
}

TEST(Study, OrphansOfADeadProcessAreClaimedAndNobodyElses) {
  const test::Folder folder;
  const std::string path = folder.path("study.db");
  Study study = Study::create(small_options(test::mixed_space()), path);
  (void)study.ask(1);                           // nobody's
  (void)study.ask(1, "elsewhere 1 1");          // of another host
  (void)study.ask(1, owner_of_this_process());  // alive
  EXPECT_FALSE(is_dead(owner_of_this_process()));
  EXPECT_FALSE(is_dead(""));
  EXPECT_FALSE(is_dead("elsewhere 1 1"));
  test::Helper helper({"ask_and_die", path, "2"});
  EXPECT_EQ(helper.finish(), "4\n5\n");
  const auto orphans = study.claim_orphans("somebody new");
  ASSERT_EQ(orphans.size(), 2U);
  EXPECT_EQ(orphans[0].id, 4);
  EXPECT_EQ(orphans[1].id, 5);
  EXPECT_EQ(study.claim_orphans("somebody new").size(), 2U);  // they are its own now
  EXPECT_TRUE(study.claim_orphans("yet another").empty());
  EXPECT_EQ(study.claim_orphans(owner_of_this_process()).size(), 1U);
}

TEST(Study, KeepsNotes) {
  Study study = new_study();
  EXPECT_FALSE(study.note("objective"));
  study.set_note("objective", "a");
  study.set_note("objective", std::string("b\0c", 3));
  EXPECT_EQ(study.note("objective"), std::string("b\0c", 3));
}

// Ends calls at the n-th place where they can be ended; false when there are not so many.
bool end_at(int n, const std::function<void()>& call) {
  struct Ended {};
  int places = 0;
  const Watch watch([&] { ++places >= n ? throw Ended() : void(); }, std::chrono::milliseconds(0));
  try {
    call();
  } catch (const Ended&) {
    return true;
  }
  return false;
}

TEST(Study, AnAskEndedAnywhereHasChangedNothing) {
  set_num_threads(1);  // with more, others may take the place where the call was to end
  Study calm = new_study(), disturbed = new_study();
  for (int batch = 0; batch < 3; ++batch) {
    const auto wanted = calm.ask(4);
    int ended = 0;
    std::vector<Trial> trials;
    for (int n = 1; end_at(n, [&] { trials = disturbed.ask(4); }); n += 1 + n / 3) {
      ++ended;
      ASSERT_EQ(disturbed.counts().pending, 0);
    }
    EXPECT_EQ(points(trials), points(wanted));
    EXPECT_GE(ended, batch == 0 ? 0 : 5);  // the design is made at once
    test::tell_all(calm, wanted);
    test::tell_all(disturbed, trials);
  }
  set_num_threads(0);
}

}  // namespace
}  // namespace salvo

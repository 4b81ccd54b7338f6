#include <gtest/gtest.h>
#include <salvo/run_policy.h>

#include <limits>
#include <string>
#include <vector>

#include "support/folder.h"
#include "support/options.h"

namespace salvo {
namespace {

Told value(std::int64_t id, double number) { return told(id, number); }
Told failure(std::int64_t id, const std::string& error = "broken") { return {id, Failure{error}}; }

std::vector<Told> failures(std::int64_t first, std::int64_t last) {
  std::vector<Told> outcomes;
  for (std::int64_t id = first; id <= last; ++id) outcomes.push_back(failure(id));
  return outcomes;
}

std::vector<std::int64_t> ids(const std::vector<Told>& outcomes) {
  std::vector<std::int64_t> out;
  for (const Told& outcome : outcomes) out.push_back(outcome.id);
  return out;
}

class PolicyTest : public testing::Test {
 protected:
  using Ids = std::vector<std::int64_t>;
  test::Folder folder_;
  Study study_ = Study::create(test::small_branin(), folder_.path("study.db"));
};

TEST_F(PolicyTest, RoomIsWhatMayBeOutAndWhatTheBudgetLeaves) {
  RunPolicy policy(study_, {.evaluations = 20, .at_once = 8});
  EXPECT_EQ(policy.room(study_, 0), 8);
  EXPECT_EQ(policy.room(study_, 5), 3);
  EXPECT_EQ(policy.room(study_, 9), 0);
  study_.ask(15);  // whoever asked
  EXPECT_EQ(policy.room(study_, 0), 5);
  study_.abandon(1);
  EXPECT_EQ(policy.room(study_, 0), 6);
  study_.tell(2, 1.0);
  study_.fail(3, "broken");
  EXPECT_EQ(policy.room(study_, 0), 6);
  study_.ask(7);  // by another run, which oversteps
  EXPECT_EQ(policy.room(study_, 0), 0);
}

TEST_F(PolicyTest, WithoutRefillingABatchComesBackBeforeTheNext) {
  RunPolicy policy(study_, {.evaluations = 20, .at_once = 8, .refill = false});
  EXPECT_EQ(policy.room(study_, 0), 8);
  EXPECT_EQ(policy.room(study_, 1), 0);
}

TEST_F(PolicyTest, RoomIsNoMoreThanAFiniteSpaceHasLeft) {
  StudyOptions small = test::small_branin();
  test::search_of(small).space = Space({{"kind", Categorical{{std::string("a"), std::string("b"), std::string("c")}}}});
  Study study = Study::create(small, folder_.path("finite.db"));
  RunPolicy policy(study, {.evaluations = 100, .at_once = 8});
  EXPECT_EQ(policy.room(study, 0), 3);
  study.ask(2);
  EXPECT_EQ(policy.room(study, 2), 1);
  study.ask(1);
  EXPECT_EQ(policy.room(study, 3), 0);
}

TEST_F(PolicyTest, FailuresBeforeTheFirstValueAreHeldBackAndToldWithIt) {
  study_.ask(5);
  RunPolicy policy(study_, {});
  EXPECT_TRUE(policy.record(study_, {failure(4), failure(2)}).taken.empty());
  EXPECT_EQ(study_.counts().pending, 5);
  EXPECT_FALSE(policy.has_value());
  EXPECT_EQ(ids(policy.record(study_, {value(3, 7.0)}).taken), (Ids{2, 3, 4})) << "by id, whatever the order they came in";
  EXPECT_TRUE(policy.has_value());
  EXPECT_EQ(study_.counts().failed, 2);
  EXPECT_EQ(ids(policy.record(study_, {failure(1)}).taken), Ids{1}) << "from now on at once";
  EXPECT_FALSE(policy.all_failed(true));
}

TEST_F(PolicyTest, GivesUpAfterTwentyFailuresThatStayPending) {
  study_.ask(30);
  RunPolicy policy(study_, {.batch = 1000});
  EXPECT_FALSE(policy.all_failed(true)) << "nothing failed";
  policy.record(study_, failures(1, 19));
  EXPECT_FALSE(policy.all_failed(false));
  const auto all_there_were = policy.all_failed(true);
  ASSERT_TRUE(all_there_were);
  EXPECT_EQ(all_there_were->num_failures, 19);
  policy.record(study_, {failure(20, "the last")});
  const auto why = policy.all_failed(false);
  ASSERT_TRUE(why);
  EXPECT_EQ(why->num_failures, 20);
  EXPECT_EQ(why->last_error, "the last");
  EXPECT_TRUE(why->held);
  EXPECT_EQ(study_.counts().pending, 30);
}

TEST_F(PolicyTest, InAStudyWithValuesItGivesUpAfterABatchOfFailuresThatAreRecorded) {
  study_.ask(40);
  study_.tell(40, 1.0);
  RunPolicy small(study_, {.batch = 5}), large(study_, {.batch = 25});
  EXPECT_EQ(small.record(study_, failures(1, 12)).taken.size(), 12u);
  EXPECT_FALSE(small.all_failed(true)) << "these are recorded, and too few to say";
  small.record(study_, failures(13, 20));
  ASSERT_TRUE(small.all_failed(false));
  EXPECT_FALSE(small.all_failed(false)->held);
  EXPECT_EQ(study_.counts().failed, 20);
  large.record(study_, failures(1, 24));
  EXPECT_FALSE(large.all_failed(false));
  large.record(study_, failures(25, 25));
  EXPECT_TRUE(large.all_failed(false));
}

TEST_F(PolicyTest, WhatSomebodyElseToldStandsAndTheOthersAreTaken) {
  study_.ask(4);
  study_.tell(1, 42.0);
  RunPolicy policy(study_, {});
  study_.abandon(3);
  const RunPolicy::Recorded recorded = policy.record(study_, {value(1, 1.0), value(2, 2.0), failure(3), failure(4)});
  EXPECT_EQ(ids(recorded.taken), (Ids{2, 4}));
  ASSERT_EQ(recorded.refused.size(), 2u);
  EXPECT_EQ(recorded.refused[0].id, 1);
  EXPECT_NE(recorded.refused[0].why.find("trial 1 was told already"), std::string::npos) << recorded.refused[0].why;
  EXPECT_EQ(recorded.refused[1].id, 3);
  EXPECT_NE(recorded.refused[1].why.find("abandoned"), std::string::npos) << recorded.refused[1].why;
  EXPECT_EQ(study_.trial(1)->value(), 42);
  EXPECT_EQ(study_.trial(3)->state(), TrialState::abandoned);
}

TEST_F(PolicyTest, WhatIsNobodysDoingIsAnErrorOnceTheOthersAreTold) {
  study_.ask(3);
  RunPolicy policy(study_, {});
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(policy.record(study_, {value(1, none), value(2, 2.0), value(77, 1.0)}), std::invalid_argument);
  EXPECT_EQ(study_.trial(1)->state(), TrialState::pending);
  EXPECT_EQ(study_.trial(2)->value(), 2);
}

TEST_F(PolicyTest, TellingHoldsNothingBack) {
  study_.ask(2);
  RunPolicy policy(study_, {});
  policy.record(study_, {failure(1)});
  EXPECT_EQ(ids(RunPolicy::tell(study_, {value(2, 1.0)}).taken), Ids{2});
  EXPECT_EQ(study_.counts().pending, 1) << "what was held back still is";
  EXPECT_TRUE(RunPolicy::tell(study_, {}).taken.empty());
}

TEST_F(PolicyTest, AFailureIsRecordedWhenItsRetriesAreSpent) {
  study_.ask(3);
  study_.tell(3, 1.0);
  RunPolicy policy(study_, {.retries = 2});
  EXPECT_TRUE(policy.retry(1));
  EXPECT_TRUE(policy.retry(2));
  EXPECT_TRUE(policy.retry(1)) << "each trial has its own";
  EXPECT_FALSE(policy.retry(1));
  policy.record(study_, {failure(1, "at 3 o'clock"), value(2, 5.0)});
  EXPECT_EQ(study_.trial(1)->error(), "failed 3 times, at last: at 3 o'clock");
  EXPECT_EQ(study_.trial(2)->value(), 5);

  RunPolicy once(study_, {});
  study_.ask(1);
  EXPECT_FALSE(once.retry(4));
  once.record(study_, {failure(4, "no")});
  EXPECT_EQ(study_.trial(4)->error(), "no");
}

TEST_F(PolicyTest, WhatTheMachineEndedIsTriedAgainAndNeverTold) {
  study_.ask(3);
  RunPolicy policy(study_, {.retries = 4}), plain(study_, {});
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(policy.retry_machine(1, "killed"));
  EXPECT_FALSE(policy.retry_machine(1, "killed at last"));
  EXPECT_TRUE(plain.retry_machine(1, "killed") && plain.retry_machine(1, "killed")) << "twice at least";
  EXPECT_FALSE(plain.retry_machine(1, "killed"));
  EXPECT_EQ(policy.machine().num_failures, 5);
  EXPECT_EQ(policy.machine().left, Ids{1});
  EXPECT_EQ(policy.machine().last_error, "killed at last");
  EXPECT_FALSE(policy.machine().broken);
  EXPECT_FALSE(policy.all_failed(true)) << "nothing failed";
  EXPECT_EQ(study_.counts().pending, 3);
}

TEST_F(PolicyTest, AnOutageMayEndAllThatRunsButNotAgainAndAgain) {
  study_.ask(100);
  RunPolicy policy(study_, {});
  const auto fail = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t id = first; id <= last; ++id) (void)policy.retry_machine(id, "lost");
    return policy.machine().broken;
  };
  EXPECT_FALSE(fail(1, 100)) << "one outage";
  EXPECT_FALSE(fail(1, 9));
  policy.record(study_, {value(50, 1.0)});
  EXPECT_FALSE(fail(10, 18)) << "something came of another";
  EXPECT_TRUE(fail(19, 19));
}

TEST_F(PolicyTest, RunsOfOneProcessHaveOwnersThatTheNextRunTakesOver) {
  RunPolicy first(study_, {});
  const std::string mine = first.owner();
  EXPECT_EQ(mine.rfind(owner_of_this_process() + " ", 0), 0u);
  {
    const RunPolicy second(study_, {});
    EXPECT_NE(second.owner(), mine);
  }
  first.release_owner();
  const RunPolicy next(study_, {});
  EXPECT_EQ(next.owner(), mine);
  first.release_owner();  // not the next one's
  EXPECT_NE(RunPolicy(study_, {}).owner(), mine);
}

TEST_F(PolicyTest, RefusesWhatMakesNoSense) {
  for (const RunPolicyOptions& wrong : {RunPolicyOptions{.evaluations = 0}, RunPolicyOptions{.batch = 0},
                                        RunPolicyOptions{.at_once = 0}, RunPolicyOptions{.retries = -1}})
    EXPECT_THROW(RunPolicy(study_, wrong), std::invalid_argument);
}

}  // namespace
}  // namespace salvo

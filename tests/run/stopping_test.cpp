#include <gtest/gtest.h>
#include <salvo/failing.h>
#include <salvo/run.h>
#include <salvo/stopping.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/folder.h"
#include "support/options.h"

namespace salvo {
namespace {

class StoppingTest : public testing::Test {
 protected:
  RunOptions options(const std::string& command, int batch, std::int64_t evaluations) const {
    RunOptions options;
    options.objective.command = command;
    options.objective.workers = 4;
    options.objective.directory = folder_.path();
    options.budget = {.batch = batch, .evaluations = evaluations};
    return options;
  }

  // Twenty points whose values are their first coordinate, told from the best to the worst or the other way round.
  Study told(bool best_first) {
    StudyOptions how = test::small_branin();
    std::get<SpaceSearch>(how.search).method = Method::random;
    Study study = Study::create(how, folder_.path(best_first ? "a.db" : "b.db"));
    std::vector<Trial> trials = study.ask(20);
    const auto value = [](const Trial& trial) { return std::get<double>(trial.params[0]); };
    std::sort(trials.begin(), trials.end(),
              [&](const Trial& a, const Trial& b) { return best_first ? value(a) < value(b) : value(a) > value(b); });
    for (const Trial& trial : trials) study.tell(trial.id, value(trial));
    return study;
  }

  test::Folder folder_;
  Study study_ = Study::create(test::small_branin(), folder_.path("study.db"));
};

class StoppingSchedule : public StoppingTest, public testing::WithParamInterface<Schedule> {};
INSTANTIATE_TEST_SUITE_P(BatchAndAsync, StoppingSchedule, testing::Values(Schedule::batch, Schedule::async));

TEST_P(StoppingSchedule, TimeOverFinishesWhatRunsAndLeavesTheRestForTheNextRun) {
  RunOptions run_options = options("echo x >> calls; sleep 0.1; echo {x1}", 24, 24);
  run_options.objective.schedule = GetParam();
  run_options.budget.time = 0.25;
  const RunSummary summary = run(study_, run_options);
  EXPECT_EQ(summary.end, RunEnd::time_over) << summary.message;
  EXPECT_NE(summary.reason.find("0.25 s"), std::string::npos) << summary.reason;
  const auto done = study_.counts().done;
  EXPECT_EQ(done, summary.outcomes);
  EXPECT_LT(done, 24);
  run_options.budget.time = 0;
  EXPECT_EQ(run(study_, run_options).end, RunEnd::budget_spent);
  EXPECT_EQ(study_.counts().done, 24);
}

TEST_P(StoppingSchedule, TheTargetEndsARunAndTheNextOneAtOnce) {
  RunOptions run_options = options("echo {x1}", 10, 200);
  run_options.objective.schedule = GetParam();
  run_options.budget.target = -4;  // of −5 … 10
  const RunSummary summary = run(study_, run_options);
  EXPECT_EQ(summary.end, RunEnd::target_reached) << summary.message;
  EXPECT_EQ(summary.reason.find("the target -4 was reached ("), 0u) << summary.reason;
  EXPECT_LE(study_.observed_best()->value(), -4);
  EXPECT_LT(summary.evaluations, 200);
  const RunSummary again = run(study_, run_options);
  EXPECT_EQ(again.end, RunEnd::target_reached);
  EXPECT_EQ(again.outcomes, 0);
  EXPECT_NE(again.reason.find("already"), std::string::npos) << again.reason;
  run_options.budget.target = -100;
  run_options.budget.evaluations = summary.evaluations + 10;
  EXPECT_EQ(run(study_, run_options).end, RunEnd::budget_spent);
}

TEST_F(StoppingTest, ATargetIsMeantInTheStudysDirection) {
  const Stopping down({.target = 2}, Direction::minimize), up({.target = 2}, Direction::maximize), none({}, Direction::maximize);
  EXPECT_TRUE(down.reaches(2) && down.reaches(1) && !down.reaches(2.1));
  EXPECT_TRUE(up.reaches(2) && up.reaches(3) && !up.reaches(1.9));
  EXPECT_FALSE(none.reaches(1e9));
}

TEST_F(StoppingTest, ALuckyValueInNoiseIsNoTargetReached) {
  StudyOptions how = test::small_branin();
  std::get<SpaceSearch>(how.search).method = Method::random;
  Study study = Study::create(how, folder_.path("noisy.db"));
  for (const Trial& trial : study.ask(60)) study.tell(trial.id, trial.id == 30 ? -3.0 : trial.id % 2 ? 1.0 : -1.0);
  Stopping stopping({.target = -2.9}, Direction::minimize);
  EXPECT_FALSE(stopping.look(study));
}

TEST_F(StoppingTest, PatienceEndsWhenTheLastEvaluationsBroughtNothingBetter) {
  Study best_first = told(true), best_last = told(false);
  Stopping tired({.patience = 10}, Direction::minimize), hopeful({.patience = 10}, Direction::minimize);
  const auto why = tired.look(best_first);
  ASSERT_TRUE(why);
  EXPECT_EQ(why->reason, StopReason::patience);
  EXPECT_NE(why->words.find("last 10 evaluations"), std::string::npos) << why->words;
  EXPECT_FALSE(hopeful.look(best_last)) << "the best value came last";
  Stopping longer({.patience = 20}, Direction::minimize);
  EXPECT_FALSE(longer.look(best_first)) << "there is nothing to compare the last 20 with";
}

TEST_F(StoppingTest, PointsToldFromElsewhereUseUpNoPatience) {
  Study study = told(true);
  Stopping before({.patience = 15}, Direction::minimize);
  EXPECT_TRUE(before.look(study));
  Study fresh = Study::create(test::small_branin(), folder_.path("fresh.db"));
  std::vector<Params> points;
  std::vector<double> values;
  for (const Trial& trial : study.trials()) {
    points.push_back(trial.params);
    values.push_back(*trial.value());
  }
  fresh.add(points, values);
  Stopping stopping({.patience = 15}, Direction::minimize);
  EXPECT_FALSE(stopping.look(fresh));
}

TEST_F(StoppingTest, ARunWithoutProgressEndsAndNothingMoreIsBegunByTheNext) {
  RunOptions run_options = options("echo 1", 10, 500);
  run_options.budget.patience = 20;
  const RunSummary summary = run(study_, run_options);
  EXPECT_EQ(summary.end, RunEnd::no_improvement) << summary.message;
  EXPECT_LT(summary.evaluations, 100);
  EXPECT_EQ(run(study_, run_options).outcomes, 0);
}

struct SearchEnd {
  std::string reason;
  std::int64_t evaluations = 0;
};
// A bowl of depth 1 on a floor of noise, searched until the model expects less than `gain` from all that could follow.
SearchEnd searched(Study& study, RunOptions options, double noise, double gain) {
  options.budget.gain = gain;
  std::int64_t calls = 0;
  std::optional<WhyStop> why;
  Stopping stopping(options.budget, Direction::minimize);
  std::vector<double> error(static_cast<std::size_t>(options.budget.evaluations));
  Key(7).fill_normal(error);
  while (!(why = stopping.look(study)) && study.counts().total() < options.budget.evaluations)
    for (const Trial& trial : study.ask(options.budget.batch)) {
      const double x = (std::get<double>(trial.params[0]) - 4) / 15, y = (std::get<double>(trial.params[1]) - 7) / 15;
      study.tell(trial.id, x * x + y * y + noise * error.at(static_cast<std::size_t>(calls++)));
    }
  return {why ? why->words : "", calls};
}

// It stops, with what is left said, and what is left is less than was said would be too little.
TEST_F(StoppingTest, AGainThatIsNotToBeHadEndsARun) {
  for (const double noise : {0.0, 0.05}) {
    Study study = Study::create(test::small_branin(), folder_.path(noise > 0 ? "n.db" : "e.db"));
    const SearchEnd end = searched(study, options("", 10, 300), noise, 0.01);
    EXPECT_NE(end.reason.find("less than 0.01"), std::string::npos) << end.reason;
    EXPECT_LT(end.evaluations, 300);
    const Params at = study.recommend().value().trial.params;
    const double x = (std::get<double>(at[0]) - 4) / 15, y = (std::get<double>(at[1]) - 7) / 15;
    EXPECT_LT(x * x + y * y, noise > 0 ? 0.03 : 0.01);
    EXPECT_LT(study.expected_gain().value(), 0.01);
    Study again = Study::open(folder_.path(noise > 0 ? "n.db" : "e.db"));
    EXPECT_EQ(again.expected_gain(), study.expected_gain()) << "it goes by the records alone";
  }
}

TEST_F(StoppingTest, ASearchThatStillHopesForMoreGoesOn) {
  const SearchEnd end = searched(study_, options("", 10, 40), 0, 1e-9);
  EXPECT_EQ(end.reason, "");
  Study designed = Study::create(test::small_branin(), folder_.path("design.db"));
  for (const Trial& trial : designed.ask(20)) designed.tell(trial.id, 1.0);
  Stopping stopping({.gain = 1000}, Direction::minimize);
  EXPECT_FALSE(stopping.look(designed)) << "the search has chosen nothing yet";
}

TEST_F(StoppingTest, RulesAreChecked) {
  EXPECT_THROW(Stopping({.gain = -1}, Direction::minimize), std::invalid_argument);
  EXPECT_THROW(Stopping({.time = -1}, Direction::minimize), std::invalid_argument);
  EXPECT_THROW(Stopping({.patience = -1}, Direction::minimize), std::invalid_argument);
}

TEST_F(StoppingTest, FailingBatchesAreToldAtOnceAndCounted) {
  RunOptions run_options = options("if [ {trial} -gt 10 ]; then echo no licence >&2; exit 3; fi; echo {x1}", 10, 50);
  std::vector<Failing> news;
  run_options.failing = [&](const Failing& each) { news.push_back(each); };
  const RunSummary summary = run(study_, run_options);
  ASSERT_EQ(news.size(), 3u) << "of four failing batches the first, the second and the fourth";
  EXPECT_EQ(news[0].failed, 10);
  EXPECT_EQ(news[0].of, 10);
  EXPECT_EQ(news[0].reason, "exit code 3; stderr: no licence");
  EXPECT_EQ(summary.outcomes, 50);
  EXPECT_EQ(summary.failures, 40);
  EXPECT_EQ(summary.last_failure, "exit code 3; stderr: no licence");
}

TEST(FailureWatch, SpeaksOfHalfABatchAndOfFiveAtLeast) {
  const Outcome good = Values{{1.0}}, bad = Failure{"why"};
  FailureWatch watch(false);
  const auto batch = [&](int num_good, int num_bad) {
    for (int i = 0; i < num_good; ++i) watch.count(good);
    for (int i = 0; i < num_bad; ++i) watch.count(bad);
    return watch.look(true).has_value();
  };
  EXPECT_FALSE(batch(6, 5));
  EXPECT_TRUE(batch(5, 5));
  EXPECT_FALSE(batch(4, 4)) << "too few to speak of";
  EXPECT_TRUE(batch(0, 5)) << "after a batch that was well it is news again";
  EXPECT_FALSE(batch(0, 2)) << "small batches wait for the next";
  EXPECT_TRUE(batch(0, 3));
}

TEST(FailureWatch, WithoutBatchesItLooksAtTwenty) {
  FailureWatch watch(true);
  for (int i = 0; i < 19; ++i) watch.count(Failure{"why"});
  EXPECT_FALSE(watch.look(true));
  watch.count(Values{{1.0}});
  const auto news = watch.look(false);
  ASSERT_TRUE(news);
  EXPECT_EQ(news->failed, 19);
  EXPECT_EQ(news->of, 20);
}

}  // namespace
}  // namespace salvo

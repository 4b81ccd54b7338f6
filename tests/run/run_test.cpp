#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/run.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "support/folder.h"
#include "support/options.h"

namespace salvo {
namespace {

class RunTest : public testing::Test {
 protected:
  RunOptions options(const std::string& command, int batch = 7, std::int64_t evaluations = 20) const {
    RunOptions options;
    options.objective.command = command;
    options.objective.workers = 4;
    options.objective.directory = folder_.path();
    options.budget = {.batch = batch, .evaluations = evaluations};
    return options;
  }
  int num_lines(const std::string& name) const {
    std::ifstream in(folder_.path(name));
    int lines = 0;
    for (std::string line; std::getline(in, line);) ++lines;
    return lines;
  }
  static std::int64_t num_pending(Study& study) { return study.counts().pending; }

  test::Folder folder_;
  Study study_ = Study::create(test::small_branin(), folder_.path("study.db"));
};

class RunSchedule : public RunTest, public testing::WithParamInterface<Schedule> {};
INSTANTIATE_TEST_SUITE_P(BatchAndAsync, RunSchedule, testing::Values(Schedule::batch, Schedule::async));

TEST_P(RunSchedule, EvaluatesTheWholeBudget) {
  RunOptions run_options = options("echo {x1}");
  run_options.objective.schedule = GetParam();
  std::set<std::int64_t> announced;
  run_options.finished = [&](const Trial& trial) {
    EXPECT_EQ(trial.state(), TrialState::done);
    announced.insert(trial.id);
  };
  std::int64_t last = 0, batches = 0, most_running = 0;
  run_options.progress = [&](const RunProgress& progress) {
    EXPECT_GE(progress.evaluations, last);
    EXPECT_EQ(progress.budget, 20);
    last = progress.evaluations;
    batches += progress.batch_done;
    most_running = std::max(most_running, progress.running);
  };
  const RunSummary summary = run(study_, run_options);
  EXPECT_EQ(summary.end, RunEnd::budget_spent) << summary.message;
  EXPECT_EQ(summary.evaluations, 20);
  EXPECT_GT(summary.seconds_evaluating, 0);
  EXPECT_LE(summary.seconds_evaluating, summary.seconds);
  for (const Trial& trial : study_.trials()) EXPECT_EQ(trial.value(), std::get<double>(trial.params[0]));
  EXPECT_EQ(announced.size(), 20u);
  EXPECT_EQ(study_.counts().done, 20);
  EXPECT_LE(most_running, 4);
  if (GetParam() == Schedule::batch) {
    EXPECT_EQ(batches, 3);
  }
}

TEST_P(RunSchedule, ASpentBudgetSaysSoAtOnceAndALargerOneGoesOn) {
  RunOptions run_options = options("echo x >> calls; echo {x1}", 5, 10);
  run_options.objective.schedule = GetParam();
  run(study_, run_options);
  const RunSummary again = run(study_, run_options);
  EXPECT_EQ(again.end, RunEnd::budget_spent);
  EXPECT_NE(again.message.find("budget spent"), std::string::npos) << again.message;
  EXPECT_EQ(num_lines("calls"), 10);
  run_options.budget.evaluations = 13;
  run(study_, run_options);
  EXPECT_EQ(num_lines("calls"), 13);
}

TEST_P(RunSchedule, StopOneFinishesWhatRunsAndLeavesTheRestForTheNextRun) {
  RunOptions run_options = options("echo x >> calls; sleep 0.1; echo {x1}", 12, 12);
  run_options.objective.schedule = GetParam();
  std::atomic<int> stop = 0;
  run_options.stop = &stop;
  run_options.finished = [&](const Trial&) { stop = 1; };
  const RunSummary summary = run(study_, run_options);
  EXPECT_EQ(summary.end, RunEnd::stopped);
  EXPECT_NE(summary.message.find("again"), std::string::npos) << summary.message;
  const auto done = study_.counts().done;
  EXPECT_EQ(done, num_lines("calls")) << "all that had started was told";
  EXPECT_LT(done, 12);

  stop = 0;
  run_options.finished = nullptr;
  EXPECT_EQ(run(study_, run_options).end, RunEnd::budget_spent);
  EXPECT_EQ(study_.counts().done, 12);
  EXPECT_EQ(num_lines("calls"), 12) << "nothing was evaluated twice";
}

TEST_P(RunSchedule, StopTwoKillsAtOnceAndTheTrialsStayPending) {
  RunOptions run_options = options("trap '' TERM; sleep 60; echo 1", 6, 6);
  run_options.objective.schedule = GetParam();
  std::atomic<int> stop = 0;
  run_options.stop = &stop;
  run_options.progress = [&](const RunProgress& progress) {
    if (progress.running == 4) stop = 2;
  };
  const RunSummary summary = run(study_, run_options);
  EXPECT_EQ(summary.end, RunEnd::stopped);
  EXPECT_LT(summary.seconds, 10);
  EXPECT_EQ(study_.counts().done + study_.counts().failed, 0);
  const std::int64_t pending = num_pending(study_);
  EXPECT_GE(pending, 4);

  run_options.stop = nullptr;
  run_options.objective.command = "echo {x2}";
  run(study_, run_options);
  EXPECT_EQ(study_.counts().done, 6);
}

TEST_F(RunTest, FailuresAreRecordedWithTheirReasonAndCount) {
  const RunSummary summary =
      run(study_,
          options("case {trial} in 2) echo no licence >&2; exit 3;; 3) kill -11 $$;; 4) echo hello;; *) echo 1.5;; esac", 5, 10));
  EXPECT_EQ(summary.evaluations, 10);
  EXPECT_EQ(study_.counts().failed, 3);
  EXPECT_EQ(study_.trial(2)->error(), "exit code 3; stderr: no licence");
  EXPECT_NE(study_.trial(3)->error().find("signal 11"), std::string::npos);
  EXPECT_NE(study_.trial(4)->error().find("\"hello\""), std::string::npos);
}

TEST_F(RunTest, BinaryRubbishIsAFailureThatCanBeStored) {
  run(study_,
      options("[ {trial} = 2 ] && {{ head -c 3000 /dev/urandom; head -c 3000 /dev/urandom >&2; exit 1; }}; echo 1", 4, 4));
  EXPECT_EQ(study_.counts().failed, 1);
  EXPECT_FALSE(study_.trial(2)->error().empty());
}

TEST_F(RunTest, TimeoutsFailTheTrial) {
  RunOptions run_options = options("[ {trial} = 1 ] && sleep 60; echo 1", 3, 3);
  run_options.objective.timeout = 1;
  const RunSummary summary = run(study_, run_options);
  EXPECT_LT(summary.seconds, 10);
  EXPECT_EQ(study_.trial(1)->state(), TrialState::failed);
  EXPECT_EQ(study_.trial(1)->error(), "timed out after 1 s");
  EXPECT_EQ(study_.counts().done, 2);
}

TEST_F(RunTest, RetriesUntilItWorksOrTheRetriesAreSpent) {
  // Trial 2 needs three attempts, trial 3 would need four.
  RunOptions run_options = options(
      "echo $SALVO_SEED >> n{trial}; n=$(wc -l < n{trial}); "
      "case {trial} in 2) [ $n -ge 3 ];; 3) [ $n -ge 4 ];; esac || exit 9; echo 1",
      4, 4);
  run_options.objective.retries = 2;
  run(study_, run_options);
  EXPECT_EQ(study_.counts().done, 3);
  EXPECT_EQ(num_lines("n1"), 1);
  EXPECT_EQ(num_lines("n2"), 3);
  EXPECT_EQ(num_lines("n3"), 3);
  EXPECT_EQ(study_.trial(3)->error(), "failed 3 times, at last: exit code 9");
  std::ifstream in(folder_.path("n2"));
  std::set<std::string> seeds;
  for (std::string seed; in >> seed;) seeds.insert(seed);
  EXPECT_EQ(seeds.size(), 1u) << "a retry gets the same seed";
}

TEST_F(RunTest, WhatTheMachineEndedIsTriedAgainAndTeachesNothing) {
  // Trial 2 is killed from outside once, the shell of trial 3 says so of its child, trial 4 asks for another time twice.
  const RunSummary summary = run(study_, options("echo x >> n{trial}; n=$(wc -l < n{trial}); "
                                                 "case {trial} in 2) [ $n -ge 2 ] || kill -9 $$;; 3) [ $n -ge 2 ] || exit 143;; "
                                                 "4) [ $n -ge 3 ] || exit 75;; 5) kill -6 $$;; esac; echo 1",
                                                 5, 10));
  EXPECT_EQ(summary.end, RunEnd::budget_spent);
  EXPECT_EQ(study_.counts().failed, 1) << "what aborts has failed";
  EXPECT_EQ(study_.counts().done, 9);
  EXPECT_EQ(num_lines("n2") + num_lines("n3") + num_lines("n4"), 7);
  EXPECT_EQ(num_lines("n5"), 1);
  EXPECT_EQ(summary.machine_failures, 4);
  EXPECT_EQ(summary.left_by_machine, 0);
}

TEST_P(RunSchedule, WhatTheMachineAlwaysEndsWaitsForTheNextRun) {
  RunOptions run_options = options("echo x >> n{trial}; [ {trial} = 3 ] && exit 99; echo 1", 5, 10);
  run_options.objective.schedule = GetParam();
  run_options.objective.machine_failures = {99};
  const RunSummary summary = run(study_, run_options);
  EXPECT_NE(summary.message.find("9 of 10 evaluations are done, 1 trials pending"), std::string::npos) << summary.message;
  EXPECT_EQ(num_lines("n3"), 3);
  EXPECT_EQ(summary.left_by_machine, 1);
  EXPECT_NE(summary.last_machine_failure.find("exit code 99"), std::string::npos);
  EXPECT_EQ(study_.trial(3)->state(), TrialState::pending);
  EXPECT_EQ(study_.counts().failed, 0);
  run(study_, options("echo 1", 5, 10));
  EXPECT_EQ(study_.counts().done, 10);
  EXPECT_EQ(study_.counts().total(), 10);
}

TEST_P(RunSchedule, AMachineThatStaysBrokenEndsTheRunAndNothingIsLost) {
  RunOptions broken = options("echo x >> calls; [ {trial} -le 7 ] || exit 75; echo 1", 7, 200);
  broken.objective.schedule = GetParam();
  const RunSummary summary = run(study_, broken);
  EXPECT_EQ(summary.end, RunEnd::machine_failed);
  EXPECT_NE(summary.message.find("exit code 75"), std::string::npos) << summary.message;
  EXPECT_EQ(study_.counts().done, 7);
  EXPECT_EQ(study_.counts().failed, 0);
  EXPECT_LE(num_lines("calls"), 7 + 7 + 10 + 8) << "all once, ten more, and what ran beside them";
  const std::int64_t known = study_.counts().total();
  EXPECT_EQ(run(study_, options("echo 1", 7, known)).end, RunEnd::budget_spent);
  EXPECT_EQ(study_.counts().done, known) << "the same trials";
}

TEST_F(RunTest, AFewTrialsThatTheMachineEndedAreNoFailures) {
  RunOptions run_options = options("kill -9 $$", 2, 2);
  EXPECT_EQ(run(study_, run_options).end, RunEnd::machine_failed);
  EXPECT_EQ(num_pending(study_), 2);
  run_options.objective.machine_failures = {};
  EXPECT_EQ(run(study_, run_options).end, RunEnd::all_failed) << "now it is the program's";
  run_options.objective = options("sleep 60").objective;
  run_options.objective.timeout = 0.5;
  EXPECT_EQ(run(study_, run_options).end, RunEnd::all_failed) << "a timeout is, though it ends by SIGTERM";
}

TEST_F(RunTest, AMissingCommandStopsTheRunAndCostsNoTrial) {
  std::ofstream(folder_.path("not-executable")) << "echo 1\n";
  for (const char* command : {"no-such-command-at-all {x1}", "./no-such-script {x1}", "./not-executable {x1}"}) {
    try {
      run(study_, options(command));
      FAIL() << command;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(std::string(command).substr(0, 8)), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("exit code 12"), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(study_.counts().failed, 0);
  EXPECT_EQ(num_pending(study_), 7);
  run(study_, options("echo {x1}"));
  EXPECT_EQ(study_.counts().done, 20);
  EXPECT_EQ(study_.counts().total(), 20);
}

TEST_F(RunTest, ACommandThatNeverWorksEndsTheRunAndItsTrialsAreEvaluatedAgain) {
  const RunSummary summary = run(study_, options("echo x >> calls; echo broken >&2; exit 5", 7, 200));
  EXPECT_EQ(summary.end, RunEnd::all_failed);
  EXPECT_NE(summary.message.find("exit code 5; stderr: broken"), std::string::npos) << summary.message;
  EXPECT_LE(num_lines("calls"), 24) << "20, and what ran beside them";
  EXPECT_EQ(study_.counts().failed, 0);
  const auto pending = num_pending(study_);
  EXPECT_GE(pending, 20);

  EXPECT_EQ(run(study_, options("echo {x1}", 7, pending)).end, RunEnd::budget_spent);
  EXPECT_EQ(study_.counts().done, pending) << "after the repair the same trials are evaluated";
  EXPECT_EQ(study_.counts().total(), pending);
}

TEST_F(RunTest, FewerTrialsThanTwentyCanAllFailToo) {
  EXPECT_EQ(run(study_, options("exit 5", 3, 3)).end, RunEnd::all_failed);
  EXPECT_EQ(num_pending(study_), 3);
}

TEST_F(RunTest, FailuresBeforeTheFirstValueAreToldWithIt) {
  RunOptions run_options = options("[ {trial} -le 5 ] && exit 1; echo 1", 8, 8);
  run_options.objective.workers = 1;
  run(study_, run_options);
  EXPECT_EQ(study_.counts().failed, 5);
  EXPECT_EQ(study_.counts().done, 3);
}

TEST_F(RunTest, InAStudyWithValuesFailuresAreRecordedAsTheyCome) {
  run(study_, options("echo {x1}", 5, 5));
  const RunSummary summary = run(study_, options("exit 5", 5, 200));
  EXPECT_EQ(summary.end, RunEnd::all_failed);
  EXPECT_GE(study_.counts().failed, 20);
  EXPECT_LE(study_.counts().failed, 25);
}

TEST_F(RunTest, PointsEvaluatedElsewhereCountAndAbandonedOnesDoNot) {
  const std::vector<Params> points = {{0.1, 0.2}, {0.3, 0.4}};
  const std::vector<double> values = {1, 2};
  study_.add(points, values);
  study_.abandon(study_.ask(1).front().id);
  run(study_, options("echo x >> calls; echo {x1}", 4, 10));
  EXPECT_EQ(num_lines("calls"), 8);
}

TEST_F(RunTest, AnOutcomeToldByHandMeanwhileStands) {
  RunOptions run_options = options("while [ ! -e told ]; do sleep 0.05; done; echo 1", 3, 3);
  bool told = false;
  run_options.progress = [&](const RunProgress& progress) {
    if (progress.running == 0 || std::exchange(told, true)) return;
    Study other = Study::open(study_.path());
    other.tell(1, 42);
    other.abandon(2);
    std::ofstream(folder_.path("told")) << "now";
  };
  std::set<std::int64_t> announced;
  run_options.finished = [&](const Trial& trial) { announced.insert(trial.id); };
  EXPECT_EQ(run(study_, run_options).end, RunEnd::budget_spent);
  EXPECT_EQ(study_.trial(1)->value(), 42);
  EXPECT_EQ(study_.trial(2)->state(), TrialState::abandoned);
  EXPECT_EQ(study_.trial(3)->value(), 1);
  EXPECT_FALSE(announced.contains(1));
}

TEST_F(RunTest, AnExceptionLeavesNoProcessBehind) {
  RunOptions run_options = options("echo $$ >> pids; exec sleep 60", 4, 4);
  run_options.progress = [&](const RunProgress& progress) {
    if (progress.running == 4 && num_lines("pids") == 4) throw StoreError("disk full");
  };
  EXPECT_THROW(run(study_, run_options), StoreError);
  std::ifstream in(folder_.path("pids"));
  for (pid_t pid = 0; in >> pid;) EXPECT_NE(kill(pid, 0), 0) << pid;
  EXPECT_EQ(num_pending(study_), 4);
}

TEST_F(RunTest, TwoRunsAtOnceShareAStudy) {
  const auto work = [&] {
    Study study = Study::open(study_.path());
    RunOptions run_options = options("echo {trial} >> calls; sleep 0.02; echo {x1}", 5, 40);
    EXPECT_EQ(run(study, run_options).end, RunEnd::budget_spent);
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(num_pending(study_), 0);
  EXPECT_GE(study_.counts().done, 40);
  EXPECT_LE(study_.counts().done, 45);
  EXPECT_EQ(num_lines("calls"), study_.counts().done) << "each trial was evaluated once";
}

TEST_F(RunTest, ASmallFiniteSpaceIsNotAskedForMoreThanItHas) {
  StudyOptions small = test::small_branin();
  test::search_of(small).space = Space({{"kind", Categorical{{std::string("a"), std::string("b"), std::string("c")}}}});
  Study study = Study::create(small, folder_.path("finite.db"));
  RunOptions run_options = options("case {kind} in a) echo 1;; b) echo 2;; c) echo 3;; esac", 10, 12);
  EXPECT_EQ(run(study, run_options).end, RunEnd::budget_spent);
  EXPECT_EQ(study.counts().done, 12);
}

TEST_F(RunTest, RefusesWhatMakesNoSense) {
  EXPECT_THROW(run(study_, options("")), std::invalid_argument);
  EXPECT_THROW(run(study_, options("echo {nothing}")), InputError);
  EXPECT_THROW(run(study_, options("echo 1", 0)), std::invalid_argument);
  EXPECT_THROW(run(study_, options("echo 1", 1, 0)), std::invalid_argument);
  RunOptions both = options("echo 1");
  both.objective.builtin = "branin";
  EXPECT_THROW(run(study_, both), std::invalid_argument);
  RunOptions nowhere = options("echo 1");
  nowhere.objective.directory = folder_.path("missing");
  EXPECT_THROW(run(study_, nowhere), Error);
  both.objective.command = "";
  both.objective.builtin = "hartmann6";
  EXPECT_THROW(run(study_, both), std::invalid_argument) << "six parameters, the study has two";
}

}  // namespace
}  // namespace salvo

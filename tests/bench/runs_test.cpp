#include <gtest/gtest.h>
#include <salvo/bench.h>
#include <salvo/error.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <map>

#include "bench/processes.h"
#include "bench/record.h"
#include "support/folder.h"
#include "support/options.h"

namespace salvo {
namespace {

BenchPlan small_plan() {
  BenchRequest request;
  request.problems = {"branin"};
  request.methods = {"random", "sobol"};
  request.seeds = 2;
  request.set = {{"budget.batch", "5"}, {"budget.evaluations", "12"}, {"model.num_inducing", "10"}, {"model.num_features", "50"}};
  return plan_bench(request);
}

TEST(BenchRun, MeasuresRegretAfterEveryBatch) {
  const BenchPlan plan = small_plan();
  std::vector<std::int64_t> heard;
  const BenchRun run = run_case(plan.cases[0], 1, [&](const BenchStep& step) { heard.push_back(step.evaluations); });
  EXPECT_EQ(heard, (std::vector<std::int64_t>{5, 10, 12}));
  ASSERT_EQ(run.steps.size(), 3);
  double queried = std::numeric_limits<double>::infinity(), cumulative = 0;
  std::int64_t evaluations = 0;
  for (const BenchStep& step : run.steps) {
    EXPECT_GE(step.regret, step.queried);  // the recommended point is one of those tried
    EXPECT_GE(step.queried, 0);
    EXPECT_LE(step.queried, queried);
    EXPECT_GE(step.cumulative, cumulative + static_cast<double>(step.evaluations - evaluations) * step.queried);
    cumulative = step.cumulative;
    evaluations = step.evaluations;
    queried = step.queried;
  }
  // The same seed gives the same run, another one another.
  EXPECT_EQ(run_case(plan.cases[0], 1).steps.back().regret, run.steps.back().regret);
  EXPECT_NE(run_case(plan.cases[0], 2).steps.back().queried, run.steps.back().queried);
}

// 205 steps of one point: how many were measured, the first and the last of them.
std::vector<std::int64_t> measured(Method method) {
  BenchCase which = small_plan().cases[0];
  test::search_of(which.file.study).method = method;
  which.file.budget = {.batch = 1, .evaluations = 205};
  const BenchRun run = run_case(which, 0);
  return {std::ssize(run.steps), run.steps.front().evaluations, run.steps.back().evaluations};
}

TEST(BenchRun, OfManyBatchesIsMeasuredAHundredTimesAndInTheEnd) {
  EXPECT_EQ(measured(Method::thompson), (std::vector<std::int64_t>{69, 3, 205}));
}

// Random search has no model: each measurement fits one from nothing.
TEST(BenchRun, WithoutAModelIsMeasuredTenTimes) { EXPECT_EQ(measured(Method::random), (std::vector<std::int64_t>{10, 21, 205})); }

TEST(BenchRun, SurvivesItsLineOfJson) {
  BenchRun run = run_case(small_plan().cases[1], 3);
  run.steps[0].queried = std::nan("");  // as for a command
  const BenchRun back = benching::run_of(benching::to_line(run));
  EXPECT_EQ(back.settings, run.settings);
  EXPECT_EQ(back.seed, 3);
  EXPECT_TRUE(std::isnan(back.steps[0].queried));
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    EXPECT_EQ(back.steps[i].evaluations, run.steps[i].evaluations);
    EXPECT_NEAR(back.steps[i].regret, run.steps[i].regret, 5e-9 * run.steps[i].regret);  // nine digits are kept
    EXPECT_NEAR(back.steps[i].fit, run.steps[i].fit, 5e-9 * run.steps[i].fit);
  }
  // A file of before the sum was kept.
  std::string old = benching::to_line(run);
  const std::size_t from = old.find("\"cumulative\""), to = old.find("\"fit\"");
  EXPECT_TRUE(std::isnan(benching::run_of(old.erase(from, to - from)).steps[0].cumulative));
  EXPECT_THROW((void)benching::run_of("{}"), std::invalid_argument);
  EXPECT_THROW((void)benching::run_of("nonsense"), std::invalid_argument);
}

TEST(BenchRuns, AreRunOnceAndReadBack) {
  const test::Folder folder;
  const BenchPlan plan = small_plan();
  int ran = 0;
  BenchOptions options;
  options.path = folder.path("runs.jsonl");
  options.on_run = [&](const BenchRun&) { ++ran; };
  EXPECT_EQ(run_bench(plan, options).finished, 4);
  EXPECT_EQ(run_bench(plan, options).finished, 4);
  EXPECT_EQ(ran, 4);
  EXPECT_EQ(read_runs(plan, options.path).runs.size(), 4);

  // A cut line is passed over and dropped by the next benchmark; runs of other settings are nobody's.
  std::ofstream(options.path, std::ios::app) << R"({"problem":"bra)";
  EXPECT_EQ(read_runs(plan, options.path).runs.size(), 4);
  BenchPlan more = plan;
  more.seeds = 3;
  more.cases[0].settings += "\nmodel.alpha = 1";
  EXPECT_EQ(run_bench(more, options).finished, 6);
  EXPECT_EQ(ran, 4 + 3 + 1);
  EXPECT_EQ(read_runs(more, options.path).others, 2);
}

TEST(BenchRuns, TwoBenchmarksDoNotShareAFile) {
  const test::Folder folder;
  const std::string path = folder.path("runs.jsonl");
  const benching::RunsFile mine(path);
  (void)read_runs(small_plan(), path);  // looking does not give the file away
  EXPECT_THROW(benching::RunsFile{path}, Error);
}

TEST(BenchRuns, RubbishInTheFileIsToldWithItsLine) {
  const test::Folder folder;
  const std::string path = folder.path("runs.jsonl");
  std::ofstream(path) << benching::to_line(run_case(small_plan().cases[0], 0)) << "\n[]\n";
  try {
    (void)read_runs(small_plan(), path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("runs.jsonl:2"), std::string::npos) << error.what();
  }
}

TEST(Replicates, FailuresAndDeathsAreTheirOwn) {
  std::map<int, std::string> ends, said;
  benching::replicate({.count = 4,
                       .jobs = 2,
                       .body =
                           [](int i, const benching::Emit& emit) {
                             emit("hello");
                             if (i == 1) throw std::runtime_error("two\nlines");
                             if (i == 2) std::raise(SIGKILL);
                             emit(std::string(200'000, 'x'));  // more than a pipe holds
                           },
                       .on_line = [&](int i, std::string_view line) { said[i] += line; },
                       .on_end = [&](int i, const std::string& error) { ends[i] = error; },
                       .on_tick = {},
                       .stop = nullptr});
  EXPECT_EQ(ends[0], "");
  EXPECT_EQ(ends[1], "two lines");
  EXPECT_NE(ends[2].find("signal 9"), std::string::npos) << ends[2];
  EXPECT_EQ(ends[3], "");
  EXPECT_EQ(said[1], "hello");
  EXPECT_EQ(said[3].size(), 200'005);
}

TEST(Replicates, StopStartsNoMore) {
  std::atomic<int> stop = 0;
  int ended = 0;
  benching::replicate({.count = 10,
                       .jobs = 1,
                       .body = [](int, const benching::Emit& emit) { emit("x"); },
                       .on_line = [](int, std::string_view) {},
                       .on_end = [&](int, const std::string&) { stop = ++ended == 3; },
                       .on_tick = {},
                       .stop = &stop});
  EXPECT_EQ(ended, 3);
}

}  // namespace
}  // namespace salvo

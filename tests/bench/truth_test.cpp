#include "bench/truth.h"

#include <gtest/gtest.h>
#include <salvo/bench.h>
#include <salvo/error.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "bench/record.h"
#include "math/hypervolume.h"
#include "support/folder.h"
#include "support/message.h"

namespace salvo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

BenchPlan plan_of(const std::string& problem, const Overrides& more = {}) {
  BenchRequest request;
  request.problems = {problem};
  request.methods = {"random"};
  request.seeds = 1;
  request.set = {
      {"budget.batch", "10"}, {"budget.evaluations", "40"}, {"model.num_inducing", "10"}, {"model.num_features", "50"}};
  request.set.insert(request.set.end(), more.begin(), more.end());
  return plan_bench(request);
}

TEST(Truth, AllowsWhatRoundingTakesOfABound) {
  const std::vector<Output> outputs = {{"cost", Objective{Direction::minimize}},
                                       {"load", Constraint{.max = 200}},
                                       {"sum", Constraint{.max = 0}},
                                       {"share", Constraint{.min = -0.5, .max = 1}}};
  EXPECT_TRUE(benching::truly_holds(outputs, {1e9, 200, 0, 1}));
  EXPECT_TRUE(benching::truly_holds(outputs, {1, 200 * (1 + 0.9e-6), 0, -0.5 * (1 + 0.9e-6)}));
  EXPECT_FALSE(benching::truly_holds(outputs, {1, 200 * (1 + 1.1e-6), 0, 0}));
  EXPECT_FALSE(benching::truly_holds(outputs, {1, 0, 1e-300, 0}));  // a bound of 0 has no scale
  EXPECT_FALSE(benching::truly_holds(outputs, {1, 0, 0, std::nan("")}));
}

// Random points of a box a corner of which is allowed: the best allowed one that was tried is the measure.
TEST(Truth, OfConstraintsIsTheRegretOfWhatIsAllowed) {
  const BenchPlan plan = plan_of("ackley2_constrained");
  EXPECT_EQ(plan.cases[0].optimum, 0);
  const BenchRun run = run_case(plan.cases[0], 1);
  const Problem known = problem("ackley2_constrained");
  for (const BenchStep& step : run.steps) {
    EXPECT_TRUE(step.regret == kInfinity || step.regret >= step.queried);
    EXPECT_GT(step.queried, 0);
    EXPECT_TRUE(std::isnan(step.cumulative));
  }
  // Nothing is ever allowed where a constraint asks for what cannot be: a sum of 60 with ‖x‖ ≤ 5.
  benching::Truth truth(plan.cases[0], plan.cases[0].file);
  truth.tried({.id = 1, .params = {9.0, 9.0}});
  EXPECT_EQ(truth.queried(), kInfinity);
  truth.tried({.id = 2, .params = {-1.0, -1.0}});
  EXPECT_EQ(truth.queried(), known.value({-1.0, -1.0}));
  truth.tried({.id = 3, .params = {1.0, 1.0}});
  EXPECT_EQ(truth.queried(), known.value({-1.0, -1.0}));
}

TEST(Truth, OfSeveralObjectivesIsTheHypervolumeThatIsMissing) {
  const BenchPlan plan = plan_of("c2dtlz2_3");
  const BenchCase& which = plan.cases[0];
  EXPECT_TRUE(std::isnan(which.optimum));
  EXPECT_EQ(which.hypervolume, problem("c2dtlz2_3").hypervolume);
  benching::Truth truth(which, which.file);
  EXPECT_EQ(truth.queried(), which.hypervolume);      // nothing yet
  truth.tried({.id = 1, .params = {0.3, 0.5, 0.5}});  // between two arcs
  EXPECT_EQ(truth.queried(), which.hypervolume);
  truth.tried({.id = 2, .params = {0.0, 0.5, 0.5}});  // (1, 0): 0.1 × 1.1 of hypervolume
  EXPECT_NEAR(truth.queried(), which.hypervolume - 0.11, 1e-12);
  truth.tried({.id = 3, .params = {1.0, 0.5, 0.5}});  // (0, 1): as much but what both have
  EXPECT_NEAR(truth.queried(), which.hypervolume - 0.21, 1e-12);

  const BenchRun run = run_case(which, 2);
  double before = which.hypervolume;
  for (const BenchStep& step : run.steps) {
    EXPECT_GE(step.regret, step.queried - 1e-12);  // the front is one of points that were tried
    EXPECT_LE(step.queried, before);
    before = step.queried;
  }
}

TEST(Truth, AnInfiniteRegretSurvivesItsLineOfJson) {
  BenchRun run = run_case(plan_of("spring").cases[0], 3);
  run.steps[0].regret = run.steps[0].queried = kInfinity;
  run.steps[1].regret = 0.25;
  const BenchRun back = benching::run_of(benching::to_line(run));
  EXPECT_EQ(back.steps[0].regret, kInfinity);
  EXPECT_EQ(back.steps[0].queried, kInfinity);
  EXPECT_EQ(back.steps[1].regret, 0.25);
  EXPECT_TRUE(std::isnan(back.steps[1].cumulative));
  EXPECT_EQ(benching::step_of(benching::to_line(run.steps[0])).regret, kInfinity);
  EXPECT_NE(benching::to_line(run).find(R"("regret":["infeasible",0.25)"), std::string::npos) << benching::to_line(run);
}

TEST(Truth, SaysWhatABenchmarkMisses) {
  EXPECT_NE(test::message<InputError>([] { (void)plan_of("keane7"); }).find("no best value"), std::string::npos);
}

}  // namespace
}  // namespace salvo

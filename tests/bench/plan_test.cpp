#include <gtest/gtest.h>
#include <salvo/bench.h>
#include <salvo/error.h>

#include <fstream>

#include "support/folder.h"
#include "support/options.h"

namespace salvo {
namespace {

struct BenchPlanTest : testing::Test {
  test::Folder folder;
  BenchPlan plan(const std::string& text, BenchRequest request = {}) {
    request.path = folder.path("b.toml");
    std::ofstream(request.path) << text;
    return plan_bench(request);
  }
};

TEST_F(BenchPlanTest, CrossesProblemsMethodsAndVariedSettings) {
  const BenchPlan made = plan(
      "problems = [\"branin\", \"levy3\"]\nseeds = 4\n[vary]\nmodel.num_inducing = [10, 20]\n"
      "[method.a]\n[method.random]\n");
  ASSERT_EQ(made.cases.size(), 8);
  EXPECT_EQ(made.num_runs(), 32);
  EXPECT_EQ(made.name, "b");
  EXPECT_EQ(made.cases[0].problem, "branin");
  EXPECT_EQ(made.cases[0].method, "a, num_inducing = 10");
  EXPECT_EQ(made.cases[7].method, "random, num_inducing = 20");
  EXPECT_EQ(made.cases[7].file.study.method(), Method::random);
  EXPECT_EQ(test::model_of(made.cases[7].file.study).num_inducing, 20);
  EXPECT_EQ(made.cases[0].file.study.method(), Method::automatic);
}

// [study] < [problem.NAME] < [method.NAME] < --set
TEST_F(BenchPlanTest, TheNearerKeyWins) {
  const std::string text =
      "problems = [\"branin\"]\n[study]\nbudget = { batch = 1, evaluations = 11, initial = 1 }\nmodel.alpha = 1\n"
      "[problem.branin]\nstuck = 0.5\nbudget = { evaluations = 12, initial = 2 }\n"
      "[method.m]\nbudget.initial = 3\n";
  const BenchCase made = plan(text, {.set = {{"model.alpha", "4"}}}).cases.at(0);
  EXPECT_EQ(made.file.budget.batch, 1);
  EXPECT_EQ(made.file.budget.evaluations, 12);
  EXPECT_EQ(made.file.study.num_initial, 3);
  EXPECT_EQ(test::model_of(made.file.study).alpha, 4);
  EXPECT_EQ(made.stuck, 0.5);
}

TEST_F(BenchPlanTest, InitialPointsGrowWithTheDimensions) {
  const BenchPlan made =
      plan("problems = [\"branin\", \"hartmann6\"]\n[method.m]\nbudget = { batch = 1, initial = \"d + 4\" }\n");
  EXPECT_EQ(made.cases[0].file.study.num_initial, 6);
  EXPECT_EQ(made.cases[1].file.study.num_initial, 10);
}

TEST_F(BenchPlanTest, QuickIsMergedOverTheRest) {
  const std::string text =
      "problems = [\"branin\", \"hartmann6\"]\nseeds = 30\n[study]\nbudget = { batch = 7, evaluations = 700 "
      "}\n[method.a]\n[method.b]\n"
      "[quick]\nproblems = [\"branin\"]\nmethods = [\"a\"]\nseeds = 2\nstudy.budget.evaluations = 14\n";
  EXPECT_EQ(plan(text).num_runs(), 120);
  const BenchPlan made = plan(text, {.quick = true});
  EXPECT_EQ(made.num_runs(), 2);
  EXPECT_EQ(made.cases[0].file.budget.batch, 7);
  EXPECT_EQ(made.cases[0].file.budget.evaluations, 14);
}

TEST_F(BenchPlanTest, SettingsTellRunsApartAndTheSeedDoesNot) {
  const std::string text = "problems = [\"branin\"]\n[method.m]\n";
  const std::string plain = plan(text).cases[0].settings;
  EXPECT_EQ(plan(text, {.first_seed = 5}).cases[0].settings, plain);
  EXPECT_NE(plan(text, {.set = {{"model.alpha", "1"}}}).cases[0].settings, plain);
}

TEST_F(BenchPlanTest, EveryMistakeNamesItsPlace) {
  const auto message = [&](const std::string& text) {
    try {
      (void)plan(text);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const auto says = [](const std::string& text, const std::string& word) {
    EXPECT_NE(text.find(word), std::string::npos) << text << "\nlacks " << word;
  };
  says(message("seeds = 3\n"), "problems");
  says(message("problems = [\"branin\"]\nseeds = 0\n"), "b.toml:2:9: seeds");
  says(message("problems = [3]\n"), "b.toml:1:13: problems");
  says(message("problems = [\"branin\", \"branin\"]\n"), "twice");
  says(message("problems = [\"branin\"]\nsedes = 3\n"), "did you mean \"seeds\"");
  says(message("problems = [\"branin\"]\n[problem.levy3]\nstuck = 1\n"), "problem.levy3");
  says(message("problems = [\"branin\"]\n[problem.branin]\nstuck = -1\n"), "b.toml:3:9: problem.branin.stuck");
  says(message("problems = [\"branin\"]\n[method.m]\nseed = 1\n"), "b.toml:3:8: method.m.seed");
  says(message("problems = [\"branin\"]\n[method.m]\nmethod = \"tompson\"\n"), "did you mean \"thompson\"");
  says(message("problems = [\"branin\"]\n[vary]\nmodel.alpha = 3\n"), "vary.model.alpha");
  says(message("problems = [\"branin\"]\nmethods = [\"nobody\"]\n"), "no method \"nobody\"");
}

}  // namespace
}  // namespace salvo

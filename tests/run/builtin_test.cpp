#include "run/builtin.h"

#include <gtest/gtest.h>
#include <salvo/run.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/folder.h"
#include "support/options.h"

namespace salvo {
namespace {

RunOptions builtin(std::int64_t evaluations, std::optional<double> noise_variance = {}) {
  RunOptions options;
  options.objective.builtin = "branin";
  options.objective.noise_variance = noise_variance;
  options.budget = {.batch = 10, .evaluations = evaluations};
  return options;
}

std::vector<double> values(Study& study) {
  std::vector<double> out;
  for (const Trial& trial : study.trials()) out.push_back(trial.value().value());
  return out;
}

TEST(Builtin, WithoutNoiseIsTheTrueValue) {
  Study study = Study::create(test::small_branin(), ":memory:");
  run(study, builtin(25, 0));
  const Problem branin = problem("branin");
  for (const Trial& trial : study.trials()) EXPECT_EQ(trial.value(), branin.value(trial.params));
}

TEST(Builtin, RunsAreReproducibleAndSeedsDiffer) {
  Study a = Study::create(test::small_branin(1), ":memory:"), b = Study::create(test::small_branin(1), ":memory:");
  Study c = Study::create(test::small_branin(2), ":memory:");
  for (Study* study : {&a, &b, &c}) EXPECT_EQ(run(*study, builtin(30)).end, RunEnd::budget_spent);
  EXPECT_EQ(values(a), values(b));
  EXPECT_NE(values(a), values(c));
}

TEST(Builtin, NoiseHasTheVarianceAskedFor) {
  ObjectiveOptions objective;
  objective.builtin = "branin";
  objective.noise_variance = 4;
  const StudyOptions study = test::small_branin();
  const runner::Builtin f(objective, study);
  Trial trial;
  trial.params = {1.0, 2.0};
  const double truth = problem("branin").value(trial.params);
  const int n = 4000;
  double sum = 0, squares = 0;
  for (trial.id = 1; trial.id <= n; ++trial.id) {
    const double noise = f(trial).outputs[0] - truth;
    sum += noise;
    squares += noise * noise;
  }
  // Five standard errors: 2/√n of the mean, 4·√(2/n) of the variance.
  EXPECT_NEAR(sum / n, 0, 5 * 2 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 4, 5 * 4 * std::sqrt(2.0 / n));
}

TEST(Builtin, AsynchronousRunsSpendTheBudgetToo) {
  Study study = Study::create(test::small_branin(), ":memory:");
  RunOptions options = builtin(17);
  options.objective.schedule = Schedule::async;
  options.objective.workers = 4;
  run(study, options);
  EXPECT_EQ(study.counts().done, 17);
}

TEST(Builtin, StopsBetweenBatchesAndGoesOnAsIfNothingHadHappened) {
  Study whole = Study::create(test::small_branin(), ":memory:"), broken = Study::create(test::small_branin(), ":memory:");
  run(whole, builtin(40));
  std::atomic<int> stop = 0;
  RunOptions options = builtin(40);
  options.stop = &stop;
  options.progress = [&](const RunProgress& progress) {
    if (progress.evaluations == 20) stop = 1;
  };
  EXPECT_EQ(run(broken, options).end, RunEnd::stopped);
  EXPECT_EQ(broken.counts().done, 20);
  stop = 0;
  options.progress = nullptr;
  EXPECT_EQ(run(broken, options).end, RunEnd::budget_spent);
  EXPECT_EQ(values(whole), values(broken));
}

StudyOptions options_of(const std::string& problem) {
  return parse_study_file("[objective]\nbuiltin = \"" + problem + "\"\n[budget]\nbatch = 6\nevaluations = 12\n", "a.toml").study;
}

TEST(Builtin, GivesEveryOutputOfItsProblem) {
  const StudyOptions options = options_of("pressure_vessel");
  EXPECT_EQ(options.outputs, problem("pressure_vessel").outputs);
  Study study = Study::create(options, ":memory:");
  RunOptions run_options = builtin(12);
  run_options.objective.builtin = "pressure_vessel";
  EXPECT_EQ(run(study, run_options).end, RunEnd::budget_spent);
  const Problem vessel = problem("pressure_vessel");
  for (const Trial& trial : study.trials())
    EXPECT_EQ(std::get<Values>(trial.outcome.value()).outputs, vessel.values(trial.params));
}

// Names of outputs and parameters are such as a study may have.
TEST(Builtin, EveryProblemMakesAStudy) {
  for (const std::string& name : problem_names()) {
    const StudyOptions options = options_of(name);
    EXPECT_NO_THROW(options.validate()) << name;
    ObjectiveOptions objective;
    objective.builtin = name;
    EXPECT_NO_THROW(runner::Builtin(objective, options)) << name;
  }
}

// A study may want some of the outputs, in an order of its own; each has the noise that is its own.
TEST(Builtin, FindsTheOutputsByTheirNames) {
  StudyOptions options = options_of("vehicle_safety_noisy");
  ObjectiveOptions objective;
  objective.builtin = "vehicle_safety_noisy";
  const Trial trial{.id = 3, .params = Params(5, 2.0)};
  const Values all = runner::Builtin(objective, options)(trial);
  std::swap(options.outputs[0], options.outputs[2]);
  options.outputs.pop_back();
  EXPECT_EQ(runner::Builtin(objective, options)(trial).outputs, (std::vector<double>{all.outputs[2], all.outputs[1]}));
  const std::vector<double> truth = problem("vehicle_safety").values(trial.params);
  EXPECT_EQ(runner::Builtin(objective, options).true_values(trial.params), (std::vector<double>{truth[2], truth[1]}));
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_NE(all.outputs[i], truth[i]);
  options.outputs[0].name = "colour";
  EXPECT_THROW(runner::Builtin(objective, options), std::invalid_argument);
}

}  // namespace
}  // namespace salvo

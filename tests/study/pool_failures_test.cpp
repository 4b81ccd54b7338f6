// Candidates that fail, as a user of a study over a pool sees it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <salvo/random.h>
#include <salvo/study.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/folder.h"

namespace salvo::pool_failures {
namespace {

constexpr int kSide = 40;

// Of the unit square: (i + ½)/40 in either direction.
Pool square() {
  std::vector<float> rows;
  for (int i = 0; i < kSide * kSide; ++i)
    for (const int at : {i % kSide, i / kSide}) rows.push_back((static_cast<float>(at) + 0.5F) / kSide);
  return Pool::from_numbers(std::move(rows), {"x", "y"}, {});
}

using Fails = std::function<bool(double, double, std::int64_t)>;

bool at_the_left(double x, double, std::int64_t) { return x < 0.3; }
bool never(double, double, std::int64_t) { return false; }
bool by_chance(double, double, std::int64_t row) { return Key(7).uniform(static_cast<std::uint64_t>(row)) < 0.5; }

// The best that works lies at the edge of what fails.
double cost(double x, double y) { return x + std::pow(y - 0.6, 2); }
const double kBest = cost(0.3125, 0.5875);

const std::vector<Output> kOne = one_objective(Direction::minimize);
const std::vector<Output> kTwo = {{"cost", Objective{Direction::minimize}}, {"size", Objective{Direction::minimize}}};

StudyOptions options_for(std::vector<Output> outputs, FailureUse use, std::uint64_t seed = 1) {
  const PoolModelOptions model{.kernel = PoolKernelType::matern52, .num_inducing = 100, .num_features = 128, .failures = use};
  return {.outputs = std::move(outputs), .seed = seed, .batch = 10, .search = PoolSearch{.pool = square(), .model = model}};
}

void tell_all(Study& study, const Fails& fails) {
  const Pool& pool = *study.options().pool();
  std::vector<Told> outcomes;
  for (const Trial& trial : study.ask(10)) {
    const std::int64_t row = pool.find(to_string(trial.params[0]));
    const double x = static_cast<double>(pool.numbers(row)[0]), y = static_cast<double>(pool.numbers(row)[1]);
    std::vector<double> values = {cost(x, y), (1 - y) * (1 - y) + 0.2 * x};
    values.resize(study.options().outputs.size());
    outcomes.push_back(fails(x, y, row) ? Told{trial.id, Failure{"it broke"}} : Told{trial.id, Values{values}});
  }
  study.tell(outcomes);
}

Study run(const std::vector<Output>& outputs, const Fails& fails, FailureUse use, int batches = 15, std::uint64_t seed = 1) {
  Study study = Study::create(options_for(outputs, use, seed), ":memory:");
  for (int n = 0; n < batches; ++n) tell_all(study, fails);
  return study;
}

std::vector<std::string> candidates_of(Study& study) {
  std::vector<std::string> out;
  for (const Trial& trial : study.trials()) out.push_back(to_string(trial.params[0]));
  return out;
}

TEST(PoolFailures, FewCandidatesFailAndTheBestAtTheEdgeIsFoundAllTheSame) {
  std::vector<std::int64_t> failed;
  for (const std::uint64_t seed : {1, 2, 3}) {
    Study study = run(kOne, at_the_left, FailureUse::learn, 15, seed);
    failed.push_back(study.counts().failed);
    EXPECT_LT(study.recommend()->trial.value().value(), kBest + 0.03);
  }
  std::sort(failed.begin(), failed.end());
  EXPECT_LE(failed[1], 30) << "a fifth, the first ten drawn from all";
  EXPECT_GT(run(kOne, at_the_left, FailureUse::ignore).counts().failed, 75);
}

TEST(PoolFailures, AreMindedWithSeveralOutputs) {
  Study learns = run(kTwo, at_the_left, FailureUse::learn), ignores = run(kTwo, at_the_left, FailureUse::ignore);
  EXPECT_LT(2 * learns.counts().failed, ignores.counts().failed);
  EXPECT_TRUE(learns.model_report()->failing);
  EXPECT_FALSE(ignores.model_report()->failing);
}

TEST(PoolFailures, WhereNothingFailsNothingChanges) {
  for (const std::vector<Output>& outputs : {kOne, kTwo}) {
    Study learns = run(outputs, never, FailureUse::learn, 5), ignores = run(outputs, never, FailureUse::ignore, 5);
    EXPECT_EQ(candidates_of(learns), candidates_of(ignores));
    EXPECT_FALSE(learns.model_report()->failing);
  }
}

TEST(PoolFailures, TheReportSaysHowManyCandidatesAreExpectedToFail) {
  Study study = run(kOne, at_the_left, FailureUse::learn, 10);
  const std::optional<ModelReport::Failing> failing = study.model_report()->failing;
  ASSERT_TRUE(failing);
  EXPECT_EQ(failing->num_failures, study.counts().failed);
  EXPECT_NEAR(failing->share, 0.3, 0.1);
  EXPECT_FALSE(failing->anywhere);
}

TEST(PoolFailures, ThatHaveNothingToDoWithTheCandidateAreNotMinded) {
  Study study = run(kOne, by_chance, FailureUse::learn, 12);
  ASSERT_TRUE(study.model_report()->failing);
  EXPECT_TRUE(study.model_report()->failing->anywhere);
}

TEST(PoolFailures, AreLearnedAlikeWhoeverOpensTheStudy) {
  const test::Folder folder;
  const std::string pool = folder.path("square.pool"), file = folder.path("failures.db");
  StudyOptions options = options_for(kOne, FailureUse::learn);
  std::get<PoolSearch>(options.search).pool.save(pool);
  std::get<PoolSearch>(options.search).pool = Pool::open(pool);
  Study whole = Study::create(options, ":memory:");
  for (int n = 0; n < 5; ++n) tell_all(whole, at_the_left);
  for (int n = 0; n < 5; ++n) {
    Study part = Study::open_or_create(options, file);
    tell_all(part, at_the_left);
  }
  Study again = Study::open(file);
  EXPECT_GT(again.counts().failed, 0);
  EXPECT_EQ(candidates_of(whole), candidates_of(again));
}

}  // namespace
}  // namespace salvo::pool_failures

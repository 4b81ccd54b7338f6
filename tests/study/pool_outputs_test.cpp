// Studies over a pool whose evaluations give several numbers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/random.h>
#include <salvo/study.h>
#include <salvo/threads.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "math/hypervolume.h"
#include "support/folder.h"

namespace salvo {
namespace {

constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN(), kUnbounded = std::numeric_limits<double>::infinity();
constexpr int kSide = 30;

// A grid of numbers x and y, 0 to 29 each.
Pool grid_pool() {
  std::vector<float> rows;
  for (int i = 0; i < kSide * kSide; ++i) rows.insert(rows.end(), {static_cast<float>(i % kSide), static_cast<float>(i / kSide)});
  return Pool::from_numbers(std::move(rows), {"x", "y"}, {});
}

struct GridJob {
  std::vector<Output> outputs;
  std::function<std::vector<double>(double, double)> f;
};

double apart(double x, double y, double a, double b) { return (x - a) * (x - a) + (y - b) * (y - b); }

// The front lies between (20, 7) and (8, 20).
GridJob two_goals() {
  return {{{"near", Objective{Direction::minimize}}, {"far", Objective{Direction::maximize}}}, [](double x, double y) {
            return std::vector{apart(x, y, 20, 7), -apart(x, y, 8, 20)};
          }};
}

// The best would be at (25, 20); of those that keep to the bound (17, 13) and (18, 12) are the nearest.
GridJob under_a_bound() {
  return {{{"cost", Objective{Direction::minimize}}, {"load", Constraint{.max = 30}}}, [](double x, double y) {
            return std::vector{apart(x, y, 25, 20), x + y};
          }};
}

StudyOptions grid_options(const GridJob& job, const Pool& pool, std::uint64_t seed, Method method = Method::automatic) {
  const PoolModelOptions model{.kernel = PoolKernelType::matern52, .num_inducing = 60, .num_features = 128};
  return {.name = "grid",
          .outputs = job.outputs,
          .seed = seed,
          .batch = 10,
          .search = PoolSearch{.pool = pool, .method = method, .model = model}};
}

std::string candidate_of(const Trial& trial) { return to_string(trial.params.at(0)); }

std::vector<double> outputs_at(const GridJob& job, const Trial& trial) {
  const int i = std::stoi(candidate_of(trial));
  return job.f(i % kSide, i / kSide);
}

void tell_grid(Study& study, const GridJob& job, const std::vector<Trial>& trials) {
  std::vector<Told> outcomes;
  for (const Trial& trial : trials) outcomes.push_back({trial.id, Values{outputs_at(job, trial)}});
  study.tell(outcomes);
}

Study run_grid(const GridJob& job, int batches, std::uint64_t seed, Method method = Method::automatic) {
  Study study = Study::create(grid_options(job, grid_pool(), seed, method), ":memory:");
  for (int i = 0; i < batches; ++i) tell_grid(study, job, study.ask(10));
  return study;
}

double volume_of(Study& study) {
  Matrix Y(0, 2);
  for (const Trial& trial : study.trials()) {
    const std::vector<double> outputs = outputs_at(two_goals(), trial);
    Y.conservativeResize(Y.rows() + 1, Eigen::NoChange);
    Y.row(Y.rows() - 1) << -outputs[0], outputs[1];
  }
  return hypervolume(Y, Vector::Constant(2, -400));
}

// Of two searches alike the first would win all of these with a chance of 2⁻⁸.
TEST(PoolOutputs, TheFrontIsFoundSoonerThanByChance) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Study search = run_grid(two_goals(), 6, seed), chance = run_grid(two_goals(), 6, seed, Method::random);
    EXPECT_GT(volume_of(search), volume_of(chance)) << seed;
  }
}

TEST(PoolOutputs, TheFrontIsWhatNoOtherBeatsAndAWeightTakesOneOfIt) {
  Study study = run_grid(two_goals(), 8, 3);
  const Front front = study.front();
  ASSERT_GT(front.points.size(), 3U);
  EXPECT_GT(front.hypervolume, 0);
  for (std::size_t i = 1; i < front.points.size(); ++i) {
    EXPECT_LT(front.points[i - 1].outputs[0].mean, front.points[i].outputs[0].mean) << "the best of the first objective first";
    EXPECT_LT(front.points[i - 1].outputs[1].mean, front.points[i].outputs[1].mean) << "and the worst of the second";
  }
  EXPECT_EQ(study.recommend({{"near", 1.0}}).value().trial.id, front.points.front().trial.id);
}

// Without noise: it keeps to the bound, and hardly a candidate that does is better.
TEST(PoolOutputs, TheBestKeepsToItsConstraint) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Study study = run_grid(under_a_bound(), 10, seed);
    const Recommendation best = study.recommend().value();
    EXPECT_TRUE(best.allowed);
    EXPECT_GE(best.feasible, 0.95);
    const std::vector<double> outputs = outputs_at(under_a_bound(), best.trial);
    EXPECT_LE(outputs[1], 30);
    int better = 0;
    for (int i = 0; i < kSide * kSide; ++i) {
      const std::vector<double> other = under_a_bound().f(i % kSide, i / kSide);
      better += other[1] <= 30 && other[0] < outputs[0] ? 1 : 0;
    }
    EXPECT_LE(better, 9) << "by chance a hundred of 496 would keep to it, and its best be the fifth of them";
  }
}

TEST(PoolOutputs, WhereNothingKeepsToTheConstraintItGoesWhereLittleIsMissed) {
  GridJob job = under_a_bound();
  job.outputs[1].role = Constraint{.max = -5};  // the least load is 0
  Study study = run_grid(job, 6, 4);
  EXPECT_FALSE(study.recommend().value().allowed);
  const std::vector<Trial> trials = study.trials();
  double least = kUnbounded, last = 0;
  for (const Trial& trial : trials) least = std::min(least, outputs_at(job, trial)[1]);
  EXPECT_EQ(outputs_at(job, study.recommend().value().trial)[1], least) << "the one that misses least";
  for (auto trial = trials.end() - 10; trial != trials.end(); ++trial) last += outputs_at(job, *trial)[1] / 10;
  EXPECT_LT(last, 15) << "on average of all it is 29";
}

// Some were not measured in every output; what a process chooses depends on the records alone.
TEST(PoolOutputs, GoesOnAlikeWhenReopenedBeforeEveryAsk) {
  const test::Folder folder;
  GridJob job = two_goals();
  job.outputs.push_back({"load", Constraint{.max = 30}});
  job.f = [](double x, double y) {
    const bool stopped = static_cast<int>(x + y) % 7 == 0;
    return std::vector{stopped ? kUnmeasured : apart(x, y, 20, 7), stopped ? kUnmeasured : -apart(x, y, 8, 20), x + y};
  };
  grid_pool().save(folder.path("p.pool"));
  const Pool mapped = Pool::open(folder.path("p.pool"));
  Study kept = Study::create(grid_options(job, mapped, 5), folder.path("kept.db"));
  (void)Study::create(grid_options(job, mapped, 5), folder.path("reopened.db"));
  for (int i = 0; i < 7; ++i) {
    const auto trials = kept.ask(10);
    tell_grid(kept, job, {trials.begin() + 4, trials.end()});
    (void)kept.recommend();  // learns, and stores nothing
    tell_grid(kept, job, {trials.begin(), trials.begin() + 4});
    Study reopened = Study::open(folder.path("reopened.db"));
    const auto same = reopened.ask(10);
    ASSERT_EQ(same.size(), trials.size());
    for (std::size_t k = 0; k < trials.size(); ++k) ASSERT_EQ(candidate_of(same[k]), candidate_of(trials[k])) << "ask " << i;
    tell_grid(reopened, job, same);
  }
  Study again = Study::open(folder.path("kept.db"));
  EXPECT_EQ(again.recommend().value().trial.id, kept.recommend().value().trial.id);
  EXPECT_EQ(again.front().hypervolume, kept.front().hypervolume);
}

// A few values lie far away, so the constraint is warped, by what it is learned from; most often it is learned because the
// objective, which is measured seldom, has grown.
TEST(PoolOutputs, GoesOnAlikeWhereAConstraintIsLearnedBesideASparseObjective) {
  const test::Folder folder;
  const GridJob job{
      {{"gain", Objective{Direction::maximize}}, {"load", Constraint{.max = 30}}}, [](double x, double y) {
        const int place = static_cast<int>(x + 7 * y);
        return std::vector{place % 3 == 0 ? -apart(x, y, 25, 20) : kUnmeasured, 30 + (x + y - 30) * (place % 7 == 0 ? 1e6 : 1.0)};
      }};
  grid_pool().save(folder.path("p.pool"));
  StudyOptions options = grid_options(job, Pool::open(folder.path("p.pool")), 5);
  std::get<PoolSearch>(options.search).model.refit_growth = 0.3;
  Study kept = Study::create(options, folder.path("kept.db"));
  (void)Study::create(options, folder.path("reopened.db"));
  for (int i = 0; i < 18; ++i) {
    const auto trials = kept.ask(10);
    tell_grid(kept, job, trials);
    Study reopened = Study::open(folder.path("reopened.db"));
    const auto same = reopened.ask(10);
    ASSERT_EQ(same.size(), trials.size());
    for (std::size_t k = 0; k < trials.size(); ++k) ASSERT_EQ(candidate_of(same[k]), candidate_of(trials[k])) << "ask " << i;
    tell_grid(reopened, job, same);
  }
}

TEST(PoolOutputs, AreTheSameOnAnyNumberOfThreads) {
  const auto asked = [](int threads) {
    set_num_threads(threads);
    Study study = run_grid(two_goals(), 4, 6);
    std::vector<std::string> out;
    for (const Trial& trial : study.trials()) out.push_back(candidate_of(trial));
    return out;
  };
  const auto one = asked(1), three = asked(3);
  set_num_threads(0);
  EXPECT_EQ(one, three);
}

TEST(PoolOutputs, HandOutEveryCandidateOnce) {
  std::vector<float> rows;
  for (int i = 0; i < 47; ++i) rows.insert(rows.end(), {static_cast<float>(i % kSide), static_cast<float>(i / kSide)});
  const GridJob job = two_goals();
  Study study = Study::create(grid_options(job, Pool::from_numbers(std::move(rows), {"x", "y"}, {}), 7), ":memory:");
  std::set<std::string> seen;
  for (int left = 47; left > 0; left -= 10) {
    const auto trials = study.ask(10);
    EXPECT_THAT(trials, ::testing::SizeIs(std::min(10, left)));
    for (const Trial& trial : trials) EXPECT_TRUE(seen.insert(candidate_of(trial)).second) << candidate_of(trial);
    tell_grid(study, job, trials);
  }
}

// A constraint that nobody has measured yet says nothing of where to go; one that is told as passed or failed does.
TEST(PoolOutputs, TestsThatArePassedOrNotAreKeptTo) {
  GridJob job = under_a_bound();
  job.outputs[1].role = passes();
  job.f = [](double x, double y) { return std::vector{apart(x, y, 25, 20), x + y <= 30 ? 1.0 : 0.0}; };
  Study study = Study::create(grid_options(job, grid_pool(), 8), ":memory:");
  std::vector<Told> first;
  for (const Trial& trial : study.ask(10)) first.push_back({trial.id, Values{{outputs_at(job, trial)[0], kUnmeasured}}});
  study.tell(first);
  for (int i = 0; i < 11; ++i) tell_grid(study, job, study.ask(10));
  const Recommendation best = study.recommend().value();
  EXPECT_EQ(outputs_at(job, best.trial)[1], 1);
  EXPECT_TRUE(best.allowed);
}

// Another bound in the study file: what was learned with the old one does not count.
TEST(PoolOutputs, AChangedBoundIsLearnedAnew) {
  const test::Folder folder;
  const GridJob job = under_a_bound();
  grid_pool().save(folder.path("p.pool"));
  const Pool mapped = Pool::open(folder.path("p.pool"));
  {
    Study study = Study::create(grid_options(job, mapped, 9), folder.path("a.db"));
    for (int i = 0; i < 5; ++i) tell_grid(study, job, study.ask(10));
  }
  StudyOptions now = grid_options(job, mapped, 9);
  now.outputs[1].role = Constraint{.max = 12};
  Study study = Study::open_or_create(now, folder.path("a.db"));
  for (int i = 0; i < 3; ++i) tell_grid(study, job, study.ask(10));
  const Recommendation best = study.recommend().value();
  EXPECT_LE(outputs_at(job, best.trial)[1], 12);
}

}  // namespace
}  // namespace salvo

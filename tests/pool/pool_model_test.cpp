#include <gtest/gtest.h>
#include <salvo/pool_model.h>
#include <salvo/threads.h>

#include <set>
#include <thread>

#include "pool/choose.h"
#include "pool/prior.h"
#include "pool/rows.h"
#include "support/pools.h"
#include "support/rows.h"

namespace salvo {
namespace {

using testing::first_rows;
using testing::pool_for;

class EveryPoolModel : public ::testing::TestWithParam<PoolKernelType> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryPoolModel, ::testing::ValuesIn(testing::kPoolKernels),
                         [](const auto& at) { return std::string(to_string(at.param)); });

struct Scene {
  Pool pool;
  PoolGp gp;
  compute::PriorFeatures prior;
};
Scene scene(PoolKernelType type, std::int64_t size, int num_observed) {
  const Pool pool = pool_for(type, size, Key(11));
  const compute::RowKernel kernel = testing::kernel_for(type, pool);
  const auto rows = first_rows(num_observed);
  Scene s{pool, PoolGp(kernel, first_rows(num_observed / 2)), draw_prior(kernel, 100, 13)};
  s.gp.add(rows, testing::objective(pool, rows, Key(12)));
  return s;
}

// Every path at every row by two loops, each sample its best that nobody before it took.
std::vector<std::int64_t> naive_choice(const PoolPaths& paths, int count, const std::vector<std::int64_t>& taken) {
  const std::int64_t N = paths.kernel->rows.size();
  std::set<std::int64_t> gone(taken.begin(), taken.end());
  std::vector<std::int64_t> out;
  std::vector<double> features(static_cast<std::size_t>(paths.width()));
  for (int b = 0; b < count; ++b) {
    compute::Ranked best{-1, 0};
    for (std::int64_t row = 0; row < N; ++row) {
      if (gone.contains(row)) continue;
      path_features(paths, row, features.data());
      const compute::Ranked at{row, path_value(paths, b, features.data())};
      if (best.row < 0 || before(at, best)) best = at;
    }
    if (best.row < 0) break;
    gone.insert(best.row);
    out.push_back(best.row);
  }
  return out;
}

TEST_P(EveryPoolModel, ChoosingEqualsTheNaiveDoubleLoop) {
  const Scene s = scene(GetParam(), 1700, 60);
  for (const double alpha : {1.0, 0.1}) {
    const PoolPaths paths = draw_pool_paths(s.gp, s.prior, 40, alpha, Key(14));
    const auto taken = first_rows(100);
    const auto expected = naive_choice(paths, 40, taken);
    for (const int threads : {1, 3}) {
      set_num_threads(threads);
      for (const bool screen : {true, false}) {
        const PoolChoice got = choose_rows(paths, 40, taken, {.screen = screen}, Key(1));
        EXPECT_EQ(got.rows, expected) << threads << " threads, screen " << screen << ", alpha " << alpha;
      }
    }
  }
  set_num_threads(0);
}

// Whole runs of rows that are taken, met first by a thread that has scored nothing yet.
TEST_P(EveryPoolModel, RowsThatAreAllTakenAreNoTrouble) {
  const Scene s = scene(GetParam(), 1700, 60);
  const PoolPaths paths = draw_pool_paths(s.gp, s.prior, 20, 0.3, Key(14));
  const auto taken = first_rows(1600);
  std::vector<std::int64_t> got;
  set_num_threads(1);
  std::thread([&] { got = choose_rows(paths, 20, taken, {}, Key(1)).rows; }).join();
  set_num_threads(0);
  EXPECT_EQ(got, naive_choice(paths, 20, taken));
}

// In subsets of their own, too, 8 bits change nothing.
TEST_P(EveryPoolModel, SubsetsAreTheSameWithAndWithoutAScreen) {
  const Scene s = scene(GetParam(), 1700, 60);
  for (const double alpha : {1.0, 0.1}) {
    const PoolPaths paths = draw_pool_paths(s.gp, s.prior, 30, alpha, Key(14));
    const auto choose = [&](bool screen) {
      return choose_rows(paths, 30, first_rows(100), {.subset = 40, .screen = screen}, Key(1));
    };
    EXPECT_EQ(choose(true).rows, choose(false).rows);
  }
}

// Without spread all samples want the same rows: each gives way to those before.
TEST_P(EveryPoolModel, SamplesThatAgreeTakeTheBestInOrder) {
  const Scene s = scene(GetParam(), 300, 60);
  const PoolPaths mean = mean_path(s.gp, s.prior);
  const std::vector<int> same(250, 0);
  const PoolPaths paths = mean.only(same);
  const auto taken = first_rows(30);
  const PoolChoice one_by_one = choose_rows(paths, 250, taken, {}, Key(1)), at_once = choose_rows(mean, 250, taken, {}, Key(1));
  EXPECT_EQ(one_by_one.rows, at_once.rows);
  for (Eigen::Index i = 1; i < at_once.values.size(); ++i) EXPECT_GE(at_once.values(i - 1), at_once.values(i));
}

TEST_P(EveryPoolModel, PathsPassThroughTheirDrawAtInducingPoints) {
  const Scene s = scene(GetParam(), 200, 60);
  const PoolPaths paths = draw_pool_paths(s.gp, s.prior, 2000, 1.0, Key(15));
  // Mean and variance over the samples at inducing points are those of q(u): no error of the features is left there.
  const auto rows = first_rows(10);
  const Prediction expected = s.gp.predict(rows);
  std::vector<double> features(static_cast<std::size_t>(paths.width()));
  for (const std::int64_t row : rows) {
    path_features(paths, row, features.data());
    double sum = 0, squares = 0;
    for (int b = 0; b < 2000; ++b) {
      const double v = path_value(paths, b, features.data());
      sum += v;
      squares += v * v;
    }
    const double mean = sum / 2000, variance = squares / 2000 - mean * mean, truth = expected.variance(row);
    EXPECT_NEAR(mean, expected.mean(row), 5 * std::sqrt(truth / 2000));
    EXPECT_NEAR(variance, truth, 5 * truth * std::sqrt(2.0 / 2000));
  }
}

TEST_P(EveryPoolModel, ACampaignThatExhaustsItsPoolTakesEveryCandidateOnce) {
  const Pool pool = pool_for(GetParam(), 260, Key(16));
  for (const std::int64_t subset : {0, 40}) {
    PoolModel model(pool, {.kernel = GetParam(), .num_inducing = 30, .num_features = 64, .subset = subset}, 5);
    std::vector<std::int64_t> seen = first_rows(20);
    for (std::uint64_t step = 0; seen.size() < 260; ++step) {
      model.learn(seen, testing::objective(pool, seen, Key(17)), Key(step));
      const PoolChoice choice = model.choose(50, seen, Key(step));
      EXPECT_EQ(choice.rows.size(), std::min<std::size_t>(50, 260 - seen.size()));
      seen.insert(seen.end(), choice.rows.begin(), choice.rows.end());
    }
    EXPECT_EQ(std::set<std::int64_t>(seen.begin(), seen.end()).size(), 260U);
    EXPECT_TRUE(model.choose(5, seen, Key(0)).rows.empty());
  }
}

TEST_P(EveryPoolModel, WhatWasLearnedMakesTheSameModelAgain) {
  const Pool pool = pool_for(GetParam(), 1500, Key(18));
  const PoolModelOptions options{.kernel = GetParam(), .num_inducing = 40, .num_features = 64};
  const auto first = first_rows(200), more = first_rows(60, 300);
  const Vector y = testing::objective(pool, first, Key(19)), z = testing::objective(pool, more, Key(20));
  PoolModel went_on(pool, options, 5);
  went_on.learn(first, y, Key(1));
  const PoolLearned learned = went_on.learned();
  went_on.add(more, z);

  PoolModel resumed(pool, options, 5);
  resumed.restore(learned);
  std::vector<std::int64_t> all = first;
  all.insert(all.end(), more.begin(), more.end());
  Vector both(y.size() + z.size());
  both << y, z;
  resumed.add(all, both);
  const PoolChoice a = went_on.choose(30, all, Key(2)), b = resumed.choose(30, all, Key(2));
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(went_on.bound(), resumed.bound());
}

TEST(PoolModel, ValuesBelowTheFloorCountAsIt) {
  const Pool pool = testing::bit_pool(60, 150, Key(3));
  const std::vector<std::int64_t> rows = first_rows(40);
  Vector y(40);
  Key(4).fill_normal({y.data(), 40});
  const auto predicted = [&](std::optional<double> floor, const Vector& values) {
    PoolModel model(pool, {.num_features = 64, .floor = floor}, 5);
    model.learn(std::span(rows).first(30), values.head(30), Key(6));
    model.add(std::span(rows).subspan(30), values.tail(10));
    return model.predict(rows).mean;
  };
  EXPECT_EQ(predicted(0.3, y), predicted(std::nullopt, y.cwiseMax(0.3)));
  EXPECT_EQ(predicted(-100, y), predicted(std::nullopt, y));
  EXPECT_NE(predicted(0.3, y), predicted(std::nullopt, y));
  EXPECT_THROW(PoolModel(pool, {.floor = std::nan("")}, 0), std::invalid_argument);
}

// Nine of ten at the top: a floor above the mean would leave nothing to be told apart.
TEST(PoolModel, TheFloorGivesWayWhereNothingWouldBeAboveIt) {
  const Pool pool = testing::bit_pool(100, 60, Key(97));
  const auto rows = first_rows(100);
  Vector y = Vector::Constant(100, 1.0 / 3);
  for (Eigen::Index i = 0; i < 100; i += 10) y(i) = -3;  // mean 0, variance 1
  PoolModel model(pool, {.num_features = 64}, 1);
  model.learn(rows, y, Key(98));
  EXPECT_EQ(model.learned().floor, 0.0);
  const Vector mean = model.predict(rows).mean;
  EXPECT_GT(mean.maxCoeff() - mean.minCoeff(), 0.1);
  y.tail(50).setConstant(2);
  model.learn(rows, y, Key(98));
  EXPECT_EQ(model.learned().floor, 0.5);
}

TEST(PoolModel, FindsTheGoodCandidates) {
  const Pool pool = testing::bit_pool(3000, 64, Key(21));
  const auto all = first_rows(3000);
  const Vector truth = testing::objective(pool, all, Key(22));
  std::vector<double> sorted(truth.begin(), truth.end());
  std::sort(sorted.begin(), sorted.end());
  const double good = sorted[2970];  // the top 1%
  for (const PoolKernelType kernel : {PoolKernelType::arccosine, PoolKernelType::tanimoto}) {
    PoolModel model(pool, {.kernel = kernel, .num_inducing = 100, .num_features = 256}, 5);
    std::vector<std::int64_t> seen = first_rows(50);
    for (std::uint64_t step = 0; step < 6; ++step) {
      Vector y(static_cast<Eigen::Index>(seen.size()));
      for (std::size_t i = 0; i < seen.size(); ++i) y(static_cast<Eigen::Index>(i)) = truth(seen[i]);
      model.learn(seen, y, Key(step));
      const PoolChoice choice = model.choose(50, seen, Key(step));
      seen.insert(seen.end(), choice.rows.begin(), choice.rows.end());
    }
    int found = 0;
    for (const std::int64_t row : seen) found += truth(row) >= good ? 1 : 0;
    EXPECT_GT(found, 12) << to_string(kernel);  // 350 of 3000 at random hold 3.5 of the 30
  }
}

TEST(PoolModel, SaysWhatIsWrong) {
  const Pool bits = testing::bit_pool(20, 64, Key(23));
  EXPECT_THROW(PoolModel(bits, {.kernel = PoolKernelType::matern52}, 0), std::invalid_argument);
  EXPECT_THROW(PoolModel(bits, {.num_inducing = -1}, 0), std::invalid_argument);
  EXPECT_THROW(PoolModel(bits, {.alpha = -1}, 0), std::invalid_argument);
  PoolModel model(bits, {}, 0);
  EXPECT_THROW(static_cast<void>(model.choose(1, {}, Key(0))), std::logic_error);
  const std::vector<std::int64_t> outside{20}, row{3};
  EXPECT_THROW(model.learn(outside, Vector::Ones(1), Key(0)), std::invalid_argument);
  EXPECT_THROW(model.learn(row, Vector::Constant(1, std::nan("")), Key(0)), std::invalid_argument);
  EXPECT_THROW(model.learn(row, Vector::Ones(2), Key(0)), std::invalid_argument);
  EXPECT_THROW(model.learn({}, Vector(), Key(0)), std::invalid_argument);
  EXPECT_THROW(model.restore({}), std::invalid_argument);
  model.learn(row, Vector::Ones(1), Key(0));
  EXPECT_EQ(model.choose(1, row, Key(0)).rows.size(), 1U);
  EXPECT_THROW(static_cast<void>(parse<PoolKernelType>("cosine")), std::invalid_argument);
}

// Data drawn from Tᵖ without noise: what is learned explains them at least as well as the start does, and a rough function
// gets a higher power than a smooth one.
TEST(PoolModel, LearnsThePowerOfTheSimilarity) {
  const Pool pool = testing::bit_pool(260, 60, Key(91));
  const std::vector<std::int64_t> rows = testing::first_rows(260);
  int learned[2] = {};
  for (int i = 0; i < 2; ++i) {
    const compute::RowKernel kernel{.rows = rows_of(pool), .over_bits = compute::BitKernel::tanimoto, .power = i == 0 ? 1 : 8};
    const compute::PriorFeatures features = draw_prior(kernel, 2048, 4);
    std::vector<double> w(2048);
    Key(92).fill_normal(w);
    Vector y(260), phi(2048);
    for (Eigen::Index r = 0; r < y.size(); ++r) {
      feature_row(features, kernel.rows, r, phi.data());
      y(r) = features.scale * phi.dot(Eigen::Map<const Vector>(w.data(), 2048));
    }
    PoolModel model(pool, {.kernel = PoolKernelType::tanimoto, .floor = {}}, 1);
    model.learn(rows, y, Key(93));
    learned[i] = model.learned().power;
    const auto evidence = [&](int power) {
      const compute::RowKernel at{.rows = kernel.rows, .over_bits = compute::BitKernel::tanimoto, .power = power};
      return exact_scales(at, rows, y, {0.05, 1e3, 1e-4, 2.0, 5.0}, {}, 0.03).bound;
    };
    EXPECT_GE(evidence(learned[i]), evidence(1)) << "case " << i;
    PoolLearned local = model.learned();  // from the other end it comes down again, where the data say so
    local.power = 8;
    model.restore(local);
    model.learn(rows, y, Key(93));
    EXPECT_GE(evidence(model.learned().power), evidence(8)) << "case " << i;
    if (i == 0) {
      EXPECT_EQ(model.learned().power, learned[i]);
    }
  }
  EXPECT_LT(learned[0], learned[1]);
}

// What is learned comes from the exact evidence: how many inducing points the posterior has does not matter.
TEST(PoolModel, WhatIsLearnedOfBitsDoesNotDependOnTheNumberOfInducingPoints) {
  const Pool pool = testing::bit_pool(400, 60, Key(94));
  const auto rows = first_rows(300);
  const Vector y = testing::objective(pool, rows, Key(95));
  for (const PoolKernelType kernel : {PoolKernelType::arccosine, PoolKernelType::tanimoto}) {
    PoolModel exact(pool, {.kernel = kernel, .num_features = 64}, 1);
    exact.learn(rows, y, Key(96));
    const PoolLearned learned = exact.learned();
    const double best = exact.bound();
    for (const int m : {5, 60}) {
      PoolModel model(pool, {.kernel = kernel, .num_inducing = m, .num_features = 64}, 1);
      model.learn(rows, y, Key(96));
      PoolLearned some = model.learned();
      EXPECT_EQ(some.inducing.size(), static_cast<std::size_t>(m));
      EXPECT_EQ(some.power, learned.power);
      EXPECT_EQ(some.bias, learned.bias);
      some.inducing = learned.inducing;
      exact.restore(some);
      exact.add(rows, y);
      EXPECT_NEAR(exact.bound(), best, 0.1);  // the search over ρ stops at a factor of 1.03
    }
  }
}

TEST(PoolModel, AnAutomaticNumberOfInducingPointsIsExactWhereThatIsCheap) {
  EXPECT_EQ(automatic_inducing(1), 2000);
  EXPECT_EQ(automatic_inducing(500'000), 2000);
  EXPECT_EQ(automatic_inducing(1'000'000), 1000);
  EXPECT_EQ(automatic_inducing(2'300'000), 500);
  const Pool pool = testing::bit_pool(900, 100, Key(97));
  const auto rows = first_rows(700);
  PoolModel model(pool, {.num_features = 64}, 1);
  model.learn(rows, testing::objective(pool, rows, Key(98)), Key(99));
  EXPECT_GT(model.learned().inducing.size(), 690U);  // all but equal ones: 500 would be a part
  EXPECT_LT(model.theta() / model.learned().variance, 1e-2);
}

}  // namespace
}  // namespace salvo

#include "acquire/scouts.h"

#include <gtest/gtest.h>

namespace salvo {
namespace {

using Index = Eigen::Index;

// 400 observations in a corner of the square that the search has settled in, and some elsewhere, where a wide hill rises.
struct Scene {
  Encoding space{Space({{"x", Float{0, 1}}, {"y", Float{0, 1}}})};
  Matrix X;
  Vector y;
  std::vector<std::int64_t> by_trial;
  ModelOptions model;
  SparseGp gp;
  Matrix taken{0, 2};
  int size = 100;

  explicit Scene(Index in_the_corner = 400, Index elsewhere = 60) : X(in_the_corner + elsewhere, 2), y(X.rows()) {
    model.scout_share = 0.3;
    for (Index i = 0; i < X.rows(); ++i) {
      const double side = i < in_the_corner ? 0.15 : 1.0;
      for (Index e = 0; e < 2; ++e) X(i, e) = side * Key(1).uniform(static_cast<std::uint64_t>(2 * i + e));
      y(i) = i < in_the_corner ? 5.0 : hill(X.row(i));
      by_trial.push_back(i);
    }
    gp = SparseGp({{KernelType::matern52, 1.0, Vector::Constant(2, 0.05)}, 0.01, 0.0}, X.topRows(5).eval());
    gp.condition(X, y);
  }
  static double hill(const Eigen::RowVectorXd& x) { return std::exp(-8 * (x - Eigen::RowVector2d(0.8, 0.7)).squaredNorm()); }

  [[nodiscard]] Matrix sent(std::uint64_t seed = 7) const {
    Seconds seconds;
    const std::vector<bool> chosen(by_trial.size(), true);
    return scouts({.space = space,
                   .X = {X.data(), X.rows(), X.cols()},
                   .y = y,
                   .newest = X,
                   .by_trial = by_trial,
                   .chosen = chosen,
                   .gp = gp,
                   .model = model,
                   .taken = taken,
                   .size = size,
                   .batch = size,
                   .key = Key(seed),
                   .seconds = seconds});
  }
};

TEST(Scouts, GoWhereLittleWasLookedAt) {
  const Scene scene;
  const Matrix sent = scene.sent();
  // 100 members with a chance of 0.3 each: 5 deviations of 4.6.
  EXPECT_NEAR(static_cast<double>(sent.rows()), 30, 23);
  for (Index i = 0; i < sent.rows(); ++i) {
    Index near = 0;
    for (Index j = 0; j < scene.X.rows(); ++j) near += ((scene.X.row(j) - sent.row(i)).cwiseAbs().maxCoeff() < 0.1) ? 1 : 0;
    EXPECT_LE(near, 60);
  }
}

// They see a hill from beside it, whatever the wells are like that the rest of the batch goes by.
TEST(Scouts, ClimbTheHillThatNobodyHasClimbed) {
  const Matrix sent = Scene().sent();
  ASSERT_GT(sent.rows(), 0);
  double height = 0;
  for (Index i = 0; i < sent.rows(); ++i) height += Scene::hill(sent.row(i)) / static_cast<double>(sent.rows());
  EXPECT_GT(height, 0.8);  // a uniform point has π/8 = 0.39 at most
}

TEST(Scouts, NoneGoBeforeThereIsACrowdOrWhereAllIsCrowded) {
  EXPECT_EQ(Scene(0, 60).sent().rows(), 0) << "nothing was looked at often";
  EXPECT_EQ(Scene(400, 0).sent().rows(), 0) << "there is nothing to go by";
  EXPECT_EQ(Scene(0, 20'000).sent().rows(), 0) << "all was looked at often";
}

TEST(Scouts, DoNotDependOnTheOrderOfTelling) {
  Scene told;
  const Matrix expected = told.sent();
  const Matrix X = told.X;
  const Vector y = told.y;
  for (Index i = 0; i < X.rows(); ++i) {  // told in reverse, by the same trials
    const Index other = X.rows() - 1 - i;
    told.X.row(i) = X.row(other);
    told.y(i) = y(other);
    told.by_trial[static_cast<std::size_t>(i)] = other;
  }
  EXPECT_EQ(told.sent(), expected);
}

TEST(Scouts, KeepOffWhatIsTaken) {
  Scene scene;
  scene.taken = scene.sent();
  const Matrix others = scene.sent();
  ASSERT_EQ(others.rows(), scene.taken.rows());
  for (Index i = 0; i < others.rows(); ++i)
    for (Index j = 0; j < i; ++j) EXPECT_NE(others.row(i), others.row(j));
  for (Index i = 0; i < others.rows(); ++i)
    for (Index j = 0; j < scene.taken.rows(); ++j) EXPECT_NE(others.row(i), scene.taken.row(j));
}

// Of 47,000 observations 20,000 are counted: the corner is crowded, and another place with a tenth of all.
TEST(Scouts, FindTheCrowdsAmongMany) {
  Scene scene(45'000, 2000);
  const Eigen::RowVector2d other(0.05, 0.5), half(0.075, 0.075);
  for (Index i = 0; i < 45'000; i += 10) scene.X.row(i) += other;
  const Matrix sent = scene.sent();
  ASSERT_GT(sent.rows(), 0);
  for (Index i = 0; i < sent.rows(); ++i) {
    EXPECT_GT(sent.row(i).maxCoeff(), 0.15);
    EXPECT_GT((sent.row(i) - other - half).cwiseAbs().maxCoeff(), 0.075);
  }
}

TEST(Scouts, TheirNumberIsAShareOfTheBatchWithinReason) {
  EXPECT_EQ(num_scouts(0, 1000, Key(1)), 0);
  EXPECT_EQ(num_scouts(1, 7, Key(1)), 7);
  int singles = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) singles += num_scouts(0.1, 1, Key(i));
  EXPECT_NEAR(singles, 100, 5 * std::sqrt(1000 * 0.1 * 0.9));
  EXPECT_EQ(num_scouts(0.1, 1'000'000, Key(1)), 1000);
}

}  // namespace
}  // namespace salvo

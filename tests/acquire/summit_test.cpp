#include "acquire/summit.h"

#include <gtest/gtest.h>
#include <salvo/paths.h>

#include <cmath>

#include "sample/taken.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

// Noisy values of two hills, the higher one at (0.7, 0.6).
struct Hills {
  Encoding space;
  Matrix X{200, 2};
  Vector y{200};
  ModelOptions model;
  SparseGp gp;
  Matrix taken{0, 2};

  explicit Hills(Space of = Space({{"x", Float{0, 1}}, {"y", Float{0, 1}}})) : space(std::move(of)) {
    model.summit_share = 1;
    Vector noise(X.rows());
    Key(2).fill_normal({noise.data(), static_cast<std::size_t>(noise.size())});
    for (Index i = 0; i < X.rows(); ++i) {
      for (Index e = 0; e < 2; ++e) X(i, e) = Key(1).uniform(static_cast<std::uint64_t>(2 * i + e));
      space.snap({X.row(i).data(), 2});
      y(i) = hills(X.row(i)) + 0.2 * noise(i);
    }
    gp = SparseGp({{KernelType::matern52, 1.0, Vector::Constant(2, 0.3)}, 0.04, 0.0}, X.topRows(60).eval());
    gp.condition(X, y);
  }
  static double hills(const Eigen::RowVectorXd& x) {
    const auto hill = [&](double a, double b) { return std::exp(-20 * (x - Eigen::RowVector2d(a, b)).squaredNorm()); };
    return 2 * hill(0.7, 0.6) + 1.5 * hill(0.2, 0.2);
  }
  [[nodiscard]] Matrix summits(int most = 10) const {
    Seconds seconds;
    const std::vector<std::int64_t> by_trial;
    const std::vector<bool> chosen;
    return summits_of_mean({.space = space,
                            .X = {X.data(), X.rows(), X.cols()},
                            .y = y,
                            .newest = X,
                            .by_trial = by_trial,
                            .chosen = chosen,
                            .gp = gp,
                            .model = model,
                            .taken = taken,
                            .size = 10,
                            .batch = 10,
                            .key = Key(3),
                            .seconds = seconds},
                           taken, most);
  }
};

TEST(Summit, NothingNearbyHasAHigherMean) {
  const Hills scene;
  const Matrix found = scene.summits();
  ASSERT_GE(found.rows(), 2);
  for (Index k = 0; k < found.rows(); ++k) {
    const double height = scene.gp.predict_mean(found.row(k))(0);
    for (std::uint64_t i = 0; i < 100; ++i) {
      Matrix near = found.row(k);
      for (Index e = 0; e < 2; ++e)
        near(0, e) = std::clamp(near(0, e) + 0.02 * (Key(4).uniform(2 * i + static_cast<std::uint64_t>(e)) - 0.5), 0.0, 1.0);
      // A climb ends where a step promises less than its tolerance: far less than the noise's deviation of 0.2.
      EXPECT_LE(scene.gp.predict_mean(near)(0), height + 1e-3);
    }
  }
}

TEST(Summit, TheFirstIsTheHighestAndNoneIsLowerThanWhatItBeganWith) {
  const Hills scene;
  const Matrix found = scene.summits();
  const Vector means = scene.gp.predict_mean(found);
  EXPECT_GE(means(0), scene.gp.predict_mean(scene.X).maxCoeff());
  for (Index k = 1; k < means.size(); ++k) EXPECT_LE(means(k), means(k - 1) + 1e-12);
  EXPECT_LT((found.row(0) - Eigen::RowVector2d(0.7, 0.6)).norm(), 0.1);
}

TEST(Summit, EachHasAHillOfItsOwnAndNoneIsTaken) {
  Hills scene;
  const Matrix found = scene.summits();
  for (Index a = 0; a < found.rows(); ++a)
    for (Index b = 0; b < a; ++b) EXPECT_GE((found.row(a) - found.row(b)).norm(), 0.15);
  scene.taken = found.topRows(1);
  const Matrix others = scene.summits();
  for (Index k = 0; k < others.rows(); ++k) EXPECT_NE(others.row(k), found.row(0));
  EXPECT_EQ(scene.summits(1).rows(), 1);
  EXPECT_EQ(scene.summits(0).rows(), 0);
}

TEST(Summit, OfAFiniteSpaceItIsTheBestFreePoint) {
  const Ordinal levels{{0.0, 0.25, 0.5, 0.75, 1.0}};
  Hills scene(Space({{"x", levels}, {"y", levels}}));
  const Matrix first = scene.summits(1);
  EXPECT_EQ(first.row(0), Eigen::RowVector2d(0.75, 0.5));
  scene.taken = first;
  EXPECT_NE(scene.summits(1).row(0), first.row(0));
}

TEST(Summit, MembersGoThereWithTheChanceGiven) {
  EXPECT_EQ(num_summits(0, 1000, Key(1)), 0);
  EXPECT_EQ(num_summits(1, 7, Key(1)), 7);
  EXPECT_NEAR(num_summits(0.1, 10'000, Key(1)), 1000, 150);  // 5 deviations of 30
}

}  // namespace
}  // namespace salvo

#include "acquire/other_choices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace salvo {
namespace {

using Index = Eigen::Index;

// 60 observations with the first choice, which has a hill, and few with the others: 6 and 12.
struct Settled {
  Encoding space{Space({{"x", Float{0, 1}}, {"kind", Categorical{{std::string("a"), std::string("b"), std::string("c")}}}})};
  Matrix X{78, 4};
  Vector y{78};
  ModelOptions model;
  SparseGp gp;
  Matrix taken{0, 4};

  Settled() {
    model.alpha = 1.0;
    for (Index i = 0; i < X.rows(); ++i) {
      const Index kind = i < 60 ? 0 : i < 66 ? 1 : 2;
      X.row(i).setZero();
      X(i, 0) = Key(1).uniform(static_cast<std::uint64_t>(i));
      X(i, 1 + kind) = 1;
      space.snap({X.row(i).data(), 4});
      y(i) = kind == 0 ? 3 * std::exp(-20 * std::pow(X(i, 0) - 0.4, 2)) : 0;
    }
    gp = SparseGp({{KernelType::matern52, 1.0, Eigen::Vector4d(0.2, 1, 1, 1)}, 0.01, 0.0}, X);
    gp.condition(X, y);
  }
  [[nodiscard]] Matrix members(int size, std::uint64_t key = 3) const {
    Seconds seconds;
    const std::vector<std::int64_t> by_trial;
    const std::vector<bool> chosen;
    return other_choices({.space = space,
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
                          .key = Key(key),
                          .seconds = seconds});
  }
};

int count_of(const Matrix& points, Index coordinate) { return static_cast<int>(points.col(coordinate).sum()); }

TEST(OtherChoices, TheOneThatWasTriedLeastComesFirst) {
  Settled now;
  now.model.choice_share = 1;
  const Matrix six = now.members(6);
  EXPECT_EQ(six.rows(), 6);
  EXPECT_EQ(count_of(six, 2), 6);  // now both have 12
  const Matrix more = now.members(16);
  EXPECT_EQ(count_of(more, 1), 0);
  EXPECT_EQ(count_of(more, 2), 11);
  EXPECT_EQ(count_of(more, 3), 5);
}

TEST(OtherChoices, PointsAreValidDistinctAndNotTaken) {
  Settled now;
  now.model.choice_share = 1;
  now.taken = now.members(5);
  const Matrix points = now.members(12);
  std::set<std::vector<double>> seen;
  for (const Matrix* each : {static_cast<const Matrix*>(&now.taken), &points})
    for (Index i = 0; i < each->rows(); ++i) {
      std::vector<double> x(each->row(i).begin(), each->row(i).end());
      EXPECT_TRUE(seen.insert(x).second);
      now.space.snap(x);
      EXPECT_TRUE(std::equal(x.begin(), x.end(), each->row(i).data()));
    }
}

// Each member is one with a chance of a fifth, of 1,000 members 200 ± 6·√(1000·0.2·0.8); and with fewer once every choice was
// tried ten times for each of the two parameters.
TEST(OtherChoices, AreAShareThatFades) {
  Settled now;
  now.model.choice_share = 0.2;
  int first = 0;
  for (std::uint64_t key = 0; key < 1000; ++key) first += static_cast<int>(now.members(1, key).rows());
  EXPECT_NEAR(first, 200, 76);
  now.X.bottomRows(78).col(1).setZero();
  for (Index i = 0; i < 78; ++i) now.X.row(i).tail(3) = Eigen::RowVector3d::Unit(i % 3 == 0 ? 0 : 1 + i % 2);
  now.taken = Matrix::Zero(120, 4);
  for (Index i = 0; i < 120; ++i) {  // 26 + 60 of each: less than a quarter of the share
    now.taken(i, 0) = 2.0 + static_cast<double>(i);
    now.taken(i, 2 + i % 2) = 1;
  }
  int later = 0;
  for (std::uint64_t key = 0; key < 1000; ++key) later += static_cast<int>(now.members(1, key).rows());
  EXPECT_NEAR(later, 1000 * 0.2 * 20 / 86, 6 * std::sqrt(1000 * 0.05));
}

TEST(OtherChoices, NoneWithoutACategory) {
  Settled now;
  now.model.choice_share = 1;
  now.space = Space({{"x", Float{0, 1}}, {"y", Float{0, 1}}, {"n", Int{0, 40}}, {"o", Ordinal{{1.0, 2.0, 3.0}}}});
  EXPECT_EQ(now.members(10).rows(), 0);
  EXPECT_FALSE(has_choices(Space({{"kind", Categorical{{1.0, 2.0}}}, {"f", Fixed{1.0}}})));  // nothing else to choose
}

}  // namespace
}  // namespace salvo

#include "sample/around.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sample/path_functions.h"
#include "support/data.h"

namespace salvo {
namespace {

// Length-scales 0.3, 0.15, 0.1, …
Vector ell(int d) { return 0.3 / Vector::LinSpaced(d, 1, d).array(); }
const Eigen::RowVector2d kHalf = 0.2 * ell(2).transpose();
const Encoding kSquare(Space({{"x", Float{0, 1}}, {"y", Float{0, 1}}}));
const Eigen::RowVectorXd kCentre = Eigen::RowVectorXd::Constant(2, 0.5);
const Matrix kNone(0, 2);

Paths some_paths(int B, int d = 2) {
  const Matrix X = testing::uniform(40, d, Key(1));
  Hyperparameters h;
  h.kernel = {KernelType::matern32, 1.0, ell(d)};
  h.noise = 0.1;
  SparseGp gp(h, X);
  gp.condition(X, X.rowwise().sum());
  return draw_paths(gp, {.num_paths = B, .num_features = 200}, Key(2));
}

bool in_box(const Eigen::RowVectorXd& x, const Eigen::RowVectorXd& centre) {
  return ((x - centre).cwiseAbs().array() <= kHalf.array()).all() && (x.array() >= 0).all() && (x.array() <= 1).all();
}

TEST(Around, OnlyThoseInTheBasinMoveAndIntoTheBox) {
  const int B = 200;
  const Matrix before = testing::uniform(B, 2, Key(3));
  for (const Eigen::RowVectorXd& centre : {kCentre, Eigen::RowVectorXd(Eigen::RowVectorXd::Zero(2))}) {
    Matrix after = before;
    look_around(PathFunctions(some_paths(B)), kSquare, centre, 1, kNone, after, Key(4));
    for (int b = 0; b < B; ++b) {
      if ((before.row(b) - centre).cwiseQuotient(ell(2).transpose()).norm() < 1)
        EXPECT_TRUE(in_box(after.row(b), centre)) << b;
      else
        EXPECT_EQ(after.row(b), before.row(b)) << b;
    }
  }
}

TEST(Around, TheShareIsTheProbability) {
  const int B = 400;
  const Matrix before = kCentre.replicate(B, 1) + 0.01 * testing::uniform(B, 2, Key(5));
  for (const double share : {0.0, 0.25, 1.0}) {
    Matrix after = before;
    look_around(PathFunctions(some_paths(B)), kSquare, kCentre, share, kNone, after, Key(6));
    const double moved = (after.array() != before.array()).rowwise().any().cast<double>().sum();
    EXPECT_LE(std::abs(moved - share * B), 5 * std::sqrt(share * (1 - share) * B)) << share;  // five deviations
  }
}

// The best of 50 of a continuous function's values is below the share U of the box, U the least of 50 uniform numbers: mean
// 1/51, deviation less than that, P(U > t) = (1 − t)^50. Each path has a box of its own to count in, so they are independent.
TEST(Around, AMemberTakesItsPathsBestOfAFew) {
  const int B = 100, n = 500;
  const Paths paths = some_paths(B);
  Matrix after = kCentre.replicate(B, 1);
  look_around(PathFunctions(paths), kSquare, kCentre, 1, kNone, after, Key(7));
  double sum = 0;
  for (int b = 0; b < B; ++b) {
    Matrix X = testing::uniform(n + 1, 2, Key(8).fold(static_cast<std::uint64_t>(b)));
    X = (2 * X.array() - 1).matrix() * kHalf.asDiagonal() + kCentre.replicate(n + 1, 1);
    X.row(n) = after.row(b);
    Vector f;
    paths.evaluate(X, std::vector<int>(n + 1, b), f);
    const double higher = (f.head(n).array() > f(n)).cast<double>().mean();
    EXPECT_LT(higher, 0.4) << b;  // 0.65^50 < 1e-9, and 500 counts are right up to 0.05
    sum += higher;
  }
  EXPECT_NEAR(sum / B, 1.0 / 51, 5 * (1.0 / 51 + std::sqrt(1.0 / 51 / n)) / std::sqrt(B));  // five deviations of the mean
}

TEST(Around, PointsAreDistinctAndNotTaken) {
  const int B = 60;
  Matrix first = kCentre.replicate(B, 1) + 1e-3 * testing::uniform(B, 2, Key(9));
  Matrix second = first;
  look_around(PathFunctions(some_paths(B)), kSquare, kCentre, 1, kNone, first, Key(10));
  look_around(PathFunctions(some_paths(B)), kSquare, kCentre, 1, first, second,
              Key(10));  // the same draws, but all their best are taken
  std::set<std::pair<double, double>> seen;
  for (const Matrix& batch : {first, second})
    for (int b = 0; b < B; ++b) EXPECT_TRUE(seen.insert({batch(b, 0), batch(b, 1)}).second) << b;
}

// A parameter of two numbers: all that lies around is taken, and a member stays where it is.
TEST(Around, WhereAllIsTakenNobodyMoves) {
  const double low = 1, high = std::nextafter(1, 2);
  const Encoding narrow(Space({{"x", Float{low, high}}}));
  Matrix both(2, 1), batch(1, 1);
  both << 0, 1;
  batch << 0;
  look_around(PathFunctions(some_paths(1, 1)), narrow, Eigen::RowVectorXd::Zero(1), 1, both, batch, Key(14));
  EXPECT_EQ(batch(0, 0), 0);
}

// Discrete parameters stay what they are; a space without continuous ones has nothing to look around in.
TEST(Around, DiscreteParametersStay) {
  const Encoding mixed(Space({{"x", Float{0, 1}}, {"k", Int{1, 9}}, {"c", Categorical{{"a", "b", "c"}}}}));
  const int d = mixed.num_dims();
  Paths paths = some_paths(20, d);
  paths.kernel.lengthscales.setConstant(3);  // all is one basin
  Matrix before = testing::uniform(20, d, Key(11));
  for (int b = 0; b < 20; ++b) mixed.snap({before.row(b).data(), static_cast<std::size_t>(d)});
  Matrix after = before;
  look_around(PathFunctions(paths), mixed, before.row(0), 1, Matrix(0, d), after, Key(12));
  EXPECT_TRUE((after.col(0).array() != before.col(0).array()).all());
  EXPECT_EQ(after.rightCols(d - 1), before.rightCols(d - 1));

  const Encoding finite(Space({{"k", Int{1, 9}}, {"l", Int{1, 9}}}));
  Matrix still = Matrix::Constant(5, 2, 0.5);
  look_around(PathFunctions(some_paths(5)), finite, kCentre, 1, kNone, still, Key(13));
  EXPECT_EQ(still, Matrix::Constant(5, 2, 0.5));
}

}  // namespace
}  // namespace salvo

#include <gtest/gtest.h>
#include <salvo/paths.h>

#include <cmath>

#include "support/data.h"

namespace salvo {
namespace {

const Encoding kLine(Space({{"x", Float{0, 1}}}));
constexpr double kHigh = 0.2, kLow = 0.8;  // two summits, six length-scales apart

// Paths that hardly differ from 2 exp(−(x − 0.2)²/ℓ²) + height exp(−(x − 0.8)²/ℓ²), ℓ = 0.1; the signal's deviation is 1.
Paths two_summits(double height, int B) {
  Matrix X(81, 1);
  X.col(0) = Vector::LinSpaced(81, 0, 1);
  const auto bump = [&](double at) -> Eigen::ArrayXd { return (-((X.col(0).array() - at) / 0.1).square()).exp(); };
  Hyperparameters h;
  h.kernel = {KernelType::matern52, 1.0, Vector::Constant(1, 0.1)};
  h.noise = 1e-4;
  SparseGp gp(h, X);
  gp.condition(X, (2 * bump(kHigh) + height * bump(kLow)).matrix());
  return draw_paths(gp, {.num_paths = B, .num_features = 500}, Key(1));
}

int near(const Matrix& X, double place) { return static_cast<int>(((X.col(0).array() - place).abs() < 0.1).count()); }

TEST(Spread, TheSecondSummitGetsWhatTheFirstMayNotHave) {
  const Paths paths = two_summits(1.8, 20);
  const Matrix none(0, 1);
  EXPECT_EQ(near(maximise(paths, kLine, none, {}, Key(2)), kHigh), 20);
  for (const double share : {0.25, 0.5, 0.75}) {
    const Matrix X = maximise(paths, kLine, none, {.max_share = share}, Key(2));
    EXPECT_EQ(near(X, kHigh), std::ceil(share * 20)) << share;
    EXPECT_GE(near(X, kLow), std::ceil(share * (20 - std::ceil(share * 20)))) << share;
  }
}

TEST(Spread, NobodyIsSentWhereThereIsNoHope) {
  const Paths paths = two_summits(0.8, 20);
  const Matrix none(0, 1);
  EXPECT_EQ(near(maximise(paths, kLine, none, {.max_share = 0.5}, Key(2)), kHigh), 20);  // 1.2 deviations lower: beyond reach
  EXPECT_EQ(near(maximise(paths, kLine, none, {.max_share = 0.5, .reach = 1.5}, Key(2)), kHigh), 10);
}

// So a study that asks for one point at a time spreads like one that asks for a batch.
TEST(Spread, PendingPointsCount) {
  const Paths paths = two_summits(1.8, 1);
  Matrix pending = Matrix::Constant(9, 1, kHigh) + 1e-3 * testing::uniform(9, 1, Key(3));
  EXPECT_EQ(near(maximise(paths, kLine, pending, {.max_share = 0.5}, Key(2)), kLow), 1);
  pending.topRows(5).setConstant(0.5);
  EXPECT_EQ(near(maximise(paths, kLine, pending, {.max_share = 0.5}, Key(2)), kHigh), 1);
}

TEST(Spread, OptionsAreChecked) {
  for (const double share : {0.0, -1.0, 1.1, std::nan("")})
    EXPECT_THROW((MaximiseOptions{.max_share = share}.validate()), std::invalid_argument) << share;
  for (const double reach : {-1.0, std::nan("")})
    EXPECT_THROW((MaximiseOptions{.reach = reach}.validate()), std::invalid_argument) << reach;
}

}  // namespace
}  // namespace salvo

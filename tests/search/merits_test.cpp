#include "search/merits.h"

#include <gtest/gtest.h>

#include <cmath>

namespace salvo {
namespace {

using Index = Eigen::Index;

std::vector<ObjectiveScale> scales() {
  return {{.units = {.centre = 3, .scale = 2}, .origin = 1, .span = 4},
          {.units = {.centre = -1, .scale = 0.5, .middle = 0, .width = 1}, .origin = -2, .span = 3}};
}

TEST(Directions, HaveLengthOneAndALittleOfEachObjective) {
  const Matrix all = random_directions(1000, 3, Key(2));
  for (Index b = 0; b < all.rows(); ++b) {
    EXPECT_NEAR(all.row(b).norm(), 1, 1e-12);
    EXPECT_GT(all.row(b).minCoeff(), 0.04);
  }
  // A uniform direction of three has 1/3 of its square in each: of 1000 the mean is within five deviations of √(4/45/1000); the
  // least part moves it by less than .05².
  EXPECT_LT((all.colwise().squaredNorm().array() / 1000 - 1.0 / 3).abs().maxCoeff(), 5 * std::sqrt(4.0 / 45 / 1000) + 0.0025);
}

// So its best is no point that another one beats in every objective.
TEST(Scalarised, GrowsWithEveryObjectiveAndHasTheSlopeOfItsDifferences) {
  const Scalarised merit(scales(), Vector{{-10.0, -20.0}}, random_directions(20, 2, Key(3)));
  constexpr double kStep = 1e-6;
  for (int s = 0; s < 20; ++s) {
    for (const double first : {-1.0, 0.0, 0.7, 1.5}) {
      std::vector<double> f{first, 0.3 * s / 10 - 0.2}, slope(2);
      const double value = merit.value(s, f, slope);
      for (std::size_t k : {0u, 1u}) {
        std::vector<double> up = f, down = f;
        up[k] += kStep;
        down[k] -= kStep;
        const double difference = (merit.value(s, up, {}) - merit.value(s, down, {})) / (2 * kStep);
        EXPECT_GT(merit.value(s, up, {}), value);
        // A smooth least of width .05 of shares over parts of .05 at least bends by 1/.05 · (1/.05)² at most.
        EXPECT_NEAR(slope[k], difference, 1e-5 * std::max(1.0, slope[k]));
      }
    }
  }
}

TEST(Scalarised, IsTheSameOfPathsAndOfTheirValues) {
  const std::vector<ObjectiveScale> scale = scales();
  const Scalarised merit(scale, Vector{{-10.0, -20.0}}, random_directions(4, 2, Key(4)));
  const std::vector<double> f{0.4, -0.6};
  const std::vector<double> values{scale[0].units.from_model(f[0]), scale[1].units.from_model(f[1])};
  for (int s = 0; s < 4; ++s) EXPECT_NEAR(merit.value(s, f, {}), merit.of_values(s, values), 1e-12);
}

std::vector<ObjectiveScale> plain_scales() {
  return {{.units = {}, .origin = 0, .span = 1}, {.units = {}, .origin = 0, .span = 1}};
}

// What a member adds is the hypervolume with it less the hypervolume without, over what it adds where it begins.
TEST(Gained, IsTheHypervolumeThatIsAdded) {
  const Matrix front{{0.2, 0.9}, {0.6, 0.5}, {0.9, 0.1}};
  const Vector reference{{-0.5, -0.5}};
  Gained gained(plain_scales(), front, reference);
  const Matrix shares{{0.1, 0.1}, {0.7, 0.7}, {1.2, 0.0}};
  const std::vector<bool> all(3, true);
  const auto with = [&](const Matrix& known, const Eigen::RowVectorXd& y) {
    Matrix more(known.rows() + 1, 2);
    more.topRows(known.rows()) = known;
    more.bottomRows(1) = y;
    return more;
  };
  EXPECT_EQ(gained.next_member(shares, {}, all), 1);  // counts from 0, a little below the worst of the front
  EXPECT_EQ(gained.next_member(shares, {1}, all), 2) << "from far below; the first has taken the middle";
  const Vector near = Vector::Zero(2);
  const double unit = hypervolume(with(front, shares.row(1)), near) - hypervolume(front, near);
  const Eigen::RowVectorXd y{{0.65, 0.8}};
  const std::vector<double> there{0.65, 0.8};
  EXPECT_NEAR(gained.value(0, there, {}), (hypervolume(with(front, y), near) - hypervolume(front, near)) / unit, 1e-12);
}

TEST(Gained, AMemberBeginsWhereItIsAllowedTo) {
  Gained gained(plain_scales(), Matrix(0, 2), Vector::Constant(2, -0.5));
  const Matrix shares{{0.9, 0.9}, {0.2, 0.2}};
  EXPECT_EQ(gained.next_member(shares, {}, {false, true}), 1);
  EXPECT_EQ(gained.next_member(shares, {}, {false, false}), -1);
}

}  // namespace
}  // namespace salvo

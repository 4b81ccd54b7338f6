#include "search/known_noise.h"

#include <gtest/gtest.h>

#include "search/leaders.h"
#include "search/observations.h"
#include "search/repeats.h"
#include "support/data.h"

namespace salvo {
namespace {

// Values 1, 2, …, each with its standard error; negative: none.
Results results(const std::vector<double>& sds) {
  Results out;
  for (std::size_t i = 0; i < sds.size(); ++i) {
    const auto id = static_cast<std::int64_t>(i) + 1;
    Values values{{static_cast<double>(id)}};
    if (sds[i] >= 0) values.others[kStandardError] = sds[i];
    out.add({.id = id, .sequence = id, .params = {}, .outcome = values}, static_cast<double>(id));
  }
  return out;
}

TEST(KnownNoise, RatiosAreThoseOfTheVariancesAndTheMedianIsOne) {
  const Results data = results({0.1, 0.2, 0.4, -1});
  const KnownNoise noise(data, 4, Anchor{.centre = 2, .scale = 10});
  EXPECT_TRUE(noise.mostly());
  EXPECT_NEAR(noise.typical(), 0.02 * 0.02, 1e-12);  // in units of 10
  EXPECT_NEAR(noise.ratio(0), 0.25, 1e-12);
  EXPECT_NEAR(noise.ratio(1), 1, 1e-12);
  EXPECT_NEAR(noise.ratio(2), 4, 1e-12);
  EXPECT_EQ(noise.ratio(3), 1);  // nobody knows: like the usual one
}

TEST(KnownNoise, WithoutAnyThereIsNoRatioAtAll) {
  for (const Results& data : {results({-1, -1, -1}), results({0, 0, 0})}) {
    const KnownNoise noise(data, 3, Anchor{});
    const std::vector<std::int64_t> rows{0, 1, 2};
    EXPECT_TRUE(noise.none());
    EXPECT_FALSE(noise.mostly());
    EXPECT_EQ(noise.ratios(rows).size(), 0);
  }
}

TEST(KnownNoise, WhatCannotBeIsBounded) {
  const Results data = results({0, 1, 1, 1e300, 1});
  const KnownNoise noise(data, 5, Anchor{});
  EXPECT_GT(noise.ratio(0), 0);
  EXPECT_LT(noise.ratio(0), 1e-3);
  EXPECT_TRUE(std::isfinite(noise.ratio(3)));
  EXPECT_GT(noise.ratio(3), 1e3);
  EXPECT_FALSE(KnownNoise(results({1, -1, -1, -1}), 4, Anchor{}).mostly());
}

// Where values are squeezed, an error far below the middle is one of a small part of the model's unit.
TEST(KnownNoise, FollowsTheTransform) {
  const Results data = results({1, 1, 1, 1});
  const Anchor squeezed{.middle = 3, .width = 1};
  const KnownNoise noise(data, 4, squeezed);
  // d log(1 + z)/dz at z = 2 is 1/3, at z = 0 it is 1.
  EXPECT_NEAR(noise.ratio(0) / noise.ratio(2), 1.0 / 9, 1e-12);
}

TEST(KnownNoise, APointsMeanIsThatOfItsPreciseValues) {
  Matrix X(3, 1);
  X << 0.5, 0.5, 0.1;
  Vector y(3), r(3);
  y << 1, 4, 7;
  r << 0.5, 1, 2;
  const Averages seen = averages(X, y, r);
  EXPECT_NEAR(seen.mean(0), (2 * 1 + 4) / 3.0, 1e-12);
  EXPECT_NEAR(seen.count(1), 3, 1e-12);
  EXPECT_NEAR(seen.count(2), 0.5, 1e-12);
}

// One value far above all, from a measurement that was ten times as noisy: nobody would believe it.
TEST(KnownNoise, ALuckyValueOfLittlePrecisionLeadsNobody) {
  const Eigen::Index n = 80;
  const Matrix X = testing::uniform(n, 1, Key(1));
  const Vector mean = -(X.col(0).array() - 0.4).square();
  Vector y = mean + 0.02 * testing::normal(n, Key(2)), r = Vector::Ones(n);
  Eigen::Index far = 0;
  X.col(0).maxCoeff(&far);
  y(far) = 1;
  EXPECT_EQ(choose_leader(X, y, mean).row, far);  // for all that anybody knows, the model missed a peak there
  r(far) = 1000;
  EXPECT_LT(std::abs(X(choose_leader(X, y, mean, r).row, 0) - 0.4), 0.2);
}

// Errors in proportion to the values: where the objective is high they are far above the median, and still it is high.
TEST(KnownNoise, AGoodRegionOfLittlePrecisionLeadsAllTheSame) {
  const Eigen::Index n = 120;
  const Matrix X = testing::uniform(n, 1, Key(1));
  const Vector truth = 1 + 9 * (-(X.col(0).array() - 0.7).square() / 0.01).exp();
  const Vector y = truth.array() * (1 + 0.1 * testing::normal(n, Key(2)).array());
  Vector r = truth.array().square();
  std::vector<double> sorted(r.begin(), r.end());
  std::nth_element(sorted.begin(), sorted.begin() + n / 2, sorted.end());
  r /= sorted[static_cast<std::size_t>(n / 2)];
  EXPECT_LT(std::abs(X(choose_leader(X, y, truth, r).row, 0) - 0.7), 0.05);
  EXPECT_LT(std::abs(X(choose_leader(X, y, 0.7 * truth, r).row, 0) - 0.7), 0.1);  // also by a model that smooths
}

// Of values of known variances r τ at one point, τ is what the mean of squares says, whatever r is.
TEST(KnownNoise, RepeatedValuesTellTheUsualNoise) {
  const int places = 300;
  Matrix X(2 * places, 1);
  Vector y(2 * places), r(2 * places);
  const Vector noise = testing::normal(2 * places, Key(3));
  for (Eigen::Index i = 0; i < 2 * places; ++i) {
    X(i, 0) = static_cast<double>(i / 2);
    r(i) = i % 2 == 0 ? 0.5 : 8;
    y(i) = X(i, 0) + 0.3 * std::sqrt(r(i)) * noise(i);
  }
  // A mean of 300 squares is within five of its deviations, √(2/300) = 8%.
  EXPECT_NEAR(repeated_noise(X, y, r).variance, 0.09, 5 * 0.082 * 0.09);
}

TEST(KnownNoise, ValuesBelowAFloorSayNothing) {
  const Results data = results({0.01, 0.01, 0.01, 1, 2});  // values 1 … 5
  const KnownNoise noise(data, 5, Anchor{}, 3.0);
  EXPECT_NEAR(noise.typical(), 4, 1e-12);
  EXPECT_EQ(noise.ratio(0), 1);
  EXPECT_NEAR(noise.ratio(3), 0.25, 1e-12);
}

}  // namespace
}  // namespace salvo

#include "acquire/trust_region.h"

#include <gtest/gtest.h>

namespace salvo {
namespace {

// All of them chosen by the region.
TrustRegion replay(const Vector& y, int batch, int num_dims) {
  return salvo::replay(y, std::vector<bool>(static_cast<std::size_t>(y.size()), true), batch, num_dims);
}

TEST(TrustRegion, GrowsAfterThreeBetterBatchesAndShrinksAfterDPointsWithout) {
  const Vector rising = Vector::LinSpaced(40, 0, 39);  // ten batches of four, each better
  EXPECT_EQ(replay(rising.head(4), 4, 4).length, TrustRegion::kFirst);
  EXPECT_EQ(replay(rising.head(12), 4, 4).length, TrustRegion::kFirst);
  EXPECT_EQ(replay(rising.head(16), 4, 4).length, 2 * TrustRegion::kFirst);
  EXPECT_EQ(replay(rising, 4, 4).length, TrustRegion::kLargest);
  const Vector flat = Vector::Zero(40);
  EXPECT_EQ(replay(flat.head(8), 4, 4).length, TrustRegion::kFirst / 2);
  EXPECT_EQ(replay(flat.head(8), 4, 12).length, TrustRegion::kFirst) << "twelve dimensions need three batches of four";
}

TEST(TrustRegion, StartsAgainWhenItHasBecomeTooSmall) {
  // 0.8 halves seven times to below 2⁻⁷: the first batch and seven more.
  const TrustRegion before = replay(Vector::Zero(28), 4, 4), after = replay(Vector::Zero(32), 4, 4);
  EXPECT_EQ(before.begin, 0);
  EXPECT_EQ(after.begin, 32);
  EXPECT_EQ(after.length, TrustRegion::kFirst);
}

TEST(TrustRegion, AnUnfinishedBatchChangesNothing) {
  const Vector y = Vector::LinSpaced(43, 0, 1);
  EXPECT_EQ(replay(y, 4, 4).length, replay(y.head(40), 4, 4).length);
}

// However many points a design or somebody else handed in, sorted or not: the region has not failed yet.
TEST(TrustRegion, WhatItDidNotChooseIsNoFailure) {
  const Vector y = Vector::LinSpaced(400, 1, 0);
  std::vector<bool> chosen(400, false);
  EXPECT_EQ(salvo::replay(y, chosen, 4, 4).length, TrustRegion::kFirst);
  for (std::size_t i = 392; i < 400; ++i) chosen[i] = true;  // two batches, neither better than what is known
  EXPECT_EQ(salvo::replay(y, chosen, 4, 4).length, TrustRegion::kFirst / 4);
  EXPECT_EQ(salvo::replay(y, chosen, 4, 4).begin, 0);
}

}  // namespace
}  // namespace salvo

#include "search/repeats.h"

#include <gtest/gtest.h>
#include <salvo/random.h>

#include <algorithm>
#include <cmath>

namespace salvo {
namespace {

void add(Observations& data, double x, double y) {
  const std::int64_t id = data.size() + 1;
  data.add({.id = id, .sequence = id}, Vector::Constant(1, x), y);
}

Matrix points(std::initializer_list<double> xs) {
  Matrix out(std::ssize(xs), 1);
  std::copy(xs.begin(), xs.end(), out.data());
  return out;
}

// The best, each once, one of 25 evaluations at most; what waits for its second value counts.
TEST(Repeats, AreOfTheBestAndFew) {
  Observations data(1);
  for (int i = 0; i < 40; ++i) add(data, 0.01 * i, -std::abs(i - 20.2));
  const Matrix none(0, 1);
  using Rows = std::vector<std::int64_t>;
  EXPECT_EQ(due_repeats(data, none, none, 0, 100), Rows{});
  EXPECT_EQ(due_repeats(data, none, none, 4, 9), (Rows{20}));
  EXPECT_EQ(due_repeats(data, none, none, 4, 60), (Rows{20, 21, 19, 22}));
  EXPECT_EQ(due_repeats(data, none, none, 4, 1), (Rows{20}));
  EXPECT_EQ(due_repeats(data, points({0.2, 0.9}), none, 4, 40), (Rows{21, 19}));  // 82 in all
  add(data, 0.2, -1);
  EXPECT_EQ(due_repeats(data, none, points({0.2}), 4, 40), (Rows{21, 19}));
  EXPECT_EQ(due_repeats(data, none, points({0.2}), 1, 40), Rows{});
  EXPECT_EQ(due_repeats(data, none, points({0.2, 0.21}), 4, 40), (Rows{19})) << "one that failed is not asked for again";
}

// Where the values of a point differ, one of 50 evaluations goes on to be a repeat: third values first.
TEST(Repeats, GoOnWhereThereIsNoise) {
  Observations data(1);
  for (int i = 0; i < 198; ++i) add(data, 0.001 * i, -std::abs(i - 20.2));
  const Matrix none(0, 1), tried = points({0.02, 0.021});
  using Rows = std::vector<std::int64_t>;
  add(data, 0.02, -0.2 - 1);
  add(data, 0.021, -0.8);
  EXPECT_EQ(due_repeats(data, none, tried, 2, 50), (Rows{20, 21, 19})) << "five of 250";
  EXPECT_EQ(due_repeats(data, points({0.02}), tried, 2, 49), (Rows{21, 19})) << "one is pending";
  EXPECT_EQ(due_repeats(data, none, points({0.02, 0.021, 0.02}), 2, 50), (Rows{21, 19})) << "a third one failed";
  EXPECT_EQ(due_repeats(data, none, tried, 3, 50), (Rows{19})) << "the first few have two values each";
  Observations quiet(1);
  for (int i = 0; i < 200; ++i) add(quiet, 0.001 * (i % 198), -std::abs(i % 198 - 20.2));
  EXPECT_EQ(due_repeats(quiet, none, points({0, 0.001}), 2, 50), Rows{});
}

// A point is evaluated again because its first value was high: that value says too much.
TEST(Repeats, TheLuckOfTheFirstValueDoesNotCount) {
  constexpr Eigen::Index kPlaces = 4;
  Matrix X(3 * kPlaces, 1);
  Vector y(3 * kPlaces);
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    X(i, 0) = 0.1 * static_cast<double>(i % kPlaces);
    y(i) = i < kPlaces ? 100 : i < 2 * kPlaces ? 1 : 3;
  }
  EXPECT_EQ(repeated_noise(X, y).degrees, kPlaces);
  EXPECT_DOUBLE_EQ(repeated_noise(X, y).variance, 2);
  const auto n = X.rows() - 1;  // of one place only two: three degrees of freedom without the first are too few
  EXPECT_EQ(repeated_noise(X.topRows(n), y.head(n)).degrees, 2 * kPlaces - 1);
  const Averages seen = averages(X, y);
  EXPECT_DOUBLE_EQ(seen.mean(0), 104.0 / 3);
  EXPECT_EQ(seen.count(5), 3);
}

// The pooled variance of the pairs, and bounds that hold 19 times of 20: of 2,000 samples 5% ± 4 deviations of that share are
// beyond each.
TEST(Repeats, SayHowMuchNoiseThereIs) {
  Matrix X(6, 1);
  X << 0.1, 0.2, 0.1, 0.3, 0.2, 0.2;
  Vector y(6);
  y << 1, 5, 3, 9, 5, 5;
  EXPECT_EQ(repeated_noise(X, y).degrees, 3);
  EXPECT_DOUBLE_EQ(repeated_noise(X, y).variance, 2.0 / 3);
  EXPECT_FALSE(repeated_noise(X, y).none());
  y(2) = 1;
  EXPECT_TRUE(repeated_noise(X, y).none());
  EXPECT_FALSE(repeated_noise(X.topRows(4), y.head(4)).none()) << "one pair may be equal by chance";
  int too_high = 0, too_low = 0;
  constexpr int kSamples = 2000, kPairs = 4;
  for (int s = 0; s < kSamples; ++s) {
    Matrix pairs(2 * kPairs, 1);
    for (int i = 0; i < 2 * kPairs; ++i) pairs(i, 0) = i / 2;
    Vector values(2 * kPairs);
    Key(5).fold(static_cast<std::uint64_t>(s)).fill_normal({values.data(), static_cast<std::size_t>(values.size())});
    const RepeatedNoise noise = repeated_noise(pairs, values);
    too_high += noise.at_least() > 1 ? 1 : 0;
    too_low += noise.at_most() < 1 ? 1 : 0;
  }
  const double slack = 4 * std::sqrt(0.05 * 0.95 / kSamples) + 0.005;  // and the approximation of χ²
  EXPECT_NEAR(static_cast<double>(too_high) / kSamples, 0.05, slack);
  EXPECT_NEAR(static_cast<double>(too_low) / kSamples, 0.05, slack);
}

}  // namespace
}  // namespace salvo

#include "math/sobol.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace salvo {
namespace {

TEST(Sobol, EveryDyadicIntervalOfEveryCoordinateHoldsOnePoint) {
  for (const int k : {0, 1, 3, 6, 9}) {
    const int n = 1 << k;
    const Matrix U = sobol(0, n, 7, Key(3));
    for (int j = 0; j < U.cols(); ++j) {
      std::vector<int> hits(static_cast<std::size_t>(n), 0);
      for (int i = 0; i < n; ++i) {
        ASSERT_GE(U(i, j), 0.0);
        ASSERT_LT(U(i, j), 1.0);
        ++hits[static_cast<std::size_t>(U(i, j) * n)];
      }
      for (const int h : hits) EXPECT_EQ(h, 1) << "coordinate " << j << ", 2^" << k << " points";
    }
  }
}

// The first two coordinates of Sobol's sequence are a (0,2)-sequence: elementary boxes hold one point each,
// and nested scrambling keeps that.
TEST(Sobol, ScramblingKeepsTheNetOfTheFirstTwoCoordinates) {
  constexpr int k = 6;
  const Matrix U = sobol(0, 1 << k, 2, Key(11));
  for (int a = 0; a <= k; ++a) {
    const int rows = 1 << a, columns = 1 << (k - a);
    std::vector<int> hits(1 << k, 0);
    for (int i = 0; i < U.rows(); ++i) ++hits[static_cast<int>(U(i, 0) * rows) * columns + static_cast<int>(U(i, 1) * columns)];
    for (const int h : hits) EXPECT_EQ(h, 1) << rows << " by " << columns;
  }
}

TEST(Sobol, APointDoesNotDependOnHowTheSequenceIsSplit) {
  const Matrix whole = sobol(0, 40, 5, Key(1));
  for (const int first : {0, 1, 2, 3, 17, 39}) {
    const Matrix part = sobol(first, 40 - first, 5, Key(1));
    EXPECT_EQ(part, whole.bottomRows(40 - first)) << "from " << first;
  }
}

TEST(Sobol, SeedsDifferAndEachPointIsUniformOverThem) {
  EXPECT_NE(sobol(0, 4, 3, Key(1)), sobol(0, 4, 3, Key(2)));
  constexpr int n = 4000;
  double sum = 0, squares = 0;
  for (int seed = 0; seed < n; ++seed) {
    const double u = sobol(0, 1, 1, Key(static_cast<std::uint64_t>(seed)))(0, 0);  // the origin, unscrambled
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / n, 0.5, 5 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(squares / n, 1.0 / 3, 5 * std::sqrt((1.0 / 5 - 1.0 / 9) / n));
}

TEST(Sobol, RefusesWhatItHasNoDirectionNumbersFor) {
  EXPECT_THROW((void)sobol(0, 1, 0, Key(0)), std::invalid_argument);
  EXPECT_THROW((void)sobol(0, 1, kMaxSobolDims + 1, Key(0)), std::invalid_argument);
  EXPECT_THROW((void)sobol(-1, 1, 2, Key(0)), std::invalid_argument);
}

}  // namespace
}  // namespace salvo

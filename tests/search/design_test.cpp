#include "search/design.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "support/options.h"

namespace salvo {
namespace {

std::vector<Params> decoded(const Encoding& space, const Matrix& X) {
  std::vector<Params> out;
  for (Eigen::Index i = 0; i < X.rows(); ++i) out.push_back(space.decode({X.row(i).data(), static_cast<std::size_t>(X.cols())}));
  return out;
}

TEST(InitialDesign, CoversEveryLevelEvenly) {
  const Encoding space = Space({{"x", Float{0, 1}}, {"n", Int{1, 8}}, {"c", Categorical{{std::string("a"), std::string("b")}}}});
  const auto points = decoded(space, initial_design(space, Initial::sobol, 0, 64, {}, Key(4)));
  std::vector<int> per_level(8, 0);
  int a = 0;
  for (const Params& point : points) {
    ++per_level[static_cast<std::size_t>(std::get<std::int64_t>(point[1]) - 1)];
    a += std::get<std::string>(point[2]) == "a" ? 1 : 0;
  }
  for (const int count : per_level) EXPECT_EQ(count, 8);
  EXPECT_EQ(a, 32);
}

TEST(InitialDesign, EveryPointOfAFiniteSpaceIsReachedOnceAndTakenOnesAreNot) {
  const Encoding space = Space({{"a", Int{1, 1000, Scale::log}}, {"b", Ordinal{{1.0, 2.0, 5.0}}}});
  for (const auto how : {Initial::sobol, Initial::uniform}) {
    const auto first = decoded(space, initial_design(space, how, 0, 1000, {}, Key(1)));
    const auto rest = decoded(space, initial_design(space, how, 1000, 2000, first, Key(1)));
    std::set<Params> all(first.begin(), first.end());
    all.insert(rest.begin(), rest.end());
    EXPECT_EQ(all.size(), 3000U);
    EXPECT_THROW((void)initial_design(space, how, 0, 2001, first, Key(1)), std::invalid_argument);
  }
}

TEST(InitialDesign, IsDistinctEvenBetweenBoundsThatAreAlmostEqual) {
  const double next = std::nextafter(std::nextafter(1.0, 2.0), 2.0);  // three numbers
  const Encoding narrow = Space({{"x", Float{1.0, next}}, {"n", Int{0, 1}}});
  const auto points = decoded(narrow, initial_design(narrow, Initial::sobol, 0, 4, {}, Key(2)));
  EXPECT_EQ(std::set<Params>(points.begin(), points.end()).size(), 4U);
  EXPECT_THROW((void)initial_design(narrow, Initial::sobol, 0, 7, {}, Key(2)), std::invalid_argument);
}

TEST(InitialDesign, UniformPointsAreKeyedByTheirIndex) {
  const Encoding space = test::mixed_space();
  const Matrix whole = initial_design(space, Initial::uniform, 0, 10, {}, Key(3));
  EXPECT_EQ(initial_design(space, Initial::uniform, 6, 4, {}, Key(3)), whole.bottomRows(4));
  EXPECT_NE(initial_design(space, Initial::uniform, 0, 10, {}, Key(4)), whole);
}

}  // namespace
}  // namespace salvo

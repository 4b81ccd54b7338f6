#include <gtest/gtest.h>
#include <salvo/paths.h>
#include <salvo/threads.h>

#include <numeric>
#include <set>

#include "sample/exchange.h"
#include "sample/path_functions.h"
#include "support/data.h"

namespace salvo {
namespace {

Encoding every_kind() {
  return Space({{"a", Float{0, 1}},
                {"b", Float{1e-4, 1, Scale::log}},
                {"n", Int{1, 40}},
                {"c", Categorical{{std::string("x"), std::string("y"), std::string("z")}}},
                {"o", Ordinal{{std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}}},
                {"fixed", Fixed{1.0}}});
}

Matrix random_valid(const Encoding& space, Eigen::Index n, Key key) {
  Matrix U = testing::uniform(n, space.num_free(), key), X(n, space.num_dims());
  const auto free = static_cast<std::size_t>(U.cols()), dims = static_cast<std::size_t>(X.cols());
  for (Eigen::Index i = 0; i < n; ++i) space.from_unit({U.row(i).data(), free}, {X.row(i).data(), dims});
  return X;
}

Paths paths_over(const Encoding& space, int B, Key key, KernelType type = KernelType::matern52) {
  const Matrix X = random_valid(space, 60, key.fold("X"));
  Hyperparameters h;
  h.kernel = {type, 1.0, Vector::Constant(space.num_dims(), 0.5)};
  SparseGp gp(h, choose_inducing(Inducing::kmeans, h.kernel, X, Vector::Zero(X.rows()), 60, key));
  gp.condition(X, testing::normal(X.rows(), key.fold("y")));
  return draw_paths(gp, {.num_paths = B, .num_features = 300}, key.fold("draw"));
}

std::vector<double> as_vector(const Matrix& X, Eigen::Index i) { return {X.row(i).data(), X.row(i).data() + X.cols()}; }

std::set<std::vector<double>> rows_of(const Matrix& X) {
  std::set<std::vector<double>> out;
  for (Eigen::Index i = 0; i < X.rows(); ++i) out.insert(as_vector(X, i));
  return out;
}

TEST(Maximise, PointsAreValidDistinctAndNotTaken) {
  const Encoding space = every_kind();
  const Paths paths = paths_over(space, 50, Key(1));
  const Matrix first = maximise(paths, space, Matrix(0, space.num_dims()), {}, Key(2));
  const Matrix second = maximise(paths, space, first, {}, Key(2));  // the same paths again: all their best are taken
  Matrix both(100, space.num_dims());
  both << first, second;
  EXPECT_EQ(rows_of(both).size(), 100U);
  for (Eigen::Index i = 0; i < both.rows(); ++i) {
    std::vector<double> x = as_vector(both, i), snapped = x;
    space.snap(snapped);
    EXPECT_EQ(x, snapped);
  }
}

// No single move may improve: no other level of a discrete parameter, no small step of a continuous one.
TEST(Maximise, MixedOptimaAreLocallyOptimalInEveryParameter) {
  const Encoding space = every_kind();
  const int B = 30;
  const Paths paths = paths_over(space, B, Key(3));
  const Matrix X = maximise(paths, space, Matrix(0, space.num_dims()), {.num_starts = 5, .max_iterations = 60}, Key(4));
  int beaten = 0;
  for (int b = 0; b < B; ++b) {
    std::vector<double> neighbours;
    std::vector<double> x = as_vector(X, b);
    for (const auto& discrete : space.discretes())
      if (discrete.num_levels <= 16)
        for (std::int64_t level = 0; level < discrete.num_levels; ++level) {
          std::vector<double> y = x;
          space.set_level(discrete, level, y);
          neighbours.insert(neighbours.end(), y.begin(), y.end());
        }
    for (const int d : space.continuous_dims())
      for (const double step : {-0.01, 0.01}) {
        std::vector<double> y = x;
        y[static_cast<std::size_t>(d)] = std::clamp(y[static_cast<std::size_t>(d)] + step, 0.0, 1.0);
        neighbours.insert(neighbours.end(), y.begin(), y.end());
      }
    const Matrix N =
        Eigen::Map<const Matrix>(neighbours.data(), static_cast<Eigen::Index>(neighbours.size()) / X.cols(), X.cols());
    Vector f, at;
    paths.evaluate(N, std::vector<int>(static_cast<std::size_t>(N.rows()), b), f);
    paths.evaluate(X.row(b), {b}, at);
    beaten += f.maxCoeff() > at(0) + 1e-4;
  }
  // Distinctness may push a path to its second best; that is rare.
  EXPECT_LE(beaten, 1);
}

// Neighbours are valued by differences; what comes out is the path's own value, and no single change is better.
TEST(Exchange, EndsWhereNoOtherLevelIsBetterAndSaysTheValueThere) {
  std::vector<Value> many;
  for (std::int64_t i = 0; i < 300; ++i) many.emplace_back(i);
  const Encoding space(
      Space({{"x", Float{0, 1}}, {"many", Categorical{many}}, {"o", Ordinal{{true, false}}}, {"n", Int{0, 12}}}));
  const int B = 6;
  const Paths paths = paths_over(space, B, Key(14));
  Matrix X = random_valid(space, B, Key(15));
  std::vector<int> index(B);
  std::iota(index.begin(), index.end(), 0);
  Vector f, exact;
  paths.evaluate(X, index, f);
  const Vector before = f;
  const std::vector<bool> moved = exchange(PathFunctions(paths), space, index, X, f);
  paths.evaluate(X, index, exact);
  for (int b = 0; b < B; ++b) {
    EXPECT_NEAR(f(b), exact(b), 1e-10);
    EXPECT_EQ(moved[static_cast<std::size_t>(b)], f(b) > before(b));
    for (const auto& discrete : space.discretes())
      for (std::int64_t level = 0; level < discrete.num_levels; ++level) {
        Matrix other = X.row(b);
        space.set_level(discrete, level, {other.data(), static_cast<std::size_t>(other.size())});
        Vector value;
        paths.evaluate(other, {b}, value);
        EXPECT_LE(value(0), f(b) + 1e-10);
      }
  }
}

// Floats with steps are climbed as continuous and then settled: no number next on the grid is better, unless another has it.
TEST(Maximise, OnGridsNoNextNumberIsBetter) {
  const Encoding space(Space({{"a", Float{.low = 0, .high = 1, .step = 0.04}},
                              {"b", Float{.low = 1e-3, .high = 1, .scale = Scale::log, .digits = 1}},
                              {"c", Float{.low = 0, .high = 2, .digits = 1}},
                              {"o", Ordinal{{0.1, 0.2, 0.3}}}}));
  ASSERT_EQ(space.grids().size(), 3U);
  ASSERT_TRUE(space.is_finite());
  const int B = 20;
  const Paths paths = paths_over(space, B, Key(23));
  const Matrix X = maximise(paths, space, Matrix(0, space.num_dims()), {.num_starts = 10}, Key(24));
  std::set<std::vector<double>> all;
  for (int b = 0; b < B; ++b) {
    std::vector<double> x = as_vector(X, b);
    space.snap(x);
    EXPECT_EQ(x, as_vector(X, b));
    EXPECT_TRUE(all.insert(x).second);
  }
  for (int b = 0; b < B; ++b) {
    Vector at, value;
    paths.evaluate(X.row(b), {b}, at);
    for (const auto& grid : space.grids())
      for (const std::int64_t step : {-1, 1}) {
        std::vector<double> other = as_vector(X, b);
        const std::int64_t level = space.level(grid, other) + step;
        if (level < 0 || level >= grid.num_levels) continue;
        space.set_level(grid, level, other);
        paths.evaluate(Eigen::Map<const Matrix>(other.data(), 1, X.cols()), {b}, value);
        EXPECT_TRUE(value(0) <= at(0) + 1e-9 || all.contains(other));
      }
  }
}

TEST(Maximise, BeatsTwentyThousandRandomPointsOnEveryPath) {
  const Encoding space(Space({{"x", Float{0, 1}}, {"y", Float{0, 1}}}));
  const Paths paths = paths_over(space, 20, Key(5));
  const Matrix grid = random_valid(space, 20000, Key(7));
  const Matrix V = paths.values(grid);
  for (int b = 0; b < 20; ++b) {
    Paths one = paths;  // alone: several paths may have their maximum in the same corner
    one.w = paths.w.row(b);
    one.v = paths.v.row(b);
    Vector at;
    one.evaluate(maximise(one, space, Matrix(0, 2), {}, Key(6)), {0}, at);
    EXPECT_GE(at(0), V.col(b).maxCoeff() - 1e-5);
  }
}

// A path with kinks has tops at every scale, and its gradient ends on the nearest: climbing alone, from ten of 2,000 points,
// left most of these paths below the best of so many random ones.
TEST(Maximise, PathsWithKinksAreNotLeftOnTheNearestOfTheirTops) {
  const Encoding space(Space({{"a", Float{0, 1}}, {"b", Float{0, 1}}, {"c", Float{0, 1}}, {"d", Float{0, 1}}}));
  const int B = 20;
  const Paths paths = paths_over(space, B, Key(31), KernelType::matern12);
  const Matrix X = maximise(paths, space, Matrix(0, 4), {}, Key(32));
  const Matrix V = paths.values(random_valid(space, 40000, Key(33)));
  std::vector<int> index(B);
  std::iota(index.begin(), index.end(), 0);
  Vector f;
  paths.evaluate(X, index, f);
  for (int b = 0; b < B; ++b) EXPECT_GT(f(b), V.col(b).maxCoeff()) << b;
}

TEST(Maximise, SmallFiniteSpacesAreSearchedExhaustively) {
  const Encoding space(Space({{"n", Int{0, 9}}, {"c", Categorical{{true, false}}}}));
  const Paths paths = paths_over(space, 20, Key(8));
  const Matrix X = maximise(paths, space, Matrix(0, space.num_dims()), {}, Key(9));
  EXPECT_EQ(rows_of(X).size(), 20U);  // all twenty points, each once
  // The first path has the pick of all: its value is the largest of the whole space.
  Vector f;
  paths.evaluate(X, std::vector<int>(20, 0), f);
  EXPECT_EQ(f(0), f.maxCoeff());
  try {
    (void)maximise(paths, space, X.topRows(1), {}, Key(9));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("20 distinct points"), std::string::npos) << error.what();
  }
}

TEST(Maximise, LargeFiniteSpaceNearlyUsedUpStillGivesDistinctPoints) {
  const Encoding space(Space({{"a", Int{1, 100}}, {"b", Int{1, 100}}}));  // 10,000 points: not enumerated
  const Paths paths = paths_over(space, 30, Key(10));
  Matrix taken(9960, 2);
  for (int i = 0; i < taken.rows(); ++i) {
    const Vector x = space.encode({std::int64_t{1 + i % 100}, std::int64_t{1 + i / 100}});
    taken.row(i) = x;
  }
  const Matrix X = maximise(paths, space, taken, {.num_starts = 2}, Key(11));
  auto seen = rows_of(taken);
  for (Eigen::Index i = 0; i < X.rows(); ++i) EXPECT_TRUE(seen.insert(as_vector(X, i)).second);
}

TEST(Maximise, SameBitsOnAnyNumberOfThreads) {
  const Encoding space = every_kind();
  const Paths paths = paths_over(space, 25, Key(12));
  set_num_threads(1);
  const Matrix one = maximise(paths, space, Matrix(0, space.num_dims()), {.max_share = 0.3}, Key(13));
  set_num_threads(3);
  const Matrix three = maximise(paths, space, Matrix(0, space.num_dims()), {.max_share = 0.3}, Key(13));
  set_num_threads(0);
  EXPECT_EQ(one, three);
}

}  // namespace
}  // namespace salvo

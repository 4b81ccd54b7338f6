#include "sample/functions.h"

#include <gtest/gtest.h>

#include "sample/candidates.h"
#include "sample/exchange.h"
#include "sample/maximise.h"
#include "sample/path_functions.h"
#include "sample/sweep.h"
#include "support/data.h"

namespace salvo {
namespace {

// −‖x − top_b‖², which says no more than it must: its top is known, in every coordinate on its own.
class Hills : public Functions {
 public:
  explicit Hills(Matrix tops)
      : Functions(static_cast<int>(tops.rows()), {KernelType::se, 1.0, Vector::Constant(tops.cols(), 0.3)}, 1e-12),
        tops_(std::move(tops)) {}
  void evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients) const override {
    const Matrix away = X - tops_(index, Eigen::all);
    values = -away.rowwise().squaredNorm();
    if (gradients) *gradients = -2 * away;
  }

 private:
  Matrix tops_;
};

Encoding mixed() {
  return Space({{"x", Float{0, 1}},
                {"n", Int{0, 100}},
                {"c", Categorical{{std::string("a"), std::string("b"), std::string("c")}}},
                {"y", Float{0, 1}}});
}

Paths paths_over(const Encoding& space, int B, KernelType type = KernelType::matern52) {
  const Matrix X = random_points(space, 50, Key(1));
  Hyperparameters h;
  h.kernel = {type, 1.0, Vector::Constant(space.num_dims(), 0.5)};
  SparseGp gp(h, X);
  gp.condition(X, testing::normal(X.rows(), Key(2)));
  return draw_paths(gp, {.num_paths = B, .num_features = 200}, Key(3));
}

TEST(Functions, TheSearchFindsTheTopsOfKnownFunctions) {
  const Encoding space = mixed();
  const Matrix tops = random_points(space, 12, Key(4));
  const Matrix found = maximise(Hills(tops), space, Matrix(0, space.num_dims()), {.num_starts = 3}, Key(5));
  EXPECT_LE((found - tops).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(Functions, WhoseTopsAreTakenGiveOtherPoints) {
  const Encoding space(Space({{"a", Int{1, 100}}, {"b", Int{1, 100}}}));  // too large to be enumerated
  const Matrix tops = random_points(space, 5, Key(6));
  const Matrix found = maximise(Hills(tops), space, tops, {.num_starts = 2}, Key(7));
  for (Eigen::Index i = 0; i < 5; ++i)
    for (Eigen::Index j = 0; j < 5; ++j) EXPECT_NE(found.row(i), tops.row(j));
}

TEST(Functions, ExchangeEndsWhereNoSingleChangeIsBetter) {
  const Encoding space = mixed();
  const int B = 10;
  const Hills hills(random_points(space, B, Key(8)));
  Matrix X = random_points(space, B, Key(9));
  Vector f, after;
  hills.evaluate(X, testing::counted(B), f, nullptr);
  const Vector before = f;
  const std::vector<bool> moved = exchange(hills, space, testing::counted(B), X, f);
  hills.evaluate(X, testing::counted(B), after, nullptr);
  EXPECT_EQ(f, after);
  for (int b = 0; b < B; ++b) {
    EXPECT_EQ(moved[static_cast<std::size_t>(b)], f(b) > before(b));
    for (const Encoding::Discrete& discrete : space.discretes())
      for (std::int64_t level = 0; level < discrete.num_levels; ++level) {  // all: a hill leads to its top by steps of 1, 2, 4 …
        Matrix other = X.row(b);
        space.set_level(discrete, level, row_of(other, 0));
        Vector value;
        hills.evaluate(other, {b}, value, nullptr);
        EXPECT_LE(value(0), f(b));
      }
  }
}

// What Functions say in general, PathFunctions say faster.
TEST(PathFunctions, AreTheirPathsInEveryWay) {
  const Encoding space = mixed();
  const int B = 7;
  const Paths paths = paths_over(space, B);
  const PathFunctions functions(paths);
  ASSERT_EQ(functions.size(), B);
  const Matrix X = random_points(space, B, Key(10)), C = random_points(space, 300, Key(11));
  Vector expected, values;
  Matrix slopes, gradients;

  EXPECT_EQ(functions.values(C), paths.values(C));
  EXPECT_LE((functions.Functions::values(C) - paths.values(C)).cwiseAbs().maxCoeff(), 1e-10);
  paths.evaluate(X, testing::counted(B), expected);
  functions.evaluate(X, testing::counted(B), values);
  EXPECT_EQ(values, expected);
  paths.evaluate(X, testing::counted(B), expected, &slopes);
  functions.evaluate(X, testing::counted(B), values, &gradients);
  EXPECT_LE((values - expected).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LE((gradients - slopes).cwiseAbs().maxCoeff(), 1e-8);

  std::vector<Change> changes;
  for (const Encoding::Discrete& discrete : space.discretes())
    for (std::int64_t level = 0; level < discrete.num_levels; ++level) changes.push_back({discrete, level});
  std::vector<double> by_differences(changes.size()), in_general(changes.size());
  const std::span<const double> x(X.row(3).data(), static_cast<std::size_t>(X.cols()));
  functions.changed(space, 3, x, changes, by_differences);
  functions.Functions::changed(space, 3, x, changes, in_general);
  for (std::size_t i = 0; i < changes.size(); ++i) EXPECT_NEAR(by_differences[i], in_general[i], 1e-10);

  const Matrix V = paths.values(C);
  const std::vector<int> some = {5, 2}, single = functions.best_candidates(some, C, 3);
  const std::vector<int> exact = functions.Functions::best_candidates(some, C, 3);
  ASSERT_EQ(single.size(), 6U);
  ASSERT_EQ(exact.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    const int b = some[i % 2], run = static_cast<int>(i / 2);
    EXPECT_EQ(V(exact[i], b), V.col(b).segment(100 * run, 100).maxCoeff());
    EXPECT_EQ(single[i] / 100, run);
    EXPECT_NEAR(V(single[i], b), V(exact[i], b), 2e-3);
  }
}

// A trend is the same in every path: whatever way they are evaluated, it is there once.
TEST(Functions, PathsHaveTheTrendInEveryWayTheyAreEvaluated) {
  const Encoding space = mixed();
  const int B = 6;
  const Paths plain = paths_over(space, B);
  Paths with = plain;
  const Matrix Z = random_points(space, 30, Key(20)), X = random_points(space, B, Key(21));
  with.trend =
      Trend::through({KernelType::matern32, 2.0, Vector::Constant(space.num_dims(), 0.7)}, Z, testing::normal(30, Key(22)));
  const PathFunctions functions(with), others(plain);
  const Vector t = with.trend.values(X);
  const auto all = testing::counted(B);
  Vector value, rest;
  functions.evaluate(X, all, value);
  others.evaluate(X, all, rest);
  EXPECT_LE((value - rest - t).lpNorm<Eigen::Infinity>(), 1e-12);
  EXPECT_LE((functions.values(X) - others.values(X)).colwise().operator-(t).cwiseAbs().maxCoeff(), 1e-12);
  Matrix gradients, without;
  functions.evaluate(X, all, value, &gradients);
  others.evaluate(X, all, rest, &without);
  Vector zero = Vector::Zero(B);
  Matrix slopes = Matrix::Zero(B, X.cols());
  with.trend.add_to(X, zero, &slopes);
  EXPECT_LE((gradients - without - slopes).cwiseAbs().maxCoeff(), 1e-12);
  std::vector<Change> changes;  // by differences, which round otherwise
  for (const Encoding::Discrete& discrete : space.discretes())
    for (std::int64_t level = 0; level < std::min<std::int64_t>(4, discrete.num_levels); ++level)
      changes.push_back({discrete, level});
  std::vector<double> got(changes.size());
  functions.changed(space, 2, row_of(const_cast<Matrix&>(X), 2), changes, got);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Matrix x = X.row(2);
    space.set_level(changes[i].discrete, changes[i].level, row_of(x, 0));
    with.evaluate(x, {2}, value);
    EXPECT_NEAR(got[i], value(0), 1e-9);
  }
}

// Differences of sums of 250 terms of about 1: 1e-9 is far above their rounding.
TEST(Functions, ChangesAndMovesAlongACoordinateSayWhatEvaluatingSays) {
  const Encoding space = mixed();
  for (const KernelType type : {KernelType::matern52, KernelType::additive52}) {
    const Paths paths = paths_over(space, 3, type);
    const PathFunctions functions(paths);
    EXPECT_EQ(functions.is_sum(), type == KernelType::additive52);
    Matrix x = random_points(space, 1, Key(23));
    std::vector<Change> changes;
    for (const Encoding::Discrete& discrete : space.discretes()) changes.push_back({discrete, 1});
    std::vector<double> got(changes.size());
    functions.changed(space, 2, row_of(x, 0), changes, got);
    Vector expected;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      Matrix moved = x;
      space.set_level(changes[i].discrete, changes[i].level, row_of(moved, 0));
      paths.evaluate(moved, {2}, expected);
      EXPECT_NEAR(got[i], expected(0), 1e-9) << to_string(type);
    }
    const std::vector<double> places{0, 0.3, x(0, 0), 1};
    std::vector<double> along(4);
    functions.along(1, row_of(x, 0), 0, places, along);
    paths.evaluate(moved_along(row_of(x, 0), 0, places), {1, 1, 1, 1}, expected);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(along[i], expected(static_cast<Eigen::Index>(i)), 1e-9) << to_string(type);
  }
}

// Every parameter of a sum has its best place by itself: a sweep over a grid ends at the best corner of it, whatever it begins
// with.
TEST(Functions, ASumIsSearchedOneCoordinateAfterAnother) {
  const int d = 5, B = 4;
  Encoding space = [] {
    std::vector<Parameter> parameters;
    for (int e = 0; e < d; ++e) parameters.push_back({"x" + std::to_string(e), Float{0, 1}});
    return Space(std::move(parameters));
  }();
  Paths paths = paths_over(space, B, KernelType::additive52);
  paths.kernel.lengthscales.setConstant(0.5);
  const PathFunctions functions(paths);
  Matrix X = random_points(space, B, Key(24));
  sweep(functions, testing::counted(B), Matrix::Zero(B, d), Matrix::Ones(B, d), X);
  Vector found, better;
  paths.evaluate(X, testing::counted(B), found);
  for (int b = 0; b < B; ++b)
    for (int e = 0; e < d; ++e) {
      std::vector<double> grid;
      for (int k = 0; k < 8; ++k) grid.push_back((k + 0.5) / 8);  // as many as a length-scale of 0.5 asks for, the fewest
      paths.evaluate(moved_along(row_of(X, b), e, grid), std::vector<int>(8, b), better);
      EXPECT_LE(better.maxCoeff(), found(b) + 1e-9);
    }
  // A search that begins there ends no lower, and no climb from random candidates ends higher.
  const Matrix tops = maximise(functions, space, Matrix(0, d), {.num_starts = 2}, Key(25));
  Vector top;
  paths.evaluate(tops, testing::counted(B), top);
  for (int b = 0; b < B; ++b) {
    const Matrix C = random_points(space, 2000, Key(26));
    paths.evaluate(C, std::vector<int>(2000, b), better);
    EXPECT_GE(top(b), better.maxCoeff() - 1e-6);
  }
}

// In single precision: a trend that towers above the paths decides where they are highest.
TEST(Functions, TheBestCandidatesAreThoseOfPathAndTrend) {
  const Encoding space = mixed();
  const int B = 6;
  Paths paths = paths_over(space, B);
  const Matrix C = random_points(space, 400, Key(23));
  paths.trend =
      Trend::through({KernelType::se, 1.0, Vector::Constant(space.num_dims(), 0.2)}, C.row(321), Vector::Constant(1, 100));
  for (const int best : PathFunctions(paths).best_candidates(testing::counted(B), C, 1)) EXPECT_EQ(best, 321);
  for (const int best : PathFunctions(paths).best_candidates({1, 4}, C, 1)) EXPECT_EQ(best, 321);
}

}  // namespace
}  // namespace salvo

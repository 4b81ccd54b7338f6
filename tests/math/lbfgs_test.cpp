#include "math/lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace salvo {
namespace {

// −Rosenbrock, a different scale for each problem.
void rosenbrock(const Matrix& X, const std::vector<int>& which, Vector& f, Matrix& G) {
  f.resize(X.rows());
  G.resize(X.rows(), 2);
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    const double s = 1.0 + which[static_cast<std::size_t>(i)], x = X(i, 0), y = X(i, 1), t = y - x * x;
    f(i) = -s * (100 * t * t + (1 - x) * (1 - x));
    G(i, 0) = -s * (-400 * x * t - 2 * (1 - x));
    G(i, 1) = -s * 200 * t;
  }
}

TEST(Lbfgs, SolvesManyProblemsInLockStep) {
  const Eigen::Index K = 5;
  Matrix X0(K, 2);
  X0 << -1.2, 1, 0, 0, 1.9, -1.9, -2, 2, 1, 1;
  const LbfgsResult r = lbfgs_maximise(rosenbrock, X0, Matrix::Constant(K, 2, -2), Matrix::Constant(K, 2, 2),
                                       {.max_evaluations = 500, .tolerance = 0});
  for (Eigen::Index i = 0; i < K; ++i) {
    EXPECT_NEAR(r.X(i, 0), 1, 1e-4);
    EXPECT_NEAR(r.X(i, 1), 1, 1e-4);
  }
  EXPECT_LE(r.num_evaluations[4], 2);  // began at the optimum
}

// The optimum on the boundary satisfies the first-order conditions: gradients vanish or point out of the box.
TEST(Lbfgs, RespectsBoundsAndFixedCoordinates) {
  Matrix low(2, 2), high(2, 2), X0(2, 2);
  low << -2, -2, 0.3, -2;
  high << 0.5, 2, 0.3, 2;  // the second problem's first coordinate is fixed
  X0 << 0, 0, 9, 9;        // a start outside is moved in
  const LbfgsResult r = lbfgs_maximise(rosenbrock, X0, low, high, {.max_evaluations = 300, .tolerance = 0});
  EXPECT_NEAR(r.X(0, 0), 0.5, 1e-9);
  EXPECT_NEAR(r.X(0, 1), 0.25, 1e-4);
  EXPECT_EQ(r.X(1, 0), 0.3);
  EXPECT_NEAR(r.X(1, 1), 0.09, 1e-5);
}

TEST(Lbfgs, StepsBackFromValuesThatAreNotFinite) {
  const BatchFunction log_barrier = [](const Matrix& X, const std::vector<int>&, Vector& f, Matrix& G) {
    f.resize(1);
    G.resize(1, 1);
    const double x = X(0, 0);  // log(x) − 10x, NaN for x < 0
    f(0) = std::log(x) - 10 * x;
    G(0, 0) = 1 / x - 10;
  };
  const LbfgsResult r = lbfgs_maximise(log_barrier, Matrix::Constant(1, 1, 0.9), Matrix::Constant(1, 1, -1),
                                       Matrix::Constant(1, 1, 1), {.max_evaluations = 100, .tolerance = 0, .first_step = 2.0});
  EXPECT_NEAR(r.X(0, 0), 0.1, 1e-6);
}

// The same valley with its floor moved a little: what the first search saw of its curvature saves the second one steps.
TEST(Lbfgs, BeginsWithTheCurvatureOfAnEarlierSearch) {
  const auto moved = [](const Matrix& X, const std::vector<int>& which, Vector& f, Matrix& G) {
    rosenbrock((X.array() - 0.02).matrix(), which, f, G);
  };
  const Matrix low = Matrix::Constant(1, 2, -2), high = Matrix::Constant(1, 2, 2);
  const LbfgsOptions cold{.max_evaluations = 200, .tolerance = 1e-8};
  const LbfgsResult first = lbfgs_maximise(rosenbrock, Matrix::Zero(1, 2), low, high, cold);
  EXPECT_LE(first.curvature.steps.rows(), cold.history);
  for (Eigen::Index k = 0; k < first.curvature.steps.rows(); ++k)
    EXPECT_GT(first.curvature.steps.row(k).dot(first.curvature.changes.row(k)), 0);
  LbfgsOptions warm = cold;
  warm.curvature = first.curvature;
  const LbfgsResult with = lbfgs_maximise(moved, first.X, low, high, warm);
  const LbfgsResult without = lbfgs_maximise(moved, first.X, low, high, cold);
  EXPECT_NEAR(with.f(0), 0, 1e-6);
  EXPECT_LT(with.num_evaluations[0], without.num_evaluations[0]);
}

// Curvature of quite another function, far too flat and far too steep: it is forgotten where it leads nowhere.
TEST(Lbfgs, ForgetsCurvatureThatLeadsNowhere) {
  const Matrix low = Matrix::Constant(1, 2, -2), high = Matrix::Constant(1, 2, 2);
  for (const double scale : {1e-20, 1e20}) {
    LbfgsOptions options{.max_evaluations = 500, .tolerance = 0};
    options.curvature = {Matrix::Identity(2, 2), scale * Matrix::Identity(2, 2)};
    const LbfgsResult r = lbfgs_maximise(rosenbrock, Matrix::Constant(1, 2, -1), low, high, options);
    EXPECT_NEAR(r.X(0, 0), 1, 1e-4) << scale;
    EXPECT_NEAR(r.X(0, 1), 1, 1e-4) << scale;
  }
}

TEST(Lbfgs, NeverEndsBelowItsStart) {
  const LbfgsResult r = lbfgs_maximise(rosenbrock, Matrix::Constant(1, 2, -1.5), Matrix::Constant(1, 2, -2),
                                       Matrix::Constant(1, 2, 2), {.max_evaluations = 3});
  EXPECT_GE(r.f(0), -(100 * std::pow(-1.5 - 2.25, 2) + 6.25));
  EXPECT_EQ(r.num_evaluations[0], 3);
}

}  // namespace
}  // namespace salvo

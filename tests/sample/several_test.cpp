#include "sample/several.h"

#include <gtest/gtest.h>
#include <salvo/random.h>

#include <cmath>
#include <numeric>

#include "math/lbfgs.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

// Functions b + aᵀx + c|x − m|², one for each row of `linear`.
class Quadratics : public Functions {
 public:
  Quadratics(Vector constant, Matrix linear, double curvature)
      : Functions(static_cast<int>(constant.size()), {KernelType::matern52, 1.0, Vector::Ones(linear.cols())}, 1e-9),
        constant_(std::move(constant)),
        linear_(std::move(linear)),
        curvature_(curvature) {}
  void evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients) const override {
    values.resize(X.rows());
    if (gradients) gradients->resize(X.rows(), X.cols());
    for (Index i = 0; i < X.rows(); ++i) {
      const int b = index[static_cast<std::size_t>(i)];
      const Eigen::RowVectorXd from = X.row(i).array() - 0.5;
      values(i) = constant_(b) + linear_.row(b).dot(X.row(i)) + curvature_ * from.squaredNorm();
      if (gradients) gradients->row(i) = linear_.row(b) + 2 * curvature_ * from;
    }
  }

 private:
  Vector constant_;
  Matrix linear_;
  double curvature_;
};

// Two members with two objectives each, of which the first counts twice.
class Sum : public Merit {
 public:
  [[nodiscard]] double value(int, std::span<const double> f, std::span<double> slope) const override {
    if (!slope.empty()) slope[0] = 2, slope[1] = 1;
    return 2 * f[0] + f[1];
  }
};

struct Outputs {
  Quadratics first{Vector{{0.0, 1.0}}, Matrix{{1.0, 0.5}, {-1.0, 0.0}}, -1.0};
  Quadratics second{Vector{{0.3, 0.2}}, Matrix{{0.0, 1.0}, {1.0, 1.0}}, -0.5};
  Quadratics limit{Vector{{0.0, 0.1}}, Matrix{{1.0, 1.0}, {2.0, -1.0}}, 0.2};
  Sum sum;
  [[nodiscard]] std::vector<Bounded> bounds(double low, double high) const {
    return {{&limit, Vector::Constant(2, low), Vector::Constant(2, high)}};
  }
};

std::vector<int> first_of(int count) {
  std::vector<int> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

TEST(SeveralFunctions, OneObjectiveWithoutConstraintsIsItsPath) {
  const Outputs all;
  const OneObjective one;
  const SeveralFunctions functions({&all.first}, {}, one, {}, 3);
  ASSERT_EQ(functions.size(), 6);
  const Matrix X{{0.1, 0.7}, {0.9, 0.2}, {0.5, 0.5}};
  Vector values, alone;
  Matrix slopes, slopes_alone;
  functions.evaluate(X, {0, 1, 5}, values, &slopes);
  all.first.evaluate(X, {0, 1, 1}, alone, &slopes_alone);
  EXPECT_EQ(values, alone);
  EXPECT_EQ(slopes, slopes_alone);
}

// On either side of both bounds, before and after prices were raised.
TEST(SeveralFunctions, HasTheGradientOfItsDifferences) {
  const Outputs all;
  SeveralFunctions functions({&all.first, &all.second}, all.bounds(0.6, 0.9), all.sum, {}, 2);
  Matrix X(40, 2);
  Key(1).fill_uniform({X.data(), 80});
  std::vector<int> index(40);
  for (std::size_t i = 0; i < 40; ++i) index[i] = static_cast<int>(i % 4);
  for (int round = 0; round < 3; ++round) {
    Vector values, up, down;
    Matrix slopes;
    functions.evaluate(X, index, values, &slopes);
    for (const Index e : {0, 1}) {
      constexpr double kStep = 1e-6;
      Matrix moved = X;
      moved.col(e).array() += kStep;
      functions.evaluate(moved, index, up);
      moved.col(e).array() -= 2 * kStep;
      functions.evaluate(moved, index, down);
      // The second derivative is at most 30 · 100 (the price of a square in the last round) · |∇g|² < 5 per squared unit; where a
      // step crosses a bound the difference is off by half of it times the step, and by rounding of 1e4 · 1e-16 / 2e-6.
      EXPECT_LT((slopes.col(e) - (up - down) / (2 * kStep)).cwiseAbs().maxCoeff(), 30 * 100 * 5 * 5 * kStep + 1e-5);
    }
    functions.press(X.topRows(4), {0, 1, 2, 3});
  }
}

// max 2 f₁ + f₂ = c + aᵀx − 2.5|x − ½|² under g(x) = x₁ + x₂ + .2|x − ½|² ≤ .8: the multiplier of the bound is positive.
TEST(SeveralFunctions, RoundsOfAClimbEndWhereTheConstraintHoldsAndNothingElseIsBetter) {
  const Outputs all;
  SeveralFunctions functions({&all.first, &all.second}, all.bounds(-10, 0.8), all.sum, {}, 1);
  Matrix X{{0.2, 0.2}};
  const Matrix low = Matrix::Zero(1, 2), high = Matrix::Ones(1, 2);
  const BatchFunction function = [&](const Matrix& P, const std::vector<int>&, Vector& f, Matrix& G) {
    functions.evaluate(P, std::vector<int>(static_cast<std::size_t>(P.rows()), 0), f, &G);
  };
  for (int round = 0; round < 4; ++round) {
    if (round > 0) functions.press(X, {0});
    X = lbfgs_maximise(function, X, low, high, {.max_evaluations = 60, .tolerance = 1e-14}).X;
  }
  Vector f1, f2, g;
  Matrix s1, s2, sg;
  all.first.evaluate(X, {0}, f1, &s1);
  all.second.evaluate(X, {0}, f2, &s2);
  all.limit.evaluate(X, {0}, g, &sg);
  EXPECT_NEAR(g(0), 0.8, 1e-5) << "an augmented Lagrangian gains a factor of the price with each round";
  const Eigen::RowVectorXd wanted = 2 * s1.row(0) + s2.row(0);
  const double multiplier = wanted.dot(sg.row(0)) / sg.row(0).squaredNorm();
  EXPECT_GT(multiplier, 0);
  EXPECT_LT((wanted - multiplier * sg.row(0)).norm(), 1e-3 * wanted.norm()) << "the slopes are parallel";
}

TEST(SeveralFunctions, AnEndThatHoldsRanksAboveEveryOneThatDoesNot) {
  const Outputs all;
  const SeveralFunctions functions({&all.first, &all.second}, all.bounds(-10, 0.8), all.sum, {}, 1);
  const Matrix X{{0.3, 0.3}, {0.9, 0.9}, {0.6, 0.6}};  // the second is the best, and misses most
  const Vector settled = functions.settled(X, {0, 0, 0});
  EXPECT_GT(settled(0), settled(2));
  EXPECT_GT(settled(2), settled(1)) << "of those that do not hold the one that misses less";
  const Matrix missed = functions.missed_in_all(X);
  EXPECT_EQ(missed(0, 0), 0);
  EXPECT_GT(missed(1, 0), missed(2, 0));
}

// Search s begins at the best of its run of the candidates for member s mod B.
TEST(SeveralFunctions, EverySearchBeginsAtTheBestOfItsRun) {
  const Outputs all;
  const SeveralFunctions functions({&all.first, &all.second}, all.bounds(0.2, 0.9), all.sum, {}, 3);
  Matrix C(30, 2);
  Key(5).fill_uniform({C.data(), 60});
  const std::vector<int> starts = functions.best_candidates(first_of(2), C, 3);
  ASSERT_EQ(starts.size(), 6u);
  for (int s = 0; s < 6; ++s) {
    const int begin = 10 * (s / 2);
    Vector values;
    functions.evaluate(C.middleRows(begin, 10), std::vector<int>(10, s), values);
    Index best = 0;
    values.maxCoeff(&best);
    EXPECT_EQ(starts[static_cast<std::size_t>(s)], begin + best);
  }
}

}  // namespace
}  // namespace salvo

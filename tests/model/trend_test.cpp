#include <gtest/gtest.h>

#include <cmath>

#include "model/trend_fit.h"
#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

using testing::hyper;
using testing::uniform;
using testing::wavy;

Trend some_trend(Eigen::Index d) {
  const auto data = wavy(40, d, 0, 3);
  return Trend::through(hyper(KernelType::matern32, d).kernel, data.X, data.y);
}

// Through (K + jI)⁻¹y it passes y at a distance of j·weights, j being the jitter, 1e-6 of the variance.
TEST(Trend, GoesThroughItsValues) {
  const auto data = wavy(40, 3, 0, 3);
  const Trend trend = some_trend(3);
  const double j = 1e-6 * trend.kernel.variance;
  EXPECT_LE((trend.values(data.X) + j * trend.weights - data.y).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_EQ(Trend().values(data.X), Vector::Zero(40));
}

TEST(Trend, ItsGradientIsThatOfItsValues) {
  const Trend trend = some_trend(3);
  const Matrix X = uniform(20, 3, Key(4));
  Vector values = Vector::Zero(20);
  Matrix gradients = Matrix::Zero(20, 3);
  trend.add_to(X, values, &gradients);
  EXPECT_EQ(values, trend.values(X));
  constexpr double h = 1e-5;  // errors: h² of the third derivative, 1e-16/h of rounding
  for (int e = 0; e < 3; ++e) {
    Matrix up = X, down = X;
    up.col(e).array() += h;
    down.col(e).array() -= h;
    const Vector slope = (trend.values(up) - trend.values(down)) / (2 * h);
    EXPECT_LE((slope - gradients.col(e)).lpNorm<Eigen::Infinity>(), 1e-5 * (1 + slope.lpNorm<Eigen::Infinity>()));
  }
}

// GP regression with a known mean function is that of what is left of the values, and the mean added again.
TEST(Trend, AModelWithItIsTheModelOfTheRest) {
  const auto data = wavy(60, 2, 0.3, 5);
  const Trend trend = some_trend(2);
  const Hyperparameters h = hyper(KernelType::matern52, 2);
  const Matrix at = uniform(30, 2, Key(6));
  SparseGp with(h, data.X, trend), rest(h, data.X);
  with.condition(data.X, data.y);
  rest.condition(data.X, data.y - trend.values(data.X));
  const Prediction got = with.predict(at), expected = rest.predict(at);
  EXPECT_LE((got.mean - expected.mean - trend.values(at)).lpNorm<Eigen::Infinity>(), 1e-12);
  EXPECT_EQ(got.variance, expected.variance);
  EXPECT_EQ(with.predict_mean(at), got.mean);
  EXPECT_NEAR(with.bound(), rest.bound(), 1e-9);
}

// Where a kernel has decayed to nothing, nothing but the prior mean is left.
TEST(Trend, FarFromTheDataItIsTheMean) {
  const Trend trend = some_trend(2);
  Hyperparameters h = hyper(KernelType::se, 2);
  h.kernel.lengthscales.setConstant(0.02);
  const Matrix X = 0.1 * uniform(10, 2, Key(1)), at = (0.5 + 0.5 * uniform(20, 2, Key(2)).array()).matrix();
  SparseGp gp(h, X, trend);
  gp.condition(X, testing::normal(10, Key(3)));  // 20 length-scales away: e⁻²⁰⁰
  EXPECT_LE((gp.predict_mean(at) - trend.values(at)).array().abs().maxCoeff() - std::abs(h.mean), 1e-12);
}

struct Pair {
  Matrix X;
  Vector t, y;
};
Pair related(double slope, double offset, double noise, Eigen::Index n = 200) {
  const auto data = wavy(n, 3, 0, 8);
  const double spread = std::sqrt((data.y.array() - data.y.mean()).square().mean());
  Pair out{data.X, data.y / spread, {}};
  out.y = (slope * out.t + noise * testing::normal(n, Key(9))).array() + offset;
  return out;
}

// The kernel is at its noise's mercy here (variance far below): c₀ and b are then those of least squares, known to about
// noise/√n, with the expectation of 1 weighing as much as 1/n of the values do.
TEST(Trend, SlopeAndOffsetAreFound) {
  Hyperparameters h = hyper(KernelType::matern52, 3);
  h.kernel.variance = 1e-6;
  h.noise = 0.01;
  for (const double slope : {0.3, 1.0, 4.0, -2.0}) {
    const Pair pair = related(slope, 5, 0.1);
    const TrendFit found = fit_trend(h, pair.X, pair.t, pair.y);
    EXPECT_NEAR(found.slope, slope, 4 * 0.1 / std::sqrt(200.0) + 1e-3) << slope;
    EXPECT_NEAR(found.mean, 5 - 0, 4 * 0.1 / std::sqrt(200.0) + 0.1) << slope;
  }
}

TEST(Trend, AFewValuesDoNotTurnItRound) {
  const Hyperparameters h = hyper(KernelType::matern52, 3);
  EXPECT_NEAR(fit_trend(h, Matrix::Constant(1, 3, 0.5), Vector::Constant(1, 2.0), Vector::Constant(1, -3.0)).slope, 0.75, 1e-9)
      << "one value, and the offset is free: three to one for 1";
  Hyperparameters noisy = h;
  noisy.noise = 1;
  const Pair few = related(-0.2, 0, 1, 6);
  EXPECT_GE(fit_trend(noisy, few.X, few.t, few.y).slope, -0.2);
}

// With values that have nothing to do with it least squares scatter about 0 by 1/√n = 0.07; the evidence for no slope at all, √n
// to one, draws them in by half and more.
TEST(Trend, WhatExplainsNothingIsLeftAlone) {
  Hyperparameters h = hyper(KernelType::matern52, 3);
  h.kernel.variance = 1e-6;
  h.noise = 1;
  const Pair pair = related(0, 0, 1);
  double squares = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    squares += std::pow(fit_trend(h, pair.X, pair.t, testing::normal(200, Key(seed).fold("y"))).slope, 2);
  EXPECT_LE(std::sqrt(squares / 50), 0.05);
}

}  // namespace
}  // namespace salvo

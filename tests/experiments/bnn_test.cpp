#include "paper/bnn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/data.h"

namespace salvo::experiments {
namespace {

// m ← m + v ∂log Z/∂m and v ← v − v²((∂log Z/∂m)² − 2 ∂log Z/∂v): with derivatives by central differences of log Z. Their own
// error is about h² of a third derivative of order 1, and 1e-16/h.
TEST(Bnn, UpdatesFollowNumericalDerivativesOfTheEvidence) {
  const std::vector<int> on{0, 2, 5};
  constexpr double y = 1.7, h = 1e-5;
  Bnn before(7, {.num_hidden = 6}, Key(1));
  for (const int other : {1, 3}) before.update(std::vector<int>{other, 4}, 0.3 * other);  // variances that differ
  Bnn after = before;
  after.update(on, y);
  const auto derivative = [&](double& value) {
    const double at = value;
    value = at + h;
    const double above = before.log_evidence(on, y);
    value = at - h;
    const double below = before.log_evidence(on, y);
    value = at;
    return (above - below) / (2 * h);
  };
  for (const int which : {0, 1})
    for (std::size_t i = 0; i < before.layer(which).mean.size(); ++i) {
      double &m = before.layer(which).mean[i], &v = before.layer(which).variance[i];
      const double by_mean = derivative(m), by_variance = derivative(v);
      EXPECT_NEAR(after.layer(which).mean[i], m + v * by_mean, 1e-7);
      EXPECT_NEAR(after.layer(which).variance[i], v - v * v * (by_mean * by_mean - 2 * by_variance), 1e-7);
    }
}

// The output's mean and variance are those of many drawn networks. The hidden units share no weights, so the first layer's
// moments are exact; 4000 draws leave a standard error of 1.6% of σ and, for tails a little heavier than normal, 4% of σ².
TEST(Bnn, MomentsAreThoseOfDrawnNetworks) {
  Bnn net(9, {.num_hidden = 8}, Key(2));
  const std::vector<int> on{1, 4, 6, 7};
  const Bnn::Moments moments = net.predict(on);
  double sum = 0, squares = 0;
  constexpr int kDraws = 4000;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double value = net.draw(Key(3).fold(i)).value(on);
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kDraws, variance = squares / kDraws - mean * mean;
  EXPECT_NEAR(mean, moments.mean, 5 * std::sqrt(moments.variance / kDraws));
  EXPECT_NEAR(variance, moments.variance, 5 * 0.04 * moments.variance);
}

TEST(Bnn, LearnsAFunctionOfBits) {
  const auto value = [](const std::vector<int>& on) {
    const auto has = [&](int bit) { return std::find(on.begin(), on.end(), bit) != on.end(); };
    return (has(0) ? 1.0 : 0.0) - (has(1) ? 1.0 : 0.0) + (has(2) && has(3) ? 1.5 : 0.0);
  };
  std::vector<std::vector<int>> inputs(600);
  Vector y(600);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (int bit = 0; bit < 16; ++bit)
      if (Key(4).fold(i).uniform(static_cast<std::uint64_t>(bit)) < 0.4) inputs[i].push_back(bit);
    y(static_cast<Eigen::Index>(i)) = value(inputs[i]);
  }
  Bnn net(16, {.num_hidden = 30, .num_epochs = 20}, Key(5));
  net.train({inputs.begin(), inputs.begin() + 500}, y.head(500), Key(6));
  double residuals = 0;
  const Vector held = y.tail(100).array() - y.mean();
  for (std::size_t i = 500; i < 600; ++i) residuals += std::pow(net.predict(inputs[i]).mean - y(static_cast<Eigen::Index>(i)), 2);
  EXPECT_LT(residuals, 0.3 * held.squaredNorm());
}

}  // namespace
}  // namespace salvo::experiments

#include "search/leaders.h"

#include <gtest/gtest.h>
#include <salvo/random.h>

#include <cmath>

namespace salvo {
namespace {

using Index = Eigen::Index;

// A search's observations: a fifth anywhere, the others ever closer to the optimum at (0.3, …, 0.3).
Matrix search_points(Index n, Index d, Key key) {
  Matrix X(n, d), steps(n, d);
  key.fold("anywhere").fill_uniform({X.data(), static_cast<std::size_t>(X.size())});
  key.fold("steps").fill_normal({steps.data(), static_cast<std::size_t>(steps.size())});
  for (Index i = n / 5; i < n; ++i) {
    const double size = std::pow(10.0, -0.7 - 1.3 * static_cast<double>(i) / static_cast<double>(n));
    X.row(i) = (0.3 + size * steps.row(i).array()).cwiseMax(0.0).cwiseMin(1.0);
  }
  return X;
}

Vector normals(Index n, Key key) {
  Vector out(n);
  key.fill_normal({out.data(), static_cast<std::size_t>(n)});
  return out;
}

Vector hill(const Matrix& X) { return -10 * (X.array() - 0.3).square().rowwise().sum(); }

Index argmax(const Vector& values) {
  Index best = 0;
  values.maxCoeff(&best);
  return best;
}

// With noise that the model has right its mean decides, however lucky somebody was.
TEST(Leaders, WithNoiseTheBestMeanLeads) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix X = search_points(800, 4, Key(seed));
    const Vector mean = hill(X), y = mean + 0.5 * normals(800, Key(seed).fold("noise"));
    const Leader leader = choose_leader(X, y, mean);
    EXPECT_EQ(leader.row, argmax(mean)) << seed;
    EXPECT_EQ(leader.trust, 0) << seed;
    EXPECT_NEAR(std::sqrt(leader.noise), 0.5, 0.15) << seed;
  }
}

// Without noise it is the best point tried, whatever the model takes for noise: it smooths, it is blind, it is wrong.
TEST(Leaders, WithoutNoiseTheBestValueLeads) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Matrix X = search_points(800, 4, Key(seed));
    const Vector y = hill(X), error = normals(800, Key(seed).fold("error"));
    for (const Vector& mean : {Vector(0.5 * y), Vector(Vector::Constant(800, -1)), Vector(y + 0.3 * error), Vector(error)})
      EXPECT_EQ(choose_leader(X, y, mean).row, argmax(y)) << seed;
  }
}

// A model that is too low on a noisy summit is mended there: neither its own favourite, far off, nor the luckiest leads.
TEST(Leaders, AMeanThatMissesASummitIsMended) {
  const Matrix X = search_points(1000, 3, Key(1));
  const Vector far = (X.array() - 0.3).square().rowwise().sum();
  const Vector truth = 5 * (-far.array() / 0.02).exp(), noise = normals(1000, Key(2));
  const Vector mean = truth.cwiseMin(0.5) + far;
  const Leader leader = choose_leader(X, truth + 0.3 * noise, mean);
  EXPECT_GT(truth(leader.row), truth.maxCoeff() - 2 * 0.3);  // deviations of the noise
  EXPECT_LT(truth(argmax(mean)), 4);
}

// Values without any pattern may be noise or not: points evaluated twice say which.
TEST(Leaders, RepeatsTellRoughnessFromNoise) {
  Matrix X = search_points(400, 3, Key(3));
  Vector y = normals(400, Key(4));
  const Vector mean = 0.1 * hill(X);
  EXPECT_EQ(choose_leader(X, y, mean).row, argmax(mean));
  for (const Index i : {10, 11}) {
    X.row(i + 10) = X.row(i);
    y(i + 10) = y(i);
  }
  EXPECT_EQ(choose_leader(X, y, mean).row, argmax(y));
  EXPECT_EQ(choose_leader(X, y, mean).noise, 0);
}

// A rough objective with some noise: four points evaluated twice bound that noise, and beside what it can do no mean of a model
// that takes the roughness for noise is believed. One of twenty such bounds is too low, most are several times too high.
TEST(Leaders, FourRepeatsAreEnoughToDistrustAModelThatSmooths) {
  constexpr double kRough = 4, kNoise = 1;
  int close = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Matrix X = search_points(200, 5, Key(seed));
    Vector truth = kRough * normals(200, Key(seed).fold("rough"));
    for (const Index i : {20, 21, 22, 23}) {
      X.row(i + 100) = X.row(i);
      truth(i + 100) = truth(i);
    }
    const Vector y = truth + kNoise * normals(200, Key(seed).fold("noise"));
    close += truth(choose_leader(X, y, 0.1 * hill(X)).row) > truth.maxCoeff() - 2 * kNoise ? 1 : 0;
  }
  EXPECT_GE(close, 15);  // of 20: 98% of the bounds lie below the roughness; with three times the bound 12 were close
}

TEST(Leaders, AFewValuesAreEnough) {
  const Matrix X = search_points(3, 2, Key(5));
  const Vector y = Vector::LinSpaced(3, 0, 2), mean = Vector::LinSpaced(3, 1, 0);
  EXPECT_EQ(choose_leader(X, y, mean).row, 0);                     // by the mean
  EXPECT_EQ(choose_leader(X, y, 10 * (1 + mean.array())).row, 2);  // no mean above every value
  EXPECT_EQ(choose_leader(X.topRows(1), y.head(1), mean.head(1)).row, 0);
}

}  // namespace
}  // namespace salvo

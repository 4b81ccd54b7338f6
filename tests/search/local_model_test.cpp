#include "search/local_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "model/exact_gp.h"

namespace salvo {
namespace {

Encoding box_of(int d) {
  std::vector<Parameter> parameters;
  for (int e = 0; e < d; ++e) parameters.push_back({"x" + std::to_string(e), Float{0, 1}});
  return Encoding(Space(parameters));
}

Observations observed(int d, int n, const std::function<double(const Vector&)>& f) {
  Observations data(d);
  for (int i = 0; i < n; ++i) {
    Vector x(d);
    Key(7).fold(static_cast<std::uint64_t>(i)).fill_uniform({x.data(), static_cast<std::size_t>(d)});
    data.add({.id = i + 1, .sequence = i + 1}, x, f(x));
  }
  return data;
}

double tilted_valley(const Vector& x) { return -std::pow(30 * (x(0) - x(1)), 2) - std::pow(x(0) + x(1) - 1, 2); }
double straight_valley(const Vector& x) { return -std::pow(30 * (x(0) - 0.5), 2) - std::pow(x(1) - 0.4, 2); }

TEST(LocalModel, IsTheExactGpOfTheNearestInItsFrame) {
  const Encoding space = box_of(2);
  const Observations data = observed(2, 120, tilted_valley);
  const LocalShape shape = learn_shape(space, {}, data, data.size(), nearest_rows(data, data.size(), 5, 60), 0);
  const LocalModel local(space, shape, data, 5, nearest_rows(data, data.size(), 5, 60));
  ASSERT_EQ(local.rows().size(), 60U);
  const auto distance = [&](std::int64_t row) { return (data.X().row(row) - data.X().row(5)).norm(); };
  double farthest = 0;
  for (const auto row : local.rows()) farthest = std::max(farthest, distance(row));
  for (std::int64_t row = 0; row < data.size(); ++row) {
    const bool inside = std::find(local.rows().begin(), local.rows().end(), row) != local.rows().end();
    EXPECT_EQ(inside, distance(row) <= farthest);
  }
  const Matrix X = data.X().topRows(30);
  // Kzz has a jitter of 1e-6 of its variance, which is as much more noise: an exact GP with it says the same.
  Hyperparameters hyper = shape.hyper;
  hyper.noise += local.gp().jitter() * hyper.kernel.variance;
  const ExactGp exact(hyper, local.frame().inside(data.X()(local.rows(), Eigen::all)), local.y());
  const Prediction mine = local.predict(X), wanted = exact.predict(local.frame().inside(X));
  const double spread = std::sqrt(hyper.kernel.variance);
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    EXPECT_NEAR(mine.mean(i), wanted.mean(i), 0.01 * spread);
    EXPECT_NEAR(mine.variance(i), wanted.variance(i), 0.01 * hyper.kernel.variance);
  }
}

TEST(LocalModel, TurnsItsAxesAlongATiltedValleyOnly) {
  const Encoding space = box_of(2);
  for (const bool tilted : {false, true}) {
    const Observations data = observed(2, 200, tilted ? tilted_valley : straight_valley);
    const LocalShape shape = learn_shape(space, {}, data, data.size(), nearest_rows(data, data.size(), 0, 200), 0);
    const Vector& ell = shape.hyper.kernel.lengthscales;
    const Eigen::Index longest = ell(0) * shape.scales(0) > ell(1) * shape.scales(1) ? 0 : 1;
    const Vector along = shape.axes.col(longest).cwiseAbs();
    if (tilted) {
      EXPECT_TRUE(shape.turned);
      EXPECT_NEAR(along(0), along(1), 0.05);
    } else {
      EXPECT_NEAR(along(1), 1, 0.01) << "turned or not";
    }
  }
}

TEST(LocalModel, AFrameLeadsThereAndBack) {
  const Encoding space = box_of(2);
  const Observations data = observed(2, 100, tilted_valley);
  const LocalModel local(space, learn_shape(space, {}, data, 100, nearest_rows(data, 100, 3, 100), 0), data, 3,
                         nearest_rows(data, data.size(), 3, 100));
  const Matrix X = data.X();
  EXPECT_LT((local.frame().outside(local.frame().inside(X)) - X).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(local.frame().inside(X.row(3)).norm(), 1e-12);
}

// a + b·y, b > 0: the same model. And one bad corner of 10⁹ does not hide how the good values differ.
TEST(LocalModel, SeesValuesInUnitsOfTheirOwn) {
  const Encoding space = box_of(2);
  const auto at = [&](const std::function<double(double)>& seen, Transform transform) {
    const Observations data = observed(2, 150, [&](const Vector& x) { return seen(straight_valley(x)); });
    return learn_shape(space, {.transform = transform}, data, 150, nearest_rows(data, 150, 0, 150), 0);
  };
  const LocalShape plain = at([](double y) { return y; }, Transform::none);
  const LocalShape other = at([](double y) { return 1024 * y + 64; }, Transform::none);
  EXPECT_NEAR(other.units.unit(), 1024 * plain.units.unit(), 1e-9 * other.units.unit());
  EXPECT_LT((other.hyper.kernel.lengthscales - plain.hyper.kernel.lengthscales).norm(), 1e-3);
  const LocalShape corner = at([](double y) { return y < -200 ? -1e9 : y; }, Transform::automatic);
  EXPECT_TRUE(corner.units.squeezed());
  EXPECT_LT(corner.units.unit(), 1e3);
}

TEST(LocalModel, KnowsNoLessNoiseThanItIsTold) {
  const Encoding space = box_of(2);
  const Observations data = observed(2, 100, straight_valley);
  const LocalShape quiet = learn_shape(space, {}, data, 100, nearest_rows(data, 100, 0, 100), 0);
  const double deviation = 0.3 * quiet.units.unit();
  EXPECT_LT(quiet.hyper.noise, 1e-3);
  EXPECT_GE(learn_shape(space, {}, data, 100, nearest_rows(data, 100, 0, 100), deviation).hyper.noise, 0.0899);
}

TEST(LocalModel, LearnsFromWhatWasToldUntilThen) {
  const Encoding space = box_of(2);
  const Observations few = observed(2, 60, tilted_valley), many = observed(2, 90, tilted_valley);
  const LocalShape a = learn_shape(space, {}, few, 60, nearest_rows(few, 60, 4, 50), 0),
                   b = learn_shape(space, {}, many, 60, nearest_rows(many, 60, 4, 50), 0);
  EXPECT_EQ(a.hyper.kernel.lengthscales, b.hyper.kernel.lengthscales);
  EXPECT_EQ(a.axes, b.axes);
}

}  // namespace
}  // namespace salvo

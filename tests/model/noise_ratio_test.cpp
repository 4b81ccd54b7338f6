// Values whose noise differs: τ rᵢ.
#include "model/noise_ratio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/svgp.h>

#include "model/bound.h"
#include "model/evidence.h"
#include "model/exact_gp.h"
#include "support/data.h"

namespace salvo {
namespace {

using ::testing::HasSubstr;
using testing::hyper;
using testing::uniform;
using testing::wavy;

// The same points with one to three values each, and with the mean of these, whose noise is a third of one's, say.
struct Repeated {
  Matrix X, X_once;
  Vector y, mean, r;
};
Repeated repeated(int num_points) {
  Repeated out{Matrix(0, 2), uniform(num_points, 2, Key(1)), Vector(), Vector::Zero(num_points), Vector(num_points)};
  const Vector noise = 0.3 * testing::normal(4 * num_points, Key(2));
  std::vector<double> y;
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < num_points; ++i) {
    const auto count = static_cast<int>(1 + i % 3);
    out.r(i) = 1.0 / count;
    for (int k = 0; k < count; ++k) {
      rows.push_back(i);
      y.push_back(std::sin(6 * out.X_once(i, 0)) + out.X_once(i, 1) + noise(std::ssize(rows)));
      out.mean(i) += y.back() / count;
    }
  }
  out.X = out.X_once(rows, Eigen::all);
  out.y = Eigen::Map<const Vector>(y.data(), std::ssize(y));
  return out;
}

void expect_same(const Prediction& a, const Prediction& b, double slack) {
  EXPECT_LT((a.mean - b.mean).cwiseAbs().maxCoeff(), slack);
  EXPECT_LT((a.variance - b.variance).cwiseAbs().maxCoeff(), slack);
}

TEST(NoiseRatio, AMeanOfSeveralValuesTellsAModelWhatTheyDo) {
  const Repeated data = repeated(60);
  const Hyperparameters h = hyper(KernelType::matern52, 2);
  const Matrix at = uniform(40, 2, Key(3));
  const auto told = [&](const InducingVariables& u, bool means) {
    SparseGp gp(h, u);
    means ? gp.condition(data.X_once, data.mean, data.r) : gp.condition(data.X, data.y);
    return gp.predict(at);
  };
  for (const InducingVariables& u : {InducingVariables(uniform(20, 2, Key(4))), InducingVariables(data.X_once),
                                     InducingVariables(eigenfunctions(EigenType::box, h.kernel, 40))})
    expect_same(told(u, true), told(u, false), 1e-9);
  expect_same(ExactGp(h, data.X_once, data.mean, data.r).predict(at), ExactGp(h, data.X, data.y).predict(at), 1e-8);
  Svgp means(h, uniform(20, 2, Key(4))), values = means;
  means.natural_step(data.X_once, data.mean, 60, 1.0, data.r);
  values.natural_step(data.X, data.y, data.y.size(), 1.0);
  expect_same(means.predict(at), values.predict(at), 1e-9);
}

// Every bound there is, as a function of hyperparameters and ratios.
using Bound = std::function<BoundGradient(const Hyperparameters&, const Vector& r)>;
std::map<std::string, Bound> bounds(const testing::Data& data) {
  const Matrix Z = uniform(15, 2, Key(4));
  const Eigenfunctions box = eigenfunctions(EigenType::box, hyper(KernelType::se, 2).kernel, 30);
  const Eigenfunctions gaussian = eigenfunctions(EigenType::gaussian, hyper(KernelType::se, 2).kernel, 30);
  const auto features = [data](const Eigenfunctions& f) {
    return [data, f](const Hyperparameters& h, const Vector& r) { return bound_gradient(h, f, data.X, data.y, r); };
  };
  return {{"points", [=](const auto& h, const auto& r) { return bound_gradient(h, Z, data.X, data.y, r); }},
          {"evidence", [=](const auto& h, const auto& r) { return evidence_gradient(h, data.X, data.y, r); }},
          {"box", features(box)},
          {"gaussian", features(gaussian)},
          {"free", [=](const auto& h, const auto& r) {
             Svgp model(h, Z);
             model.natural_step(data.X, data.y, data.X.rows(), 1.0, r);
             return model.bound_gradient(data.X, data.y, data.X.rows(), r);
           }}};
}

TEST(NoiseRatio, OneRatioForAllIsThatMuchNoise) {
  const testing::Data data = wavy(80, 2, 0.3, 5);
  const Hyperparameters h = hyper(KernelType::se, 2);
  Hyperparameters noisier = h;
  noisier.noise *= 3;
  for (const auto& [name, bound] : bounds(data)) {
    const BoundGradient a = bound(h, Vector::Constant(80, 3.0)), b = bound(noisier, {});
    EXPECT_NEAR(a.bound, b.bound, 1e-9 * std::abs(b.bound)) << name;
    EXPECT_LT((a.gradient - b.gradient).cwiseAbs().maxCoeff(), 1e-8 * (1 + b.gradient.cwiseAbs().maxCoeff())) << name;
  }
}

// Central differences of step 1e-4: the third derivatives of a bound of 80 values are some hundreds at most.
TEST(NoiseRatio, GradientsEqualFiniteDifferences) {
  const testing::Data data = wavy(80, 2, 0.3, 5);
  const Hyperparameters h = hyper(KernelType::se, 2);
  const Vector r = (2 * testing::normal(80, Key(6))).array().exp();
  for (const auto& [name, bound] : bounds(data)) {
    const Vector gradient = bound(h, r).gradient;
    for (int i = 0; i < 5; ++i) {
      const auto moved = [&](double by) {
        Hyperparameters there = h;
        if (i < 2) there.kernel.lengthscales(i) *= std::exp(by);
        if (i == 2) there.kernel.variance *= std::exp(by);
        if (i == 3) there.noise *= std::exp(by);
        if (i == 4) there.mean += by;
        return bound(there, r).bound;
      };
      EXPECT_NEAR(gradient(i), (moved(1e-4) - moved(-1e-4)) / 2e-4, 1e-4 * (1 + std::abs(gradient(i)))) << name << ' ' << i;
    }
  }
  Matrix Z = uniform(8, 2, Key(7)), by_Z;
  (void)bound_gradient(h, Z, data.X, data.y, &by_Z, r);
  const auto moved = [&](double by) {
    Matrix there = Z;
    there(3, 1) += by;
    return bound_gradient(h, there, data.X, data.y, r).bound;
  };
  EXPECT_NEAR(by_Z(3, 1), (moved(1e-5) - moved(-1e-5)) / 2e-5, 1e-4 * (1 + std::abs(by_Z(3, 1))));
}

TEST(NoiseRatio, TheModelsBoundIsTheOneThatIsFitted) {
  const testing::Data data = wavy(80, 2, 0.3, 5);
  const Hyperparameters h = hyper(KernelType::matern32, 2);
  const Vector r = testing::normal(80, Key(6)).array().exp();
  const Matrix Z = uniform(15, 2, Key(4));
  SparseGp gp(h, Z);
  gp.condition(data.X.topRows(30), data.y.head(30), r.head(30));
  gp.condition(data.X.bottomRows(50), data.y.tail(50), r.tail(50));
  EXPECT_NEAR(gp.bound(), bound_gradient(h, Z, data.X, data.y, r).bound, 1e-7);
  EXPECT_NEAR(ExactGp(h, data.X, data.y, r).evidence(), evidence_gradient(h, data.X, data.y, r).bound, 1e-8);
}

// Half of the values are a hundred times as noisy in variance: who knows it finds the function with less error.
TEST(NoiseRatio, WhoKnowsItLearnsMore) {
  const int n = 300;
  const Matrix X = uniform(n, 2, Key(1)), at = uniform(200, 2, Key(2));
  const auto f = [](const Matrix& P) { return Vector((4 * P.col(0)).array().sin() + P.col(1).array().square()); };
  Vector r(n);
  for (Eigen::Index i = 0; i < n; ++i) r(i) = i % 2 == 0 ? 1 : 100;
  const Vector y = f(X) + 0.05 * testing::normal(n, Key(3)).cwiseProduct(r.cwiseSqrt());
  const auto error = [&](const Vector& known) {
    Hyperparameters h = hyper(KernelType::se, 2);
    (void)fit(h, X, X, y, {.min_variance = 0.01, .min_noise = 1e-6}, known);
    return (ExactGp(h, X, y, known).predict(at).mean - f(at)).norm();
  };
  EXPECT_LT(error(r), 0.5 * error({}));
}

TEST(NoiseRatio, BadRatiosAreNamed) {
  const testing::Data data = wavy(10, 2, 0.3, 5);
  const auto message = [&](const Vector& r) {
    try {
      SparseGp gp(hyper(KernelType::se, 2), data.X);
      gp.condition(data.X, data.y, r);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message(Vector::Ones(9)), HasSubstr("expected r for each of 10 values, got 9"));
  EXPECT_THAT(message(Vector::Zero(10)), HasSubstr("must be positive"));
  EXPECT_THAT(message(Vector::Constant(10, std::nan(""))), HasSubstr("must be positive"));
}

}  // namespace
}  // namespace salvo

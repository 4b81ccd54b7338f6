#include <gtest/gtest.h>
#include <salvo/diagnose.h>

#include <cmath>

#include "sample/path_variance.h"
#include "support/data.h"

namespace salvo {
namespace {

using testing::hyper;
using testing::uniform;
using testing::wavy;

SparseGp sparse(const Hyperparameters& h, const testing::Data& data, int m) {
  SparseGp gp(h, choose_inducing(Inducing::greedy, h.kernel, data.X, data.y, m, Key(4)));
  gp.condition(data.X, data.y);
  return gp;
}

TEST(PathVariance, IsThatOfManyDraws) {
  const auto data = wavy(150, 2, 0.3, 3);
  const SparseGp gp = sparse(hyper(KernelType::matern52, 2), data, 30);
  const int B = 4000;
  const Paths paths = draw_paths(gp, {.num_paths = B, .num_features = 80}, Key(5));
  const Matrix X = uniform(10, 2, Key(6));
  const Matrix V = paths.values(X);
  const PathVariance exact = path_variance(gp, paths, X);
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    const double variance = (V.row(i).array() - V.row(i).mean()).square().sum() / (B - 1);
    EXPECT_NEAR(variance, exact.posterior(i), 4.5 * exact.posterior(i) * std::sqrt(2.0 / B));
  }
}

TEST(PathVariance, IsThatOfManyDrawsForEigenfunctionsToo) {
  const auto data = wavy(150, 2, 0.3, 3);
  const Hyperparameters h = hyper(KernelType::matern52, 2);
  SparseGp features(h, eigenfunctions(EigenType::box, h.kernel, 30));
  features.condition(data.X, data.y);
  const SparseGp points = sparse(h, data, 30);
  const int B = 4000;
  const Matrix X = uniform(10, 2, Key(6));
  for (const SparseGp& gp : {features, points}) {
    const Paths paths = draw_paths(gp, {.num_paths = B, .num_features = 80, .features = FeatureType::eigen}, Key(5));
    const Matrix V = paths.values(X);
    const PathVariance exact = path_variance(gp, paths, X);
    for (Eigen::Index i = 0; i < X.rows(); ++i) {
      const double variance = (V.row(i).array() - V.row(i).mean()).square().sum() / (B - 1);
      EXPECT_NEAR(variance, exact.posterior(i), 4.5 * exact.posterior(i) * std::sqrt(2.0 / B));
    }
  }
}

// Rule (6) loses what its M functions leave out of the prior, and nothing else.
TEST(PathVariance, OfRuleSixIsTheModelsLessWhatThePriorLoses) {
  const auto data = wavy(150, 2, 0.3, 3);
  const Hyperparameters h = hyper(KernelType::matern32, 2);
  SparseGp gp(h, eigenfunctions(EigenType::box, h.kernel, 40));
  gp.condition(data.X, data.y);
  const Matrix X = uniform(300, 2, Key(6));  // more than one chunk
  const PathVariance at = path_variance(gp, draw_paths(gp, {.num_features = 120}, Key(5)), X);
  const Vector lost = h.kernel.variance - at.prior.array();
  EXPECT_LT((gp.predict(X).variance - lost - at.posterior).cwiseAbs().maxCoeff(), 1e-12 * h.kernel.variance * 120);
}

TEST(Measure, MoreEigenfunctionsAgreeBetter) {
  const auto data = wavy(300, 2, 0.3, 13);
  const Hyperparameters h = hyper(KernelType::se, 2);
  const Matrix X = uniform(300, 2, Key(14));
  const auto quality = [&](int m, int M) {
    const SparseGp gp(h, eigenfunctions(EigenType::box, h.kernel, m));
    return measure(ModelComparison(gp, data.X, data.y, {.num_features = M}, Key(15)).at(X), std::sqrt(h.kernel.variance));
  };
  const MeasuredQuality few = quality(30, 30), many = quality(200, 200), far = quality(30, 200);
  EXPECT_LT(many.a_low * many.a_high, few.a_low * few.a_high);
  EXPECT_LT(many.c, few.c);
  EXPECT_LT(far.epsilon, few.epsilon / 3);
  EXPECT_EQ(far.c, few.c) << "M is the samples' matter";
}

TEST(Measure, EveryPointInducingIsExactUpToTheJitter) {
  const auto data = wavy(60, 2, 0.3, 7);
  const Hyperparameters h = hyper(KernelType::matern32, 2);
  const ModelComparison models(SparseGp(h, data.X), data.X, data.y, {.num_features = 500}, Key(8));
  const MeasuredQuality q = measure(models.at(uniform(200, 2, Key(9))), std::sqrt(h.kernel.variance));
  // The jitter, 1e-6 of the variance, is noise of the inducing values: relative to the noise of the data, 0.09/1.7, it
  // changes variances and means in the fifth digit.
  EXPECT_NEAR(q.a_low, 1, 1e-3);
  EXPECT_NEAR(q.a_high, 1, 1e-3);
  EXPECT_NEAR(q.c, 0, 1e-2);
  EXPECT_LT(models.theta_over_tau(), 60 * 1e-5 * h.kernel.variance / h.noise);
}

// Burt et al.: KL ≤ θ/τ in expectation, and the marginals follow it. At a small θ/τ the promise must hold as measured
// (y was not drawn from the prior, so twice is allowed).
TEST(Measure, StaysWithinThePromiseWhereTheThetaIsSmall) {
  const auto data = wavy(120, 1, 0.3, 10);
  const Hyperparameters h = hyper(KernelType::se, 1);
  const SparseGp gp = sparse(h, data, 14);
  const ModelComparison models(gp, data.X, data.y, {.num_features = 500}, Key(11));
  const Approximation promised = proposition1(2 * models.theta_over_tau(), 0);
  ASSERT_TRUE(promised.speaks()) << promised.kappa;
  const MeasuredQuality q = measure(models.at(uniform(300, 1, Key(12))), std::sqrt(h.kernel.variance));
  EXPECT_LE(q.a_low, 1 + 2 * (promised.a_low - 1));
  EXPECT_LE(q.a_high, 1 + 2 * (promised.a_high - 1));
  EXPECT_LE(q.c, 2 * promised.c);
}

TEST(Measure, MoreFeaturesAndMoreInducingPointsAgreeBetter) {
  const auto data = wavy(300, 2, 0.3, 13);
  const Hyperparameters h = hyper(KernelType::matern52, 2);
  const Matrix X = uniform(300, 2, Key(14));
  const double stddev = std::sqrt(h.kernel.variance);
  const auto quality = [&](int m, int M) {
    return measure(ModelComparison(sparse(h, data, m), data.X, data.y, {.num_features = M}, Key(15)).at(X), stddev);
  };
  const MeasuredQuality few = quality(20, 100), many = quality(120, 100), waves = quality(20, 100 * 64);
  EXPECT_LT(many.a_low * many.a_high, few.a_low * few.a_high);
  EXPECT_LT(many.c, few.c);
  EXPECT_LT(waves.epsilon, few.epsilon / 3);  // √64 = 8, and the luck of one draw
}

TEST(Measure, AShareLeavesOutTheWorst) {
  Comparison at;
  at.exact_mean = Vector::Zero(100);
  at.exact_stddev = at.sparse_stddev = at.path_stddev = Vector::Ones(100);
  at.sparse_mean = Vector::LinSpaced(100, 0.01, 1);
  EXPECT_DOUBLE_EQ(measure(at, 1).c, 1);
  EXPECT_NEAR(measure(at, 1, 0.95).c, 0.95, 1e-12);
  EXPECT_EQ(measure(at, 1).a_low, 1);
}

}  // namespace
}  // namespace salvo

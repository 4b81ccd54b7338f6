#include <gtest/gtest.h>
#include <salvo/sparse_gp.h>
#include <salvo/threads.h>

#include "model/left_out.h"
#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

using testing::hyper;
using testing::uniform;
using testing::wavy;

class EveryKernel : public ::testing::TestWithParam<KernelType> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel, ::testing::ValuesIn(testing::kAllKernels),
                         [](const auto& at) { return testing::test_name(at.param); });

TEST_P(EveryKernel, GramEqualsItsFormula) {
  const Matrix X = uniform(40, 3, Key(1)), Z = uniform(30, 3, Key(2));
  const Kernel kernel = hyper(GetParam(), 3).kernel;
  // exp by libmvec is within 4 units in the last place.
  EXPECT_LT((gram(kernel, X, Z) - reference::dense_gram(kernel, X, Z)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_EQ(gram(kernel, X, X)(7, 7), kernel.variance);
}

// The jitter is 1e-6 of the variance: it acts like that much more noise on u, so means and variances may differ by
// about κ·1e-6, κ = ‖K(K + τI)⁻¹‖·n-fold sums; 1e-4 is a hundred times the jitter.
TEST_P(EveryKernel, EqualsExactGpWhenInducingPointsAreTheData) {
  const auto data = wavy(120, 3, 0.3, 5);
  const Hyperparameters h = hyper(GetParam(), 3);
  SparseGp gp(h, data.X);
  gp.condition(data.X, data.y);
  const Matrix at = uniform(50, 3, Key(9));
  const Prediction got = gp.predict(at);
  const reference::Exact exact = reference::exact_gp(h, data.X, data.y, at);
  EXPECT_LT((got.mean - exact.mean).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT((got.variance - exact.variance).cwiseAbs().maxCoeff(), 1e-4);
  // θ = Tr(Kxx − Qxx) is at most n·jitter·σ², and enters the bound as θ/2τ.
  const double slack = 120 * 1e-6 * h.kernel.variance / h.noise;
  EXPECT_NEAR(gp.bound(), exact.evidence, slack);
  EXPECT_LE(gp.theta(), 120 * 1.01e-6 * h.kernel.variance);
}

TEST_P(EveryKernel, OfItsOwnPointsInAnyOrderIsTheExactGpWithTheJitterAsNoise) {
  const auto data = wavy(120, 3, 0.3, 5);
  const Matrix at = uniform(50, 3, Key(9));
  Hyperparameters h = hyper(GetParam(), 3);
  SparseGp gp(h, data.X.colwise().reverse());
  gp.condition(data.X, data.y);
  h.noise += gp.jitter() * h.kernel.variance;
  const reference::Exact exact = reference::exact_gp(h, data.X, data.y, at);
  const Prediction got = gp.predict(at);
  EXPECT_LT((got.mean - exact.mean).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((got.variance - exact.variance).cwiseAbs().maxCoeff(), 1e-8);
}

// What was seen several times counts as often; the jitter moves a prediction by no more than its share of the noise.
TEST_P(EveryKernel, OfItsOwnPointsSeenMoreThanOnceIsTheExactGpAsWell) {
  auto data = wavy(120, 3, 0.3, 5);
  const Matrix Z = data.X.topRows(100), at = uniform(50, 3, Key(9));
  data.X.bottomRows(20) = data.X.topRows(20);
  const Hyperparameters h = hyper(GetParam(), 3);
  SparseGp gp(h, Z);
  gp.condition(data.X, data.y);
  const reference::Exact exact = reference::exact_gp(h, data.X, data.y, at);
  const Prediction got = gp.predict(at);
  const double slack = 120 * 1e-6 * h.kernel.variance / h.noise;
  EXPECT_LT((got.mean - exact.mean).cwiseAbs().maxCoeff(), slack);
  EXPECT_LT((got.variance - exact.variance).cwiseAbs().maxCoeff(), slack);
  EXPECT_EQ(gp.theta(), 0);
  Hyperparameters same = h;
  EXPECT_NEAR(fit(same, Z, data.X, data.y, {.max_evaluations = 1}).bound, exact.evidence, 1e-8 * std::abs(exact.evidence));
}

// By the definition: the GP of all the others.
TEST_P(EveryKernel, ValuesLeftOutArePredictedWithoutFittingAgain) {
  const auto data = wavy(40, 2, 0.3, 6);
  const Hyperparameters h = hyper(GetParam(), 2);
  const reference::Exact all = reference::exact_gp(h, data.X, data.y, data.X);
  const Vector got = left_out_means({all.mean, all.variance}, data.y, h.noise);
  for (Eigen::Index i = 0; i < 40; ++i) {
    std::vector<Eigen::Index> others;
    for (Eigen::Index j = 0; j < 40; ++j)
      if (j != i) others.push_back(j);
    const Matrix X = data.X(others, Eigen::all);
    EXPECT_NEAR(got(i), reference::exact_gp(h, X, data.y(others), data.X.row(i)).mean(0), 1e-8);
  }
}

TEST_P(EveryKernel, PointsToldAfterItsOwnLeaveTheirOwnVarianceUnexplained) {
  const auto data = wavy(120, 3, 0.3, 5), more = wavy(30, 3, 0.3, 6);
  Hyperparameters h = hyper(GetParam(), 3);
  h.kernel.variance = 1000;  // the jitter of 120 points is then 0.12, not to be taken from what the 30 leave
  SparseGp gp(h, data.X), alone(h, data.X);
  gp.condition(data.X, data.y);
  gp.condition(more.X, more.y);
  alone.condition(more.X, more.y);
  EXPECT_GT(alone.theta(), 0);
  EXPECT_NEAR(gp.theta(), alone.theta(), 1e-12 * 150 * h.kernel.variance);
}

TEST_P(EveryKernel, BoundEqualsItsDefinition) {
  const auto data = wavy(300, 3, 0.3, 6);
  const Matrix Z = uniform(40, 3, Key(3));
  const Hyperparameters h = hyper(GetParam(), 3);
  SparseGp gp(h, Z);
  gp.condition(data.X, data.y);
  const double expected = reference::bound(h, Z, data.X, data.y, gp.jitter());
  EXPECT_NEAR(gp.bound(), expected, 1e-8 * std::abs(expected));
  EXPECT_NEAR(bound_gradient(h, Z, data.X, data.y).bound, expected, 1e-7 * std::abs(expected));
}

TEST_P(EveryKernel, GradientEqualsFiniteDifferences) {
  const auto data = wavy(200, 3, 0.3, 7);
  const Matrix Z = uniform(25, 3, Key(4));
  const Hyperparameters h = hyper(GetParam(), 3);
  const BoundGradient at = bound_gradient(h, Z, data.X, data.y);
  const auto moved = [&](int i, double step) {
    Hyperparameters p = h;
    if (i < 3) p.kernel.lengthscales(i) *= std::exp(step);
    if (i == 3) p.kernel.variance *= std::exp(step);
    if (i == 4) p.noise *= std::exp(step);
    if (i == 5) p.mean += step;
    return bound_gradient(p, Z, data.X, data.y).bound;
  };
  // Central differences: error h²·f‴/6 + ε·|f|/h, about 1e-5 of |f| at h = 1e-4 for values of a few hundred.
  for (int i = 0; i < 6; ++i) {
    const double difference = (moved(i, 1e-4) - moved(i, -1e-4)) / 2e-4;
    EXPECT_NEAR(at.gradient(i), difference, 1e-5 * (1 + std::abs(difference))) << "parameter " << i;
  }
}

// Signal 10⁶ times above the noise, as with noise-free objectives: nothing may be lost to rounding, since fits stop at
// 0.02 nats. The dense reference itself carries about ε·n·σ²/τ·(number of its terms) = 1e-4 nats.
TEST_P(EveryKernel, BoundAndGradientKeepTheirDigitsWithoutNoise) {
  const auto data = wavy(300, 2, 0.0, 12);
  const Matrix Z = uniform(60, 2, Key(13));
  Hyperparameters h = hyper(GetParam(), 2);
  h.kernel.variance = 100;
  h.noise = 1e-4;
  const BoundGradient at = bound_gradient(h, Z, data.X, data.y);
  EXPECT_EQ(at.jitter, 1e-6);
  EXPECT_NEAR(at.bound, reference::bound(h, Z, data.X, data.y, at.jitter), 1e-2 + 1e-9 * std::abs(at.bound));
  const auto moved = [&](double step) {
    Hyperparameters p = h;
    p.kernel.lengthscales(0) *= std::exp(step);
    return bound_gradient(p, Z, data.X, data.y).bound;
  };
  const double difference = (moved(1e-4) - moved(-1e-4)) / 2e-4;
  EXPECT_NEAR(at.gradient(0), difference, 1e-3 * (1 + std::abs(difference)));
}

TEST_P(EveryKernel, OneMoreInducingPointNeverLoosensTheBound) {
  const auto data = wavy(200, 2, 0.3, 8);
  const Hyperparameters h = hyper(GetParam(), 2);
  const Matrix Z = uniform(30, 2, Key(5));
  double before = -std::numeric_limits<double>::infinity();
  for (int m = 1; m <= 30; ++m) {
    SparseGp gp(h, Z.topRows(m));
    gp.condition(data.X, data.y);
    // At fixed jitter the nesting is exact up to the jitter's own share, m·jitter·σ²·n/τ at the very most.
    EXPECT_GE(gp.bound(), before - 1e-3) << m;
    before = gp.bound();
  }
}

TEST(SparseGp, DataInTwoPartsIsTheSameModel) {
  const auto data = wavy(500, 3, 0.3, 9);
  const Hyperparameters h = hyper(KernelType::matern52, 3);
  const Matrix Z = uniform(60, 3, Key(6)), at = uniform(20, 3, Key(7));
  SparseGp whole(h, Z), parts(h, Z);
  whole.condition(data.X, data.y);
  parts.condition(data.X.topRows(417), data.y.head(417));
  parts.condition(data.X.bottomRows(83), data.y.tail(83));
  EXPECT_LT((whole.predict(at).mean - parts.predict(at).mean).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(whole.bound(), parts.bound(), 1e-7);
  EXPECT_EQ(parts.num_observations(), 500);
}

TEST(SparseGp, WithoutDataIsThePrior) {
  const Hyperparameters h = hyper(KernelType::matern32, 2);
  const SparseGp gp(h, uniform(20, 2, Key(8)));
  const Prediction p = gp.predict(uniform(10, 2, Key(9)));
  EXPECT_LT((p.mean.array() - h.mean).abs().maxCoeff(), 1e-12);
  EXPECT_LT((p.variance.array() - h.kernel.variance).abs().maxCoeff(), 1e-12);
}

TEST(SparseGp, SameBitsOnAnyNumberOfThreads) {
  const auto data = wavy(3000, 4, 0.3, 10);
  const Hyperparameters h = hyper(KernelType::matern52, 4);
  const Matrix Z = choose_inducing(Inducing::coverage, h.kernel, data.X, data.y, 300, Key(1));
  std::vector<BoundGradient> gradients;
  std::vector<Prediction> predictions;
  for (const int threads : {1, 2, 3}) {
    set_num_threads(threads);
    EXPECT_EQ(choose_inducing(Inducing::coverage, h.kernel, data.X, data.y, 300, Key(1)), Z);
    gradients.push_back(bound_gradient(h, Z, data.X, data.y));
    SparseGp gp(h, Z);
    gp.condition(data.X, data.y);
    predictions.push_back(gp.predict(data.X.topRows(100)));
  }
  set_num_threads(0);
  for (std::size_t i = 1; i < gradients.size(); ++i) {
    EXPECT_EQ(gradients[0].bound, gradients[i].bound);
    EXPECT_EQ(gradients[0].gradient, gradients[i].gradient);
    EXPECT_EQ(predictions[0].mean, predictions[i].mean);
    EXPECT_EQ(predictions[0].variance, predictions[i].variance);
  }
}

TEST(SparseGp, ClusteredInducingPointsAndTinyNoiseAreHandled) {
  auto data = wavy(400, 2, 1e-3, 11);
  Matrix Z(100, 2);
  Z.topRows(50) = data.X.topRows(50);
  Z.bottomRows(50) = data.X.topRows(50).array() + 1e-9;
  Hyperparameters h = hyper(KernelType::se, 2);
  h.noise = 1e-4;
  const BoundGradient at = bound_gradient(h, Z, data.X, data.y);
  EXPECT_TRUE(std::isfinite(at.bound));
  EXPECT_TRUE(at.gradient.allFinite());
  SparseGp gp(h, Z);
  gp.condition(data.X, data.y);
  EXPECT_LT((gp.predict(data.X).mean - data.y).cwiseAbs().maxCoeff(), 0.1);
}

TEST(SparseGp, BadInputIsNamed) {
  const Hyperparameters h = hyper(KernelType::se, 2);
  EXPECT_THROW(SparseGp(h, Matrix(0, 2)), std::invalid_argument);
  EXPECT_THROW(SparseGp(h, Matrix::Zero(3, 5)), std::invalid_argument);
  SparseGp gp(h, uniform(5, 2, Key(1)));
  Vector y = Vector::Zero(3);
  EXPECT_THROW(gp.condition(Matrix::Zero(4, 2), y), std::invalid_argument);
  y(1) = std::nan("");
  EXPECT_THROW(gp.condition(Matrix::Zero(3, 2), y), std::invalid_argument);
  Hyperparameters bad = h;
  bad.noise = 0;
  EXPECT_THROW(SparseGp(bad, Matrix::Zero(1, 2)), std::invalid_argument);
  try {
    (void)parse<KernelType>("matern");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("matern52"), std::string::npos);
  }
}

}  // namespace
}  // namespace salvo

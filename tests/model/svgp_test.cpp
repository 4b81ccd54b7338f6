#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/svgp.h>

#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

using ::testing::HasSubstr;
using testing::hyper;
using testing::uniform;
using testing::wavy;

class EveryKernelSvgp : public ::testing::TestWithParam<KernelType> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernelSvgp, ::testing::ValuesIn(testing::kAllKernels),
                         [](const auto& at) { return testing::test_name(at.param); });

// At its optimum the free q(u) is the collapsed one: same bound, same predictions. And there the bound's partial gradient
// is the collapsed bound's whole one (envelope theorem).
TEST_P(EveryKernelSvgp, NaturalGradientWithStepOneLandsOnTheCollapsedOptimum) {
  const auto data = wavy(200, 2, 0.3, 1);
  const Hyperparameters h = hyper(GetParam(), 2);
  const Matrix Z = uniform(25, 2, Key(2)), at = uniform(20, 2, Key(3));
  Svgp free(h, Z);
  free.natural_step(data.X, data.y, 200, 1.0);
  SparseGp collapsed(h, Z);
  collapsed.condition(data.X, data.y);
  const Prediction a = free.predict(at), b = collapsed.predict(at);
  EXPECT_LT((a.mean - b.mean).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((a.variance - b.variance).cwiseAbs().maxCoeff(), 1e-7);
  const BoundGradient mine = free.bound_gradient(data.X, data.y, 200), theirs = bound_gradient(h, Z, data.X, data.y);
  EXPECT_NEAR(mine.bound, theirs.bound, 1e-6 * std::abs(theirs.bound));
  EXPECT_LT((mine.gradient - theirs.gradient).cwiseAbs().maxCoeff(), 1e-5 * (1 + theirs.gradient.cwiseAbs().maxCoeff()));
}

TEST_P(EveryKernelSvgp, GradientEqualsFiniteDifferencesAwayFromTheOptimum) {
  const auto data = wavy(100, 2, 0.3, 4);
  const Hyperparameters h = hyper(GetParam(), 2);
  Svgp model(h, uniform(12, 2, Key(5)));
  model.natural_step(data.X.topRows(30), data.y.head(30), 100, 0.4);
  const BoundGradient at = model.bound_gradient(data.X, data.y, 100);
  const auto moved = [&](int i, double step) {
    Hyperparameters p = h;
    if (i < 2) p.kernel.lengthscales(i) *= std::exp(step);
    if (i == 2) p.kernel.variance *= std::exp(step);
    if (i == 3) p.noise *= std::exp(step);
    if (i == 4) p.mean += step;
    Svgp other = model;
    other.set_hyper(p);
    return other.bound_gradient(data.X, data.y, 100).bound;
  };
  for (int i = 0; i < 5; ++i) {
    const double difference = (moved(i, 1e-4) - moved(i, -1e-4)) / 2e-4;
    EXPECT_NEAR(at.gradient(i), difference, 1e-5 * (1 + std::abs(difference))) << "parameter " << i;
  }
}

TEST(Svgp, BoundIsNeverAboveTheCollapsedOne) {
  const auto data = wavy(150, 2, 0.3, 6);
  const Hyperparameters h = hyper(KernelType::matern52, 2);
  const Matrix Z = uniform(20, 2, Key(7));
  const double best = bound_gradient(h, Z, data.X, data.y).bound;
  Svgp model(h, Z);
  double before = -std::numeric_limits<double>::infinity();
  for (int step = 0; step < 30; ++step) {
    model.natural_step(data.X, data.y, 150, 0.3);
    const double now = model.bound_gradient(data.X, data.y, 150).bound;
    EXPECT_GE(now, before - 1e-9);
    EXPECT_LE(now, best + 1e-6);
    before = now;
  }
  EXPECT_NEAR(before, best, 1e-2);
}

TEST(Svgp, BatchEstimatesAreUnbiased) {
  const auto data = wavy(60, 2, 0.3, 8);
  Svgp model(hyper(KernelType::matern32, 2), uniform(10, 2, Key(9)));
  model.natural_step(data.X, data.y, 60, 0.5);
  const BoundGradient whole = model.bound_gradient(data.X, data.y, 60);
  double bound = 0;
  Vector gradient = Vector::Zero(5);
  for (int part = 0; part < 6; ++part) {  // the mean over a partition is the whole
    const BoundGradient at = model.bound_gradient(data.X.middleRows(10 * part, 10), data.y.segment(10 * part, 10), 60);
    bound += at.bound / 6;
    gradient += at.gradient / 6;
  }
  EXPECT_NEAR(bound, whole.bound, 1e-8 * std::abs(whole.bound));
  EXPECT_LT((gradient - whole.gradient).cwiseAbs().maxCoeff(), 1e-8 * (1 + whole.gradient.cwiseAbs().maxCoeff()));
}

// From mini-batches of 100 of 600: the bound it ends at is within a nat or two of the collapsed optimum.
TEST(Svgp, StochasticFitReachesTheCollapsedOptimum) {
  const auto data = wavy(600, 2, 0.5, 10);
  Hyperparameters collapsed, stochastic;
  collapsed.kernel = stochastic.kernel = {KernelType::matern52, 1.0, Vector::Constant(2, 0.3)};
  const Matrix Z = choose_inducing(Inducing::kmeans, collapsed.kernel, data.X, data.y, 30, Key(11));
  const FitSummary best = fit(collapsed, Z, data.X, data.y, {.max_evaluations = 200, .absolute_tolerance = 1e-4});
  const FitSummary summary = fit_stochastic(stochastic, Z, data.X, data.y, {}, {.batch_size = 100}, Key(12));
  EXPECT_FALSE(summary.message.empty());
  EXPECT_LT(summary.num_evaluations, 10000);
  EXPECT_GE(bound_gradient(stochastic, Z, data.X, data.y).bound, best.bound - 2);
  const FitSummary whole = fit_stochastic(stochastic, Z, data.X, data.y, {}, {.batch_size = 600}, Key(13));
  EXPECT_GE(bound_gradient(stochastic, Z, data.X, data.y).bound, best.bound - 0.2) << whole.message;
}

TEST(Svgp, BadInputIsNamed) {
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  const Hyperparameters h = hyper(KernelType::se, 2);
  EXPECT_THAT(message([&] { Svgp(h, Matrix(0, 2)); }), HasSubstr("Svgp: Z:"));
  Svgp model(h, uniform(5, 2, Key(1)));
  const auto step = [&](Eigen::Index rows, Eigen::Index values, double rho) {
    return message([&] { model.natural_step(Matrix::Zero(rows, 2), Vector::Zero(values), 3, rho); });
  };
  EXPECT_THAT(step(3, 3, 0.0), HasSubstr("natural_step: rho: expected a step in (0, 1], got 0"));
  EXPECT_THAT(step(0, 0, 1.0), HasSubstr("natural_step: X:"));
  EXPECT_THAT(step(3, 2, 1.0), HasSubstr("X has 3 rows but y has 2"));
  Hyperparameters out = h;
  const auto fit = [&] {
    (void)fit_stochastic(out, uniform(5, 2, Key(1)), Matrix::Zero(3, 2), Vector::Zero(3), {}, {.batch_size = 0}, Key(1));
  };
  EXPECT_THAT(message(fit), HasSubstr("batch_size must be at least 1, got 0"));
}

}  // namespace
}  // namespace salvo

#include <gtest/gtest.h>
#include <salvo/sparse_gp.h>

#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

using testing::uniform;

// Data drawn from the very prior that is fitted.
TEST(Fit, FindsTheNoiseAndScalesThatMadeTheData) {
  const Eigen::Index n = 800;
  const Matrix X = uniform(n, 2, Key(1));
  Hyperparameters truth;
  truth.kernel = {KernelType::matern52, 2.0, Vector::Constant(2, 0.3)};
  truth.noise = 0.25;
  Eigen::MatrixXd K = reference::dense_gram(truth.kernel, X, X);
  K.diagonal().array() += truth.noise;
  const Eigen::MatrixXd L = reference::cholesky(K);
  const Vector y = L * testing::normal(n, Key(2));

  Hyperparameters found;
  found.kernel = {KernelType::matern52, 1.0, Vector::Constant(2, 0.5)};
  const Matrix Z = choose_inducing(Inducing::kmeans, found.kernel, X, y, 150, Key(3));
  const FitSummary summary = fit(found, Z, X, y, {.max_evaluations = 200, .absolute_tolerance = 1e-3, .min_variance = 0.01});
  EXPECT_GT(summary.bound, summary.initial_bound);
  // The noise is estimated from n residuals: relative error about √(2/n) = 5%; four of them.
  EXPECT_NEAR(found.noise, truth.noise, 0.2 * truth.noise);
  for (int d = 0; d < 2; ++d) EXPECT_NEAR(std::log(found.kernel.lengthscales(d)), std::log(0.3), 0.6);
  // A maximum: the gradient is small against that at the start.
  EXPECT_LT(bound_gradient(found, Z, X, y).gradient.norm(), 0.5);
}

TEST(Fit, WarmStartCostsFewEvaluationsAndNeverLosesBound) {
  const auto data = testing::wavy(600, 3, 0.5, 4);
  Hyperparameters h;
  h.kernel = {KernelType::matern52, 1.0, Vector::Constant(3, 0.3)};
  const Matrix Z = choose_inducing(Inducing::kmeans, h.kernel, data.X, data.y, 100, Key(1));
  const FitSummary first = fit(h, Z, data.X, data.y);
  const FitSummary again = fit(h, Z, data.X, data.y);
  EXPECT_GE(again.bound, first.bound - 1e-9);
  EXPECT_LT(again.num_evaluations, 8);
}

// A tenth more data: the fit that knows the curvature gets as far, in fewer evaluations.
TEST(Fit, CurvatureOfTheLastFitSavesEvaluations) {
  const auto data = testing::wavy(660, 3, 0.5, 4);
  const Matrix before = data.X.topRows(600);
  const Vector y = data.y.head(600);
  Hyperparameters h;
  h.kernel = {KernelType::matern52, 1.0, Vector::Constant(3, 0.3)};
  const Matrix Z = choose_inducing(Inducing::kmeans, h.kernel, before, y, 100, Key(1));
  const FitOptions cold{.absolute_tolerance = 1e-4};
  FitOptions warm = cold;
  warm.curvature = fit(h, Z, before, y, cold).curvature;
  Hyperparameters other = h;
  const FitSummary with = fit(h, Z, data.X, data.y, warm), without = fit(other, Z, data.X, data.y, cold);
  EXPECT_NEAR(with.bound, without.bound, 0.01);
  EXPECT_LT(with.num_evaluations, without.num_evaluations);
}

TEST(Fit, StaysInsideItsBounds) {
  const auto data = testing::wavy(300, 3, 0.0, 5);
  Hyperparameters h;
  h.kernel = {KernelType::se, 50.0, Vector::Constant(3, 10.0)};  // starts outside
  const FitOptions options{.min_lengthscale = 0.05, .max_lengthscale = 0.4};
  (void)fit(h, uniform(40, 3, Key(2)), data.X, data.y, options);
  for (int d = 0; d < 3; ++d) {
    EXPECT_GE(h.kernel.lengthscales(d), 0.05 * (1 - 1e-12));
    EXPECT_LE(h.kernel.lengthscales(d), 0.4 * (1 + 1e-12));
  }
  EXPECT_GE(h.noise, options.min_noise * (1 - 1e-12));
}

TEST(Fit, ConstantDataAndSinglePointsAreHandled) {
  Hyperparameters h;
  h.kernel = {KernelType::matern52, 1.0, Vector::Constant(2, 0.3)};
  const Matrix one = uniform(1, 2, Key(1));
  EXPECT_NO_THROW((void)fit(h, one, one, Vector::Zero(1)));
  const Matrix X = uniform(50, 2, Key(2));
  const FitSummary summary = fit(h, X, X, Vector::Constant(50, 3.0));
  EXPECT_TRUE(std::isfinite(summary.bound));
  EXPECT_FALSE(summary.message.empty());
}

TEST(Fit, OptionsAreChecked) {
  Hyperparameters h;
  h.kernel.lengthscales = Vector::Ones(2);
  const Matrix X = uniform(5, 2, Key(1));
  EXPECT_THROW((void)fit(h, X, X, Vector::Zero(5), {.max_evaluations = 0}), std::invalid_argument);
  EXPECT_THROW((void)fit(h, X, X, Vector::Zero(5), {.min_lengthscale = 2, .max_lengthscale = 1}), std::invalid_argument);
  const FitCurvature wrong{Matrix::Ones(1, 4), Matrix::Ones(1, 4)}, uneven{Matrix::Ones(1, 5), Matrix::Ones(2, 5)};
  EXPECT_THROW((void)fit(h, X, X, Vector::Zero(5), {.curvature = wrong}), std::invalid_argument);
  EXPECT_THROW((void)fit(h, X, X, Vector::Zero(5), {.curvature = uneven}), std::invalid_argument);
}

}  // namespace
}  // namespace salvo

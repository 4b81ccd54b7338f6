#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/plan.h>

#include <cmath>
#include <limits>

#include "math/sobol.h"
#include "support/data.h"
#include "support/reference.h"
#include "theory/information_gain.h"
#include "theory/spectrum.h"

namespace salvo {
namespace {

using ::testing::HasSubstr;

Kernel unit_kernel(KernelType type, int d, double lengthscale) { return {type, 1.0, Vector::Constant(d, lengthscale)}; }

PlanOptions small() {
  PlanOptions options;
  options.kernel = KernelType::se;
  options.num_dims = 1;
  options.steps = 10;
  options.batch = 10;
  options.design = 128;
  return options;
}

TEST(InformationGain, OfOnePointIsTheLogarithmOfItsCount) {
  const auto gain = greedy_information_gain(unit_kernel(KernelType::se, 1, 0.3), 0.1, 50, 1, Key(0));
  for (const int n : {1, 7, 50}) EXPECT_NEAR(gain.after(n), 0.5 * std::log1p(n / 0.1), 1e-9);
}

TEST(InformationGain, GainsNeverRiseAndReachTheGuaranteedShareOfAnyChoice) {
  const Kernel kernel = unit_kernel(KernelType::matern52, 2, 0.3);
  constexpr int n = 12, design = 200;
  const auto gain = greedy_information_gain(kernel, 0.05, n, design, Key(0));
  for (int t = 1; t < n; ++t) EXPECT_LE(gain.gains(t), gain.gains(t - 1));
  const Matrix X = sobol(0, design, 2, Key(0));
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    Matrix A(n, 2);
    for (int i = 0; i < n; ++i)
      A.row(i) = X.row(static_cast<Eigen::Index>(Key(trial).at(static_cast<std::uint64_t>(i)).below(design)));
    Eigen::MatrixXd K = gram(kernel, A, A) / 0.05;
    K.diagonal().array() += 1;
    const Eigen::MatrixXd L = reference::cholesky(K);
    EXPECT_GE(gain.after(n), (1 - std::exp(-1.0)) * L.diagonal().array().log().sum());
  }
}

TEST(InformationGain, IsBelowTheSpectralBound) {
  for (const KernelType type : testing::kJointKernels) {
    PlanOptions options = small();
    options.kernel = type;
    options.num_dims = 2;
    const Plan made = plan(options);
    EXPECT_LE(made.gamma_all.greedy, made.gamma_all.spectral) << to_string(type);
    EXPECT_LE(made.gamma_steps.greedy, made.gamma_all.greedy);
  }
}

TEST(Proposition1, ConstantsAtKnownPlaces) {
  const Approximation exact = proposition1(0, 0);
  EXPECT_EQ(exact.a_low, 1);
  EXPECT_EQ(exact.a_high, 1);
  EXPECT_EQ(exact.c, 0);
  const Approximation half = proposition1(1.0 / 12, 0.1);  // √(3κ) = ½
  EXPECT_NEAR(half.a_low, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(half.a_high, std::sqrt(1.5), 1e-12);
  EXPECT_TRUE(half.speaks());
  EXPECT_FALSE(proposition1(1.0 / 3, 0).speaks());
  EXPECT_TRUE(std::isinf(proposition1(0.5, 0).a_low));
}

TEST(Theorem1, EqualsItsFormulaAndGrowsWithEveryError) {
  const RegretTerms terms{
      .num_dims = 2, .steps = 20, .batch = 5, .noise = 0.2, .norm = 3, .subgaussian = 0.7, .gamma_steps = 9, .gamma_all = 21};
  const Approximation approximation = proposition1(0.05, 0.01);
  const RegretBound bound = theorem1(terms, approximation);
  const double u = approximation.a_low * (3 + 0.7 / std::sqrt(0.2) * std::sqrt(2 * (21 + 1 + std::log(400.0))) + approximation.c);
  const double b = std::sqrt(2 * std::log(5 * std::pow(20.0, 4) * 400)), beta = 2 * u * (b + 0.5);
  const double expected = 30 * approximation.a_high * beta * 5 * std::sqrt(2 * 20 * 9 / std::log(6.0)) +
                          (31 * beta + 2 * u) * 0.01 * 100 + 15 * 5 * 3 + 10;
  EXPECT_NEAR(bound.total() / expected, 1, 1e-12);
  EXPECT_LT(theorem1(terms, {}).total(), bound.total());
  EXPECT_GT(theorem1(terms, proposition1(0.06, 0.01)).total(), bound.total());
  EXPECT_GT(theorem1(terms, proposition1(0.05, 0.02)).total(), bound.total());
}

// α of a plan is what `alpha = "theory"` samples with: R/√τ, not R.
TEST(Theorem1, WidthDoesNotVanishWithTheNoise) {
  RegretTerms terms{.num_dims = 1, .steps = 10, .batch = 1, .noise = 1e-4, .norm = 1, .subgaussian = 0.01, .gamma_all = 30};
  const double quiet = theorem1(terms, {}).alpha;
  terms.noise = terms.subgaussian = 1;
  EXPECT_DOUBLE_EQ(quiet, theorem1(terms, {}).alpha);
}

TEST(Plan, MeetsTheWantedKappaWithTheFewestVariables) {
  const PlanOptions options = small();
  const Plan made = plan(options);
  const Spectra spectra(options.kernel, 1, options.lengthscale);
  const double n = 100, tau = options.noise;
  const double m = made.rules[1].m;
  EXPECT_LE(2 * n * spectra.tail(m) / tau, options.kappa);
  EXPECT_GT(2 * n * spectra.tail(m - 1) / tau, options.kappa);
  const double delta = made.options.delta, fixed = 4 * n * made.options.epsilon0 / (tau * delta);
  const double points = made.rules[0].m;
  EXPECT_LE(2 * n * (points + 1) * spectra.tail(points) / (tau * delta) + fixed, options.kappa * (1 + 1e-12));
  EXPECT_GE(points, m);  // k-DPP's factor m + 1 and its chance to fail cost something
  EXPECT_GE(made.rules[1].M, m);
}

TEST(Plan, MoreStepsNeedNoFewerVariables) {
  double points = 0, features = 0, gamma = 0;
  for (const std::int64_t steps : {5, 20, 80}) {
    PlanOptions options = small();
    options.steps = steps;
    const Plan made = plan(options);
    EXPECT_GE(made.rules[0].m, points);
    EXPECT_GE(made.rules[1].m, features);
    EXPECT_GE(made.gamma_all.greedy, gamma);
    points = made.rules[0].m;
    features = made.rules[1].m;
    gamma = made.gamma_all.greedy;
  }
}

TEST(Plan, SaysWhereTheTheoryAsksForTheImpossible) {
  PlanOptions options = small();
  options.kernel = KernelType::matern12;
  const Plan rough = plan(options);
  EXPECT_TRUE(std::isinf(rough.rules[0].m));
  EXPECT_FALSE(rough.rules[0].bound);
  ASSERT_FALSE(rough.notes.empty());
  EXPECT_THAT(rough.notes[0], HasSubstr("2ν = 1 ≤ d = 1"));

  options.kernel = KernelType::matern52;
  options.num_dims = 3;
  options.num_inducing = 10;
  const Plan crowded = plan(options);
  EXPECT_TRUE(crowded.rules[1].more_than_data);
  EXPECT_FALSE(crowded.rules[1].given.speaks());
  EXPECT_GT(crowded.rules[1].m_to_speak, 10);
  std::string all;
  for (const std::string& note : crowded.notes) all += note + "\n";
  EXPECT_THAT(all, HasSubstr("the bound says nothing here"));
  EXPECT_THAT(all, HasSubstr("more than the 100 observations"));
}

TEST(Plan, GivenEveryObservationInducingPointsAreExact) {
  PlanOptions options = small();
  options.num_inducing = 100;
  options.num_features = 1'000'000;
  const Plan made = plan(options);
  EXPECT_EQ(made.rules[0].given.kappa, 0);
  EXPECT_NEAR(made.rules[0].given_bound->total() / made.rules[2].bound->total(), 1, 1e-6);
}

TEST(Plan, RefusesWhatHasNoMeaning) {
  const auto refuses = [](auto change, const char* word) {
    PlanOptions options = small();
    change(options);
    try {
      (void)plan(options);
      ADD_FAILURE() << word;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr(word));
    }
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refuses([](PlanOptions& o) { o.num_dims = 0; }, "num_dims");
  refuses([](PlanOptions& o) { o.steps = 0; }, "steps");
  refuses([&](PlanOptions& o) { o.noise = nan; }, "noise");
  refuses([](PlanOptions& o) { o.lengthscale = -1; }, "lengthscale");
  refuses([](PlanOptions& o) { o.kappa = 0.4; }, "kappa");
  refuses([](PlanOptions& o) { o.delta = 1; }, "delta");
  refuses([&](PlanOptions& o) { o.subgaussian = nan; }, "subgaussian");
}

}  // namespace
}  // namespace salvo

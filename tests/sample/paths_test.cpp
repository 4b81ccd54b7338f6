#include <gtest/gtest.h>
#include <salvo/fourier.h>
#include <salvo/paths.h>

#include "math/linalg.h"
#include "sample/path_functions.h"
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

SparseGp fitted(KernelType type, Eigen::Index d, int m) {
  const auto data = wavy(200, d, 0.3, 3);
  const Hyperparameters h = hyper(type, d);
  SparseGp gp(h, choose_inducing(Inducing::kmeans, h.kernel, data.X, data.y, m, Key(4)));
  gp.condition(data.X, data.y);
  return gp;
}

const FeatureType kFourierTypes[] = {FeatureType::fourier, FeatureType::fourier_pairs, FeatureType::orthogonal,
                                     FeatureType::quasi_random};

// One feature pair has variance ≤ σ⁴/2 around k, so an entry of ΦΦᵀ has standard deviation ≤ σ²/√(2M)·√… ≤ σ²√(1.5/M);
// five of those for the largest of 400 entries.
TEST_P(EveryKernel, FeaturesReproduceTheKernel) {
  const Kernel kernel = hyper(GetParam(), 3).kernel;
  const Matrix X = uniform(20, 3, Key(1));
  for (const FeatureType type : kFourierTypes)
    for (const int M : {1000, 16000}) {
      const FourierFeatures features = fourier_features(kernel, M, Key(2), type);
      const Matrix Phi = features.features(X);
      const double error = (Phi * Phi.transpose() - reference::dense_gram(kernel, X, X)).cwiseAbs().maxCoeff();
      EXPECT_LT(error, 5 * kernel.variance * std::sqrt(1.5 / M)) << M << " " << to_string(type);
    }
}

// Sine and cosine of every frequency: sin² + cos² = 1.
TEST_P(EveryKernel, PairsHaveExactlyThePriorsVarianceEverywhere) {
  const Kernel kernel = hyper(GetParam(), 3).kernel;
  for (const FeatureType type : {FeatureType::fourier_pairs, FeatureType::orthogonal, FeatureType::quasi_random}) {
    const FourierFeatures features = fourier_features(kernel, 100, Key(2), type);
    const Vector variance = (features.cosines(uniform(20, 3, Key(1))) * features.scale).rowwise().squaredNorm();
    EXPECT_LT((variance.array() - kernel.variance).abs().maxCoeff(), 1e-12);
  }
}

// A cosine and a sine of one frequency are one cosine: to the rounding of sums of M terms, values and gradients stay.
TEST_P(EveryKernel, MergedPairsAreTheSameFunctions) {
  const SparseGp gp = fitted(GetParam(), 3, 20);
  const Matrix X = uniform(20, 3, Key(1));
  std::vector<int> index(20);
  for (int i = 0; i < 20; ++i) index[static_cast<std::size_t>(i)] = i % 4;
  for (const FeatureType type : kFourierTypes)
    for (const int M : {1, 100, 101}) {
      const Paths paths = draw_paths(gp, {.num_paths = 4, .num_features = M, .features = type}, Key(5));
      const Paths merged = merged_pairs(paths);
      EXPECT_EQ(merged.W.rows(), type == FeatureType::fourier ? M : (M + 1) / 2);
      Vector f, g;
      Matrix F, G;
      paths.evaluate(X, index, f, &F);
      merged.evaluate(X, index, g, &G);
      EXPECT_LT((f - g).cwiseAbs().maxCoeff(), 1e-11 * (1 + f.cwiseAbs().maxCoeff())) << to_string(type) << M;
      EXPECT_LT((F - G).cwiseAbs().maxCoeff(), 1e-11 * (1 + F.cwiseAbs().maxCoeff())) << to_string(type) << M;
    }
}

TEST_P(EveryKernel, OrthogonalFrequenciesAreOrthogonalInBlocksOfTheDimension) {
  const Kernel kernel = hyper(GetParam(), 4).kernel;
  const FourierFeatures features = fourier_features(kernel, 8, Key(3), FeatureType::orthogonal);
  Matrix W(4, 4);
  for (int i = 0; i < 4; ++i) W.row(i) = features.W.row(2 * i).array() * kernel.lengthscales.transpose().array();
  const Matrix G = W * W.transpose();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) EXPECT_LT(std::abs(G(i, j)), 1e-12 * std::sqrt(G(i, i) * G(j, j)));
}

TEST(FourierFeatures, SayWhatTheyCannotBe) {
  const Kernel kernel{.lengthscales = Vector::Ones(2)};
  EXPECT_THROW((void)fourier_features(kernel, 0, Key(1)), std::invalid_argument);
  EXPECT_THROW((void)fourier_features(kernel, 8, Key(1), FeatureType::eigen), std::invalid_argument);
  EXPECT_THROW((void)fourier_features({}, 8, Key(1)), std::invalid_argument);
}

TEST_P(EveryKernel, GradientEqualsFiniteDifferences) {
  const Paths paths = draw_paths(fitted(GetParam(), 3, 40), {.num_paths = 5, .num_features = 200, .alpha = 1.2}, Key(5));
  const Matrix X = uniform(5, 3, Key(6));
  const std::vector<int> index{0, 1, 2, 3, 4};
  Vector f, plus, minus;
  Matrix G;
  paths.evaluate(X, index, f, &G);
  // Matérn ½ has heavy-tailed frequencies (Cauchy): third derivatives are large, so the step is small.
  const double step = 1e-6;
  for (int d = 0; d < 3; ++d) {
    Matrix up = X, down = X;
    up.col(d).array() += step;
    down.col(d).array() -= step;
    paths.evaluate(up, index, plus);
    paths.evaluate(down, index, minus);
    const Vector difference = (plus - minus) / (2 * step);
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(G(i, d), difference(i), 1e-4 * (1 + G.cwiseAbs().maxCoeff()));
  }
}

TEST_P(EveryKernel, PassesThroughItsDrawAtInducingPoints) {
  const SparseGp gp = fitted(GetParam(), 3, 40);
  const int B = 4;
  const Key key(7);
  const Paths paths = draw_paths(gp, {.num_paths = B, .num_features = 500}, key);
  // The draw itself, u = L R⁻ᵀ(c + ε), from the same key.
  Matrix eps(B, gp.Z().rows());
  key.fold("update").fill_normal({eps.data(), static_cast<std::size_t>(eps.size())});
  Matrix u = eps.transpose();
  u.colwise() += gp.c();
  solve_lower(gp.R(), Trans::yes, u);
  u = gp.L() * u;
  const Matrix got = paths.values(gp.Z()).array() - gp.hyper().mean;
  // Kzz without its jitter against Kzz with it: a difference of jitter·σ²·‖v‖.
  const double tolerance = 2 * gp.jitter() * gp.hyper().kernel.variance * paths.v.cwiseAbs().rowwise().sum().maxCoeff() + 1e-9;
  EXPECT_LT((got - u).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_LT(tolerance, 0.05);
}

TEST(Paths, MomentsMatchThePosterior) {
  const SparseGp gp = fitted(KernelType::matern52, 2, 60);
  const int B = 4000, M = 2000;
  const Matrix X = uniform(12, 2, Key(8));
  const Prediction truth = gp.predict(X);
  for (const double alpha : {1.0, 2.0}) {
    const Matrix V = draw_paths(gp, {.num_paths = B, .num_features = M, .alpha = alpha}, Key(9)).values(X);
    for (Eigen::Index i = 0; i < X.rows(); ++i) {
      const double mean = V.row(i).mean();
      const double variance = (V.row(i).array() - mean).square().sum() / (B - 1);
      const double sd = alpha * std::sqrt(truth.variance(i));
      // α scales the spread and leaves the mean. Sampling: sd/√B for the mean, √(2/B) relative for the variance; the
      // features are shared by all draws and add σ²√(1.5/M) to the variance at the most. Four and a half deviations.
      EXPECT_NEAR(mean, truth.mean(i), 4.5 * sd / std::sqrt(B));
      const double feature_error = alpha * alpha * gp.hyper().kernel.variance * std::sqrt(1.5 / M);
      EXPECT_NEAR(variance, sd * sd, 4.5 * (sd * sd * std::sqrt(2.0 / B) + feature_error));
    }
  }
}

// Every kind of path: both rules, every kind of prior features.
std::vector<Paths> all_kinds(int num_paths, int M) {
  const SparseGp points = fitted(KernelType::se, 3, 30);
  std::vector<Paths> out;
  for (const auto& [type, name] : Names<FeatureType>::list)
    out.push_back(draw_paths(points, {.num_paths = num_paths, .num_features = M, .alpha = 1.3, .features = type}, Key(10)));
  const auto data = wavy(200, 3, 0.3, 3);
  for (const EigenType type : {EigenType::box, EigenType::gaussian}) {
    const Hyperparameters h = hyper(KernelType::se, 3);
    SparseGp features(h, eigenfunctions(type, h.kernel, 60));
    features.condition(data.X, data.y);
    out.push_back(draw_paths(features, {.num_paths = num_paths, .num_features = M, .alpha = 1.3}, Key(10)));
  }
  return out;
}

TEST(Paths, EvaluateAndValuesAgreeForEveryKind) {
  const Matrix X = uniform(600, 3, Key(11));
  std::vector<int> index(600);
  for (int i = 0; i < 600; ++i) index[static_cast<std::size_t>(i)] = i % 7;
  for (const Paths& paths : all_kinds(7, 100)) {
    ASSERT_EQ(paths.size(), 7);
    const Matrix V = paths.values(X);
    Vector f;
    paths.evaluate(X, index, f);
    for (int i = 0; i < 600; ++i) EXPECT_NEAR(f(i), V(i, i % 7), 1e-8);
  }
}

TEST(Paths, GradientEqualsFiniteDifferencesForEveryKind) {
  const Matrix X = uniform(5, 3, Key(6));
  const std::vector<int> index{0, 1, 2, 3, 4};
  for (const Paths& paths : all_kinds(5, 101)) {
    Vector f, plus, minus;
    Matrix G;
    paths.evaluate(X, index, f, &G);
    for (int d = 0; d < 3; ++d) {
      Matrix up = X, down = X;
      up.col(d).array() += 1e-6;
      down.col(d).array() -= 1e-6;
      paths.evaluate(up, index, plus);
      paths.evaluate(down, index, minus);
      for (int i = 0; i < 5; ++i) EXPECT_NEAR(G(i, d), (plus(i) - minus(i)) / 2e-6, 1e-5 * (1 + G.cwiseAbs().maxCoeff()));
    }
  }
}

// Rule (6) in distribution: the model's mean, and its variance without what M functions do not carry.
TEST(Paths, RuleSixHasTheMomentsOfThePosterior) {
  const auto data = wavy(200, 2, 0.3, 3);
  const Hyperparameters h = hyper(KernelType::matern52, 2);
  const int B = 4000, M = 300;
  const Matrix X = uniform(12, 2, Key(8));
  SparseGp gp(h, eigenfunctions(EigenType::box, h.kernel, 80));
  gp.condition(data.X, data.y);
  const Prediction truth = gp.predict(X);
  const Vector carried = eigenfunctions(EigenType::box, h.kernel, M).features(X).rowwise().squaredNorm();
  for (const double alpha : {1.0, 2.0}) {
    const Matrix V = draw_paths(gp, {.num_paths = B, .num_features = M, .alpha = alpha}, Key(9)).values(X);
    for (Eigen::Index i = 0; i < X.rows(); ++i) {
      const double mean = V.row(i).mean(), variance = (V.row(i).array() - mean).square().sum() / (B - 1);
      const double expected = alpha * alpha * (truth.variance(i) - (h.kernel.variance - carried(i)));
      EXPECT_NEAR(mean, truth.mean(i), 4.5 * std::sqrt(expected / B));
      EXPECT_NEAR(variance, expected, 4.5 * expected * std::sqrt(2.0 / B));
    }
  }
}

// A kernel of finite rank M: with Z = X (more points than its rank) and all M functions as features, rule (5) and rule
// (6) draw from the same exact posterior. The squared exponential is one numerically: 40 functions carry all of it.
TEST(Paths, RulesFiveAndSixAgreeForAKernelOfFiniteRank) {
  const auto data = wavy(100, 1, 0.3, 14);
  Hyperparameters h = hyper(KernelType::se, 1);
  h.kernel.lengthscales << 0.4;
  const int B = 4000, M = 40;
  const Matrix X = uniform(10, 1, Key(15));
  SparseGp points(h, data.X), features(h, eigenfunctions(EigenType::gaussian, h.kernel, M));
  points.condition(data.X, data.y);
  features.condition(data.X, data.y);
  ASSERT_LT(features.theta(), 1e-8);  // nothing is left outside
  const PathOptions options{
      .num_paths = B, .num_features = M, .features = FeatureType::eigen, .eigenfunctions = EigenType::gaussian};
  const Matrix five = draw_paths(points, options, Key(16)).values(X), six = draw_paths(features, options, Key(17)).values(X);
  const Prediction exact = points.predict(X), same = features.predict(X);
  EXPECT_LT((exact.mean - same.mean).cwiseAbs().maxCoeff(), 1e-4);  // the jitter of Kzz
  EXPECT_LT((exact.variance - same.variance).cwiseAbs().maxCoeff(), 1e-4);
  // All first and second moments, four and a half deviations of their sampling error (that of a difference is √2 larger).
  const Vector mean5 = five.rowwise().mean(), mean6 = six.rowwise().mean();
  const Matrix D5 = five.colwise() - mean5, D6 = six.colwise() - mean6;
  const Matrix C5 = D5 * D5.transpose() / (B - 1), C6 = D6 * D6.transpose() / (B - 1);
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    EXPECT_NEAR(mean5(i), mean6(i), 4.5 * std::sqrt(2 * exact.variance(i) / B) + 1e-4);
    for (Eigen::Index j = 0; j <= i; ++j)
      EXPECT_NEAR(C5(i, j), C6(i, j), 4.5 * std::sqrt(4 * exact.variance(i) * exact.variance(j) / B) + 1e-4);
  }
}

TEST(Paths, RuleSixNeedsAtLeastTheModelsOwnFeatures) {
  const Hyperparameters h = hyper(KernelType::se, 1);
  const SparseGp gp(h, eigenfunctions(EigenType::box, h.kernel, 20));
  try {
    (void)draw_paths(gp, {.num_features = 19}, Key(1));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("num_features ≥ 20"), std::string::npos);
  }
}

TEST(Paths, BestCandidatesAreThoseOfDoublePrecisionForEveryKind) {
  const Matrix C = uniform(400, 3, Key(13));
  for (const Paths& paths : all_kinds(6, 100)) {
    const Matrix V = paths.values(C);
    const std::vector<int> best = PathFunctions(paths).best_candidates(testing::counted(paths.size()), C, 1);
    for (int b = 0; b < 6; ++b) EXPECT_NEAR(V(best[static_cast<std::size_t>(b)], b), V.col(b).maxCoeff(), 2e-3);
  }
}

TEST(Paths, BestCandidatesAreThoseOfDoublePrecision) {
  const Paths paths = draw_paths(fitted(KernelType::matern52, 3, 50), {.num_paths = 20, .num_features = 300}, Key(12));
  const Matrix C = uniform(1000, 3, Key(13));
  const Matrix V = paths.values(C);
  const std::vector<int> best = PathFunctions(paths).best_candidates(testing::counted(paths.size()), C, 10);
  ASSERT_EQ(best.size(), 200U);
  for (int k = 0; k < 10; ++k)
    for (int b = 0; b < 20; ++b) {
      const int row = best[static_cast<std::size_t>(k * 20 + b)];
      ASSERT_GE(row, 100 * k);
      ASSERT_LT(row, 100 * (k + 1));
      EXPECT_NEAR(V(row, b), V.col(b).segment(100 * k, 100).maxCoeff(), 2e-3);
    }
}

TEST(Paths, OptionsAreChecked) {
  const SparseGp gp = fitted(KernelType::se, 2, 10);
  EXPECT_THROW((void)draw_paths(gp, {.num_paths = 0}, Key(1)), std::invalid_argument);
  EXPECT_THROW((void)draw_paths(gp, {.num_features = 0}, Key(1)), std::invalid_argument);
  EXPECT_THROW((void)draw_paths(gp, {.alpha = std::nan("")}, Key(1)), std::invalid_argument);
}

}  // namespace
}  // namespace salvo

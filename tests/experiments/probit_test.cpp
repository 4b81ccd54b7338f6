#include "support/probit.h"

#include <gtest/gtest.h>
#include <salvo/random.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "acquire/normal.h"
#include "support/data.h"
#include "support/reference.h"

namespace salvo::experiments {
namespace {

using Index = Eigen::Index;

Hyperparameters smooth(Index d, double variance = 2, double mean = 0.3) {
  return {.kernel = {KernelType::matern32, variance, Vector::Constant(d, 0.4)}, .mean = mean};
}

Vector labels(const Matrix& X) {
  Vector s(X.rows());
  for (Index i = 0; i < s.size(); ++i) s(i) = X(i, 0) + 0.3 * std::sin(7 * X(i, 1)) > 0.5 ? 1 : -1;
  return s;
}

// With one label there is nothing to approximate: P(+1) = Φ(c₀/√(1 + σ²)).
TEST(Probit, OfOneLabelIsExact) {
  const Matrix X = Matrix::Constant(1, 2, 0.5);
  for (const double s : {1.0, -1.0})
    EXPECT_NEAR(Probit(smooth(2), X, Vector::Constant(1, s)).evidence(), log_normal_cdf(s * 0.3 / std::sqrt(3)), 1e-9);
}

// Sums over a fine grid of the three latent values: expectation propagation itself is off by a few thousandths at most here.
TEST(Probit, ComesNearSumsOverAGrid) {
  const Matrix X{{0.1, 0.2}, {0.3, 0.3}, {0.6, 0.1}};
  const Matrix at{{0.2, 0.2}};
  const Vector s{{1, 1, -1}};
  const Hyperparameters hyper = smooth(2);
  Matrix all(4, 2);
  all << X, at;
  const Eigen::MatrixXd L = reference::cholesky(reference::dense_gram(hyper.kernel, all, all));
  constexpr int kSteps = 41;
  constexpr double kWide = 5;
  double sum = 0, passed = 0;
  std::array<int, 4> k{};
  for (k[0] = 0; k[0] < kSteps; ++k[0])
    for (k[1] = 0; k[1] < kSteps; ++k[1])
      for (k[2] = 0; k[2] < kSteps; ++k[2]) {
        Vector e(4);
        for (int i = 0; i < 3; ++i) e(i) = kWide * (2.0 * k[static_cast<std::size_t>(i)] / (kSteps - 1) - 1);
        e(3) = 0;
        const Vector f = (L * e).array() + hyper.mean;
        double weight = 1;
        for (int i = 0; i < 3; ++i) weight *= normal_pdf(e(i)) * normal_cdf(s(i) * f(i)) * 2 * kWide / (kSteps - 1);
        sum += weight;
        passed += weight * normal_cdf(f(3) / std::sqrt(1 + L(3, 3) * L(3, 3)));
      }
  const Probit model(hyper, X, s);
  EXPECT_NEAR(model.evidence(), std::log(sum), 5e-3);
  EXPECT_NEAR(model.chance(at)(0), passed / sum, 5e-3);
}

// With its observations a probit model is a Gaussian process of values ν/S with noise 1/S.
TEST(Probit, IsTheRegressionOfItsOwnObservations) {
  const Matrix X = testing::uniform(30, 2, Key(1)), at = testing::uniform(20, 2, Key(2));
  const Probit model(smooth(2), X, labels(X));
  Hyperparameters hyper = smooth(2);
  hyper.noise = 1;
  SparseGp gp(hyper, X);
  gp.condition(X, (model.shifts().cwiseQuotient(model.precisions()).array() + hyper.mean).matrix(),
               model.precisions().cwiseInverse());
  const Prediction mine = model.predict(at), other = gp.predict(at);
  EXPECT_LT((mine.mean - other.mean).cwiseAbs().maxCoeff(), 1e-4) << "the sparse model's jitter is 1e-6 of the variance";
  EXPECT_LT((mine.variance - other.variance).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Probit, TurnedLabelsTurnTheChance) {
  const Matrix X = testing::uniform(40, 2, Key(3)), at = testing::uniform(50, 2, Key(4));
  const Vector s = labels(X);
  const Probit one(smooth(2, 2, 0.3), X, s), other(smooth(2, 2, -0.3), X, -s);
  EXPECT_NEAR(one.evidence(), other.evidence(), 1e-8);
  EXPECT_LT((one.chance(at) + other.chance(at) - Vector::Ones(50)).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Probit, FarFromAllLabelsNothingIsKnown) {
  const Matrix X = testing::uniform(40, 2, Key(5));
  const Probit model(smooth(2, 2, 0), X, labels(X));
  EXPECT_NEAR(model.chance(Matrix::Constant(1, 2, 50))(0), 0.5, 1e-9);
}

// Leaving a label out takes its observation alone; the others' would settle anew.
TEST(Probit, ChancesLeftOutAreNearlyThoseOfModelsOfTheOthers) {
  const Matrix X = testing::uniform(70, 2, Key(8));
  const Vector s = labels(X), out = Probit(smooth(2), X, s).chance_left_out();
  for (const Index i : {0, 20, 40, 69}) {
    Matrix others(69, 2);
    others << X.topRows(i), X.bottomRows(69 - i);
    Vector theirs(69);
    theirs << s.head(i), s.tail(69 - i);
    EXPECT_NEAR(out(i), Probit(smooth(2), others, theirs).chance(X.row(i))(0), 0.01);
  }
}

TEST(Probit, GradientIsThatOfDifferences) {
  const Matrix X = testing::uniform(25, 2, Key(6));
  const Vector s = labels(X);
  const Probit model(smooth(2), X, s);
  constexpr double h = 1e-4;
  for (int k = 0; k < 4; ++k) {
    const auto moved = [&](double by) {
      Hyperparameters hyper = smooth(2);
      if (k < 2) hyper.kernel.lengthscales(k) *= std::exp(by);
      if (k == 2) hyper.kernel.variance *= std::exp(by);
      if (k == 3) hyper.mean += by;
      return Probit(hyper, X, s).evidence();
    };
    EXPECT_NEAR(model.gradient()(k), (moved(h) - moved(-h)) / (2 * h), 1e-5) << k;
  }
}

TEST(Probit, AFitIsNoWorseThanItsStartAndKeepsToItsBounds) {
  const Matrix X = testing::uniform(60, 2, Key(7));
  const Vector s = labels(X);
  FitOptions options{.min_variance = 0.5, .max_variance = 30, .max_mean = 1};
  options.min_lengthscales = Vector::Constant(2, 0.05);
  options.max_lengthscales = Vector::Constant(2, 0.7);
  const Probit fitted = fitted_probit(smooth(2), X, s, options);
  EXPECT_GT(fitted.evidence(), Probit(smooth(2), X, s).evidence());
  EXPECT_LE(fitted.hyper().kernel.variance, 30 * (1 + 1e-9));
  EXPECT_LE(fitted.hyper().kernel.lengthscales.maxCoeff(), 0.7 * (1 + 1e-9));
}

// Of functions of its own kind what is claimed is true as often: in each tenth of the claims within four standard errors of the
// data sets, whose places are not independent of each other, and a hundredth for what is approximated.
TEST(Probit, ClaimsAreTrueAsOftenAsTheySay) {
  constexpr Index kLabels = 30, kPlaces = 10;
  constexpr std::uint64_t kSets = 300;
  constexpr std::size_t kBins = 10;
  std::array<double, kBins> count{}, off{}, squares{};
  for (std::uint64_t set = 0; set < kSets; ++set) {
    const Key key = Key(9).fold(set);
    const Matrix all = testing::uniform(kLabels + kPlaces, 2, key);
    const Hyperparameters hyper = smooth(2, 6, 0.5);
    Eigen::MatrixXd K = reference::dense_gram(hyper.kernel, all, all);
    K.diagonal().array() += 1e-9;
    const Vector f = (reference::cholesky(K) * testing::normal(kLabels + kPlaces, key.fold("f"))).array() + hyper.mean;
    Vector s(kLabels);
    for (Index i = 0; i < kLabels; ++i) s(i) = key.fold("s").uniform(static_cast<std::uint64_t>(i)) < normal_cdf(f(i)) ? 1 : -1;
    const Vector claimed = Probit(hyper, all.topRows(kLabels), s).chance(all.bottomRows(kPlaces));
    std::array<double, kBins> here{};
    for (Index i = 0; i < kPlaces; ++i) {
      const auto bin = std::min(kBins - 1, static_cast<std::size_t>(claimed(i) * kBins));
      here[bin] += normal_cdf(f(kLabels + i)) - claimed(i);
      count[bin] += 1;
    }
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      off[bin] += here[bin];
      squares[bin] += here[bin] * here[bin];
    }
  }
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    EXPECT_GT(count[bin], 50) << "claims of " << bin << " tenths";
    EXPECT_LT(std::abs(off[bin]), 4 * std::sqrt(squares[bin]) + 0.01 * count[bin]) << "claims of " << bin << " tenths";
  }
}

// Of an edge of its own, whose scales it learns: nine of ten of the places of which it claims so much succeed, and it dares to.
TEST(Probit, LearnedAtASharpEdgeItClaimsNotTooMuchAndNotTooLittle) {
  double claimed = 0, kept = 0, places = 0;
  for (std::uint64_t set = 0; set < 10; ++set) {
    const Matrix X = testing::uniform(40, 2, Key(10).fold(set)), at = testing::uniform(300, 2, Key(11).fold(set));
    FitOptions options{.max_evaluations = 25, .min_variance = 0.1, .max_variance = 100, .max_mean = 2};
    options.min_lengthscales = Vector::Constant(2, 0.01);
    options.max_lengthscales = Vector::Constant(2, 0.7);
    const Vector chance = fitted_probit(smooth(2, 4, 0.5), X, labels(X), options).chance(at), truth = labels(at);
    for (Index i = 0; i < at.rows(); ++i) {
      places += truth(i) > 0 ? 1 : 0;
      claimed += chance(i) >= 0.9 ? 1 : 0;
      kept += chance(i) >= 0.9 && truth(i) > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(kept, 0.9 * claimed);
  EXPECT_GT(kept, 0.4 * places);
}

}  // namespace
}  // namespace salvo::experiments

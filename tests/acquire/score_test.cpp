#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

#include "acquire/gibbon.h"
#include "acquire/improvement.h"
#include "acquire/normal.h"
#include "acquire/qei.h"
#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

SparseGp small_gp(KernelType type = KernelType::matern52) {
  const auto data = testing::wavy(25, 2, 0.3, 4);
  SparseGp gp(testing::hyper(type, 2), data.X);
  gp.condition(data.X, data.y);
  return gp;
}

double at(const Belief& belief, const Score& score, const Matrix& x) {
  Vector value;
  belief.evaluate(score, x, value, nullptr);
  return value(0);
}

TEST(Normal, TailsMeetTheMiddle) {
  for (const double z : {-30 - 1e-9, -30 + 1e-9}) {  // values at −30 to 16 digits; the slope there is 30
    EXPECT_NEAR(log_normal_cdf(z), -454.32124395634320, 1e-7);
    EXPECT_NEAR(inverse_mills(z), 30.033259667433677, 1e-6);
  }
  for (const auto f : {log_improvement, log_improvement_slope, inverse_mills, log_normal_cdf}) {
    const double below = f(-30 - 1e-7), above = f(-30 + 1e-7);
    EXPECT_NEAR(below, above, 1e-7 * std::abs(above) + 1e-5);
  }
  EXPECT_TRUE(std::isfinite(log_improvement(-1e8)));
  EXPECT_NEAR(normal_cdf(normal_quantile(0.123)), 0.123, 1e-15);
}

TEST(Normal, ImprovementIsItsIntegral) {
  for (const double z : {-6.0, -1.0, 0.0, 0.7, 3.0}) {
    const auto integrand = [&](double u) { return std::max(0.0, z + u) * normal_pdf(u); };
    const double integral = boost::math::quadrature::gauss_kronrod<double, 61>::integrate(integrand, -z, 40.0, 15, 1e-14);
    EXPECT_NEAR(log_improvement(z), std::log(integral), 1e-9) << z;
    constexpr double h = 1e-5;
    EXPECT_NEAR(log_improvement_slope(z), (log_improvement(z + h) - log_improvement(z - h)) / (2 * h), 1e-6) << z;
  }
}

TEST(Belief, FollowsTheTrendOfItsModel) {
  const auto data = testing::wavy(25, 2, 0.3, 4);
  const Matrix A = testing::uniform(3, 2, Key(8)), X = testing::uniform(30, 2, Key(7));
  SparseGp gp(testing::hyper(KernelType::matern52, 2), data.X,
              Trend::through(testing::hyper(KernelType::matern32, 2).kernel, X.topRows(9), testing::normal(9, Key(6))));
  gp.condition(data.X, data.y);
  for (const bool exact : {false, true}) {
    Belief belief(gp, exact);
    belief.add(A);
    EXPECT_LE((belief.mean() - gp.predict_mean(A)).lpNorm<Eigen::Infinity>(), 1e-9);
    EXPECT_LE((belief.moments(X).mean - gp.predict_mean(X)).lpNorm<Eigen::Infinity>(), exact ? 1e-3 : 1e-9);  // single precision
    const Score mean = [](const Local& local, Slope* slope) {
      if (slope) slope->mean = 1;
      return local.mean;
    };
    Vector value, up, down;
    Matrix gradients;
    belief.evaluate(mean, X, value, &gradients);
    EXPECT_LE((value - gp.predict_mean(X)).lpNorm<Eigen::Infinity>(), 1e-9);
    constexpr double h = 1e-5;
    for (int e = 0; e < 2; ++e) {
      const Matrix step = h * Matrix::Identity(2, 2).row(e).replicate(X.rows(), 1);
      belief.evaluate(mean, X + step, up, nullptr);
      belief.evaluate(mean, X - step, down, nullptr);
      EXPECT_LE(((up - down) / (2 * h) - gradients.col(e)).lpNorm<Eigen::Infinity>(), 1e-4) << e;
    }
  }
}

TEST(Belief, MeanVarianceAndCovarianceAreTheModels) {
  const SparseGp gp = small_gp();
  Belief belief(gp);
  const Matrix A = testing::uniform(4, 2, Key(8)), X = testing::uniform(30, 2, Key(7));
  belief.add(A.topRows(1));
  belief.add(A.bottomRows(3));
  const Prediction expected = gp.predict(X), there = gp.predict(A);
  EXPECT_LE((belief.mean() - there.mean).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LE((Vector(belief.covariance().diagonal()) - there.variance).lpNorm<Eigen::Infinity>(), 1e-7);
  Vector mean, variance, shared;
  belief.evaluate([](const Local& l, Slope*) { return l.mean; }, X, mean, nullptr);
  belief.evaluate([](const Local& l, Slope*) { return l.variance; }, X, variance, nullptr);
  EXPECT_LE((mean - expected.mean).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LE((variance - expected.variance).lpNorm<Eigen::Infinity>(), 1e-7);
  belief.evaluate([](const Local& l, Slope*) { return l.shared[2]; }, A, shared, nullptr);
  EXPECT_LE((shared - Vector(belief.covariance().col(2))).lpNorm<Eigen::Infinity>(), 1e-9);
}

// Single precision against double, with the bound of its rounding: each of the m terms of a sum of products is off by at most
// m + 16 half units, 16 of them for the kernel's value.
TEST(Belief, MomentsOfAnExactModelAreThoseOfTheEvaluationUpToSinglePrecision) {
  const Eigen::Index m = 300;
  const auto data = testing::wavy(static_cast<int>(m), 2, 0.3, 4);
  SparseGp gp(testing::hyper(KernelType::matern52, 2), data.X);
  gp.condition(data.X, data.y);
  const Matrix A = testing::uniform(4, 2, Key(8)), X = testing::uniform(200, 2, Key(7));
  Belief general(gp), exact(gp, true);
  general.add(A);
  exact.add(A);
  const Moments slow = general.moments(X), fast = exact.moments(X);

  Matrix K = gram(gp.hyper().kernel, data.X, data.X);
  K.diagonal().array() += gp.hyper().noise + gp.jitter() * gp.hyper().kernel.variance;
  const Eigen::MatrixXd L = reference::cholesky(K);
  const Matrix C = L.triangularView<Eigen::Lower>().solve(Eigen::MatrixXd::Identity(m, m));
  const double unit = static_cast<double>(m + 16) * 0x1p-24, rounding = 1e-8;  // of the general model, in double
  const Vector weights = reference::solve(K, Vector(data.y.array() - gp.hyper().mean)).cwiseAbs();
  const Matrix k = gram(gp.hyper().kernel, X, data.X), ka = gram(gp.hyper().kernel, A, data.X);
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    const Vector q = C * k.row(i).transpose(), size = C.cwiseAbs() * k.row(i).transpose();
    EXPECT_NEAR(fast.mean(i), slow.mean(i), unit * k.row(i).dot(weights) + rounding) << i;
    EXPECT_NEAR(fast.variance(i), slow.variance(i), unit * (2 * q.cwiseAbs().dot(size) + q.squaredNorm()) + rounding) << i;
    const Matrix pull = C.transpose() * (C * ka.transpose());
    for (Eigen::Index j = 0; j < A.rows(); ++j)
      EXPECT_NEAR(fast.shared(i, j), slow.shared(i, j), unit * (1 + k.row(i).dot(pull.col(j).cwiseAbs())) + rounding) << i;
  }
  Vector by_general, by_exact;
  general.evaluate([](const Local& l, Slope*) { return l.variance; }, X, by_general, nullptr);
  exact.evaluate([](const Local& l, Slope*) { return l.variance; }, X, by_exact, nullptr);
  EXPECT_LE((by_general - by_exact).lpNorm<Eigen::Infinity>(), rounding);
  EXPECT_LE((by_general - slow.variance).lpNorm<Eigen::Infinity>(), 1e-12);
}

// The variance that is left when pending points were observed is that of a model which has observed them.
TEST(Belief, RemainingVarianceIsThatOfTheModelThatHasSeenThePoints) {
  const auto data = testing::wavy(25, 2, 0.3, 4);
  const SparseGp gp = small_gp();
  const Matrix A = testing::uniform(5, 2, Key(8)), X = testing::uniform(20, 2, Key(7));
  Belief belief(gp);
  belief.add(A);
  const Remaining remaining(belief, gp.hyper().noise);
  Vector left;
  belief.evaluate([&](const Local& l, Slope*) { return remaining.variance(l); }, X, left, nullptr);
  Matrix all(30, 2);
  all << data.X, A;
  const auto seen = reference::exact_gp(gp.hyper(), all, Vector::Zero(30), X);
  EXPECT_LE((left - seen.variance).lpNorm<Eigen::Infinity>(), 1e-5);  // jitter 1e-6
}

struct Named {
  const char* name;
  Score score;
};

std::vector<Named> all_scores(const Belief& belief) {
  const double best = 1.2;
  return {{"ei", log_expected_improvement(belief, best)},
          {"aei", log_augmented_improvement(belief, best)},
          {"lp", log_penalised_improvement(belief, best, 4.0)},
          {"gibbon", gibbon_score(belief, {1.9, 2.3, 3.0})},
          {"qei", batch_improvement_score(belief, best, 64, Key(3))}};
}

TEST(EveryScore, GradientIsThatOfFiniteDifferences) {
  for (const KernelType type : {KernelType::matern52, KernelType::se}) {
    const SparseGp gp = small_gp(type);
    for (const int pending : {0, 3}) {
      Belief belief(gp);
      if (pending > 0) belief.add(testing::uniform(pending, 2, Key(11)));
      const Matrix X = testing::uniform(10, 2, Key(12));
      for (const auto& [name, score] : all_scores(belief)) {
        Vector values;
        Matrix gradients;
        belief.evaluate(score, X, values, &gradients);
        constexpr double h = 1e-5;
        for (Eigen::Index i = 0; i < X.rows(); ++i)
          for (Eigen::Index e = 0; e < 2; ++e) {
            Matrix up = X.row(i), down = X.row(i);
            up(0, e) += h;
            down(0, e) -= h;
            const double slope = (at(belief, score, up) - at(belief, score, down)) / (2 * h);
            EXPECT_NEAR(gradients(i, e), slope, 2e-4 * std::max(1.0, std::abs(slope))) << name << " with " << pending;
          }
      }
    }
  }
}

TEST(Scores, AugmentedImprovementIsImprovementTimesItsFactor) {
  const SparseGp gp = small_gp();
  const Belief belief(gp);
  const Matrix X = testing::uniform(20, 2, Key(1));
  const Prediction p = gp.predict(X);
  Vector ei, aei;
  belief.evaluate(log_expected_improvement(belief, 1.0), X, ei, nullptr);
  belief.evaluate(log_augmented_improvement(belief, 1.0), X, aei, nullptr);
  for (Eigen::Index i = 0; i < 20; ++i) {
    const double factor = 1 - std::sqrt(gp.hyper().noise / (p.variance(i) + gp.hyper().noise));
    EXPECT_NEAR(aei(i) - ei(i), std::log(factor), 1e-6);
  }
}

TEST(Scores, WithNothingPendingPenalisedAndBatchImprovementAreImprovement) {
  const SparseGp gp = small_gp();
  const Belief belief(gp);
  const Matrix X = testing::uniform(20, 2, Key(1));
  Vector ei, lp, qei;
  belief.evaluate(log_expected_improvement(belief, 1.0), X, ei, nullptr);
  belief.evaluate(log_penalised_improvement(belief, 1.0, 3.0), X, lp, nullptr);
  belief.evaluate(batch_improvement_score(belief, 1.0, 64, Key(2)), X, qei, nullptr);
  EXPECT_EQ(ei, lp);
  EXPECT_EQ(ei, qei);
}

// GIBBON with p points in view is GIBBON alone, less what they know of x, weighed by 1/p².
TEST(Scores, GibbonsRepulsionFadesWithTheSquareOfThePointsInView) {
  const SparseGp gp = small_gp();
  const Matrix X = testing::uniform(20, 2, Key(1)), A = testing::uniform(3, 2, Key(11));
  const double noise = gp.hyper().noise;
  Vector alone;
  const Belief nobody(gp);
  nobody.evaluate(gibbon_score(nobody, {2.0, 2.5}), X, alone, nullptr);
  const Vector variance = gp.predict(X).variance;
  for (const int p : {1, 3}) {
    Belief belief(gp);
    belief.add(A.topRows(p));
    const Remaining remaining(belief, noise);
    Vector with, left;
    belief.evaluate(gibbon_score(belief, {2.0, 2.5}), X, with, nullptr);
    belief.evaluate([&](const Local& l, Slope*) { return remaining.variance(l); }, X, left, nullptr);
    for (Eigen::Index i = 0; i < X.rows(); ++i)
      EXPECT_NEAR(with(i) - alone(i), 0.5 / (p * p) * std::log((left(i) + noise) / (variance(i) + noise)), 1e-6) << p;
  }
}

// Without noise ρ = 1, and GIBBON is −½ E log(1 − s); max-value entropy search is E[γr/2 − log Φ(γ)]. Both are functions of γ
// alone that fall as γ grows: for one sample of the maximum they rank all points alike.
TEST(Scores, NoiseFreeGibbonRanksLikeMaxValueEntropy) {
  Hyperparameters hyper = testing::hyper(KernelType::matern52, 2);
  hyper.noise = 1e-9;
  const auto data = testing::wavy(12, 2, 0.0, 4);
  SparseGp gp(hyper, data.X);
  gp.condition(data.X, data.y);
  const Belief belief(gp);
  const Matrix X = testing::uniform(200, 2, Key(21));
  const Prediction p = gp.predict(X);
  const double maximum = 3.0;
  Vector gibbon;
  belief.evaluate(gibbon_score(belief, {maximum}), X, gibbon, nullptr);
  std::vector<Eigen::Index> rows;  // where the noise is far below the variance, and the criteria above rounding
  for (Eigen::Index i = 0; i < X.rows(); ++i)
    if (p.variance(i) > 1e-3 && (maximum - p.mean(i)) / std::sqrt(p.variance(i)) < 5) rows.push_back(i);
  ASSERT_GT(rows.size(), 50U);
  for (const Eigen::Index i : rows)
    for (const Eigen::Index j : rows) {
      const auto entropy = [&](Eigen::Index k) {
        const double gamma = (maximum - p.mean(k)) / std::sqrt(p.variance(k));
        return 0.5 * gamma * inverse_mills(gamma) - log_normal_cdf(gamma);
      };
      const double a = entropy(i), b = entropy(j);
      if (std::abs(a - b) > 1e-4 * (a + b)) {
        EXPECT_EQ(a > b, gibbon(i) > gibbon(j)) << i << " " << j;
      }
    }
}

TEST(Gibbon, SampledMaximaHaveTheDistributionOfTheMaximum) {
  // 400 independent standard normals, one by one or 40 that stand for ten each: P(max ≤ y) = Φ(y)^400.
  const double median = normal_quantile(std::pow(0.5, 1.0 / 400));
  for (const int points : {400, 40}) {
    const auto maxima =
        sample_maxima(Vector::Zero(points), Vector::Ones(points), Vector::Constant(points, 400.0 / points), 4000, Key(5));
    double below = 0;
    for (const double y : maxima) below += y <= median;
    EXPECT_NEAR(below / 4000, 0.5, 4 * 0.5 / std::sqrt(4000.0)) << points;  // four deviations
  }
}

TEST(BatchImprovement, DrawsApproachTheExactForm) {
  for (int q = 1; q <= 3; ++q) {
    Matrix F = testing::uniform(q, 3, Key(30).fold(static_cast<std::uint64_t>(q)));
    const Matrix cov = Matrix(F * F.transpose()) + 0.2 * Matrix::Identity(q, q);
    const Vector mean = testing::normal(q, Key(31)) * 0.5;
    constexpr int kDraws = 200'000;
    const double exact = batch_improvement_exact(mean, cov, 0.3),
                 draws = batch_improvement_draws(mean, cov, 0.3, kDraws, Key(32));
    const double deviation = std::sqrt((cov.diagonal().maxCoeff() + 1) / kDraws);  // at least that of the improvement
    EXPECT_NEAR(exact, draws, 4 * deviation) << q;
    if (q == 1) {
      const double sd = std::sqrt(cov(0, 0));
      EXPECT_NEAR(exact, sd * std::exp(log_improvement((mean(0) - 0.3) / sd)), 1e-12);
    }
  }
  EXPECT_THROW((void)batch_improvement_exact(Vector::Zero(4), Matrix::Identity(4, 4), 0), std::invalid_argument);
}

// qEI of {a, x} = EI(a) + E[improvement of x over the better of η and f(a)]: the score is the second term.
TEST(BatchImprovement, ScoreIsWhatAPointAddsToTheBatch) {
  const SparseGp gp = small_gp();
  Belief belief(gp);
  const Matrix A = testing::uniform(1, 2, Key(40)), X = testing::uniform(5, 2, Key(41));
  belief.add(A);
  const double best = 1.0;
  constexpr int kDraws = 50'000;
  Vector added;
  belief.evaluate(batch_improvement_score(belief, best, kDraws, Key(42)), X, added, nullptr);
  for (Eigen::Index i = 0; i < 5; ++i) {
    Belief both(gp);
    Matrix P(2, 2);
    P << A, X.row(i);
    both.add(P);
    const double whole = batch_improvement_exact(both.mean(), both.covariance(), best);
    const double first = batch_improvement_exact(both.mean().head(1), both.covariance().topLeftCorner(1, 1), best);
    const double deviation = std::sqrt(both.covariance().diagonal().maxCoeff() / kDraws);
    EXPECT_NEAR(std::exp(added(i)), whole - first, 5 * deviation);
  }
}

}  // namespace
}  // namespace salvo

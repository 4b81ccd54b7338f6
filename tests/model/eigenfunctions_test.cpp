#include <gtest/gtest.h>
#include <salvo/sparse_gp.h>

#include "compute/eigen_tables.h"
#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

using testing::hyper;
using testing::uniform;
using testing::wavy;

struct Case {
  EigenType type;
  KernelType kernel;
};
class EveryEigen : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Cases, EveryEigen,
                         ::testing::Values(Case{EigenType::gaussian, KernelType::se}, Case{EigenType::box, KernelType::se},
                                           Case{EigenType::box, KernelType::matern12}, Case{EigenType::box, KernelType::matern32},
                                           Case{EigenType::box, KernelType::matern52}),
                         [](const auto& at) {
                           return std::string(to_string(at.param.type)) + "_" + std::string(to_string(at.param.kernel));
                         });

Hyperparameters smooth(KernelType type, Eigen::Index d) {
  Hyperparameters h = hyper(type, d);
  h.kernel.lengthscales = Vector::LinSpaced(d, 0.4, 0.6);
  return h;
}

// ∫ φ_i φ_j over the extended box, or under the Gaussian measure, by the trapezium rule on a fine grid (for smooth
// functions that vanish at the ends its error is far below 1e-8).
TEST_P(EveryEigen, FunctionsAreOrthonormal) {
  const Eigenfunctions f = eigenfunctions(GetParam().type, smooth(GetParam().kernel, 1).kernel, 12);
  const int points = 4001;
  const double reach = f.type == EigenType::gaussian ? 12 * f.width(0) : f.width(0), step = 2 * reach / (points - 1);
  Matrix X(points, 1);
  Vector weight(points);
  for (int i = 0; i < points; ++i) {
    const double r = -reach + i * step;
    X(i, 0) = f.centre(0) + r;
    weight(i) = step;
    if (f.type == EigenType::gaussian)
      weight(i) *= std::exp(-0.5 * r * r / (f.width(0) * f.width(0))) / (f.width(0) * std::sqrt(2 * std::numbers::pi));
  }
  const Matrix phi = f.features(X) * f.scale.cwiseInverse().asDiagonal();
  const Matrix overlap = phi.transpose() * weight.asDiagonal() * phi;
  EXPECT_LT((overlap - Matrix::Identity(12, 12)).cwiseAbs().maxCoeff(), 1e-8);
}

// What M functions leave of k(x,x) bounds every error by Cauchy and Schwarz; for the box, images behind its extension
// add 0.03% of the variance at each of at most 2d faces.
TEST_P(EveryEigen, SumReproducesTheKernel) {
  for (const int d : {1, 2}) {
    const Kernel kernel = smooth(GetParam().kernel, d).kernel;
    const Matrix X = uniform(30, d, Key(1));
    const int M = d == 1 ? 200 : 3000;
    const Eigenfunctions f = eigenfunctions(GetParam().type, kernel, M);
    const Matrix Phi = f.features(X);
    const Vector left = kernel.variance - Phi.rowwise().squaredNorm().array();
    const double images = f.type == EigenType::box ? 3e-4 * 2 * d * kernel.variance : 1e-9;
    EXPECT_GE(left.minCoeff(), -images);
    const double error = (Phi * Phi.transpose() - reference::dense_gram(kernel, X, X)).cwiseAbs().maxCoeff();
    EXPECT_LE(error, left.maxCoeff() + 2 * images);
    // The tail of the spectrum: nothing of se, and of a Matérn kernel the share beyond the largest frequency kept.
    if (GetParam().kernel == KernelType::se) {
      EXPECT_LT(left.maxCoeff(), images + 1e-6);
    }
    if (GetParam().kernel == KernelType::matern52) {
      EXPECT_LT(left.maxCoeff(), images + 1e-3);
    }
  }
}

TEST_P(EveryEigen, EigenvaluesFallAndTheirGradientIsThatOfDifferences) {
  const Kernel kernel = smooth(GetParam().kernel, 2).kernel;
  const Eigenfunctions f = eigenfunctions(GetParam().type, kernel, 60);
  for (int j = 1; j < 60; ++j) EXPECT_LE(f.scale(j), f.scale(j - 1) * (1 + 1e-12));
  const Matrix G = f.log_eigenvalue_gradient();
  for (int d = 0; d < 2; ++d) {
    Kernel up = kernel, down = kernel;
    up.lengthscales(d) *= std::exp(1e-5);
    down.lengthscales(d) *= std::exp(-1e-5);
    const Vector difference = 2 * (f.retuned(up).scale.array().log() - f.retuned(down).scale.array().log()) / 2e-5;
    EXPECT_LT((G.col(d) - difference).cwiseAbs().maxCoeff(), 1e-6 * (1 + G.cwiseAbs().maxCoeff()));
  }
}

TEST_P(EveryEigen, BoundGradientEqualsFiniteDifferences) {
  const auto data = wavy(150, 2, 0.3, 7);
  const Hyperparameters h = smooth(GetParam().kernel, 2);
  const Eigenfunctions f = eigenfunctions(GetParam().type, h.kernel, 40);
  const BoundGradient at = bound_gradient(h, f, data.X, data.y);
  const auto moved = [&](int i, double step) {
    Hyperparameters p = h;
    if (i < 2) p.kernel.lengthscales(i) *= std::exp(step);
    if (i == 2) p.kernel.variance *= std::exp(step);
    if (i == 3) p.noise *= std::exp(step);
    if (i == 4) p.mean += step;
    return bound_gradient(p, f, data.X, data.y).bound;
  };
  for (int i = 0; i < 5; ++i) {
    const double difference = (moved(i, 1e-4) - moved(i, -1e-4)) / 2e-4;
    EXPECT_NEAR(at.gradient(i), difference, 1e-5 * (1 + std::abs(difference))) << "parameter " << i;
  }
}

// The exact GP of the truncated kernel k_m = ΦᵀΦ: the same mean and evidence; the sparse model adds to the variance
// what the functions do not carry, and pays for it in the bound.
TEST_P(EveryEigen, EqualsTheExactGpOfTheTruncatedKernel) {
  const auto data = wavy(80, 2, 0.3, 8);
  const Hyperparameters h = smooth(GetParam().kernel, 2);
  const Eigenfunctions f = eigenfunctions(GetParam().type, h.kernel, 50);
  SparseGp gp(h, f);
  gp.condition(data.X.topRows(30), data.y.head(30));
  gp.condition(data.X.bottomRows(50), data.y.tail(50));
  const Matrix at = uniform(25, 2, Key(9)), Phi = f.features(data.X), there = f.features(at);
  Eigen::MatrixXd K = Phi * Phi.transpose();
  K.diagonal().array() += h.noise;
  const Vector yc = data.y.array() - h.mean, a = reference::solve(K, yc);
  const Eigen::MatrixXd Kx = there * Phi.transpose();
  const Vector mean = (Kx * a).array() + h.mean;
  const Vector truncated = there.rowwise().squaredNorm();
  const Vector variance = truncated - (Kx * reference::solve(K, Kx.transpose())).diagonal();
  const Prediction p = gp.predict(at);
  EXPECT_LT((p.mean - mean).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((p.variance.array() - (h.kernel.variance - truncated.array()) - variance.array()).abs().maxCoeff(), 1e-9);
  EXPECT_LT((gp.predict_mean(at) - mean).cwiseAbs().maxCoeff(), 1e-9);
  const Eigen::MatrixXd L = reference::cholesky(K);
  const double evidence = -0.5 * yc.dot(a) - L.diagonal().array().log().sum() - 40 * std::log(2 * std::numbers::pi);
  EXPECT_NEAR(gp.bound() + gp.theta() / (2 * h.noise), evidence, 1e-8);
  EXPECT_NEAR(gp.bound(), bound_gradient(h, f, data.X, data.y).bound, 1e-8);
  EXPECT_EQ(gp.num_inducing(), 50);
}

TEST_P(EveryEigen, MoreFeaturesNeverLoosenTheBound) {
  const auto data = wavy(120, 2, 0.3, 10);
  const Hyperparameters h = smooth(GetParam().kernel, 2);
  double before = -std::numeric_limits<double>::infinity();
  for (const int m : {5, 10, 20, 40, 80}) {
    const double bound = bound_gradient(h, eigenfunctions(GetParam().type, h.kernel, m), data.X, data.y).bound;
    EXPECT_GE(bound, before - 1e-9) << m;
    before = bound;
  }
}

TEST_P(EveryEigen, SumAndItsGradientFollowTheFeatures) {
  const Eigenfunctions f = eigenfunctions(GetParam().type, smooth(GetParam().kernel, 3).kernel, 70);
  const Vector w = testing::normal(70, Key(11));
  const Matrix X = uniform(5, 3, Key(12));
  const Vector expected = f.features(X) * w;
  EigenTables tables(f);
  for (int i = 0; i < 5; ++i) {
    Vector g(3);
    EXPECT_NEAR(tables.sum(X.row(i).data(), w.data(), g.data()), expected(i), 1e-12 * w.cwiseAbs().sum());
    for (int d = 0; d < 3; ++d) {
      Matrix up = X.row(i), down = X.row(i);
      up(0, d) += 1e-6;
      down(0, d) -= 1e-6;
      const double difference = ((f.features(up) - f.features(down)) * w)(0) / 2e-6;
      EXPECT_NEAR(g(d), difference, 1e-6 * (1 + std::abs(difference)));
    }
  }
}

TEST(Eigenfunctions, FitFindsTheSameAsInducingPoints) {
  const auto data = wavy(300, 2, 0.3, 13);
  Hyperparameters points, features;
  points.kernel = features.kernel = {KernelType::matern52, 1.0, Vector::Constant(2, 0.5)};
  const FitOptions options{.max_evaluations = 100, .absolute_tolerance = 1e-4};
  (void)fit(points, data.X, data.X, data.y, options);
  Eigenfunctions f = eigenfunctions(EigenType::box, features.kernel, 400);
  const FitSummary summary = fit(features, f, data.X, data.y, options);
  EXPECT_GT(summary.bound, summary.initial_bound);
  EXPECT_NEAR(std::log(features.noise), std::log(points.noise), 0.05);
  for (int d = 0; d < 2; ++d)
    EXPECT_NEAR(std::log(features.kernel.lengthscales(d)), std::log(points.kernel.lengthscales(d)), 0.15);
  // Its evidence is a bound on that of the exact GP, and 400 functions come within two nats of it (θ/2τ at the edges).
  const double exact = bound_gradient(points, data.X, data.X, data.y).bound;
  EXPECT_LE(summary.bound, exact + 0.1);
  EXPECT_GE(summary.bound, exact - 2);
}

TEST(Eigenfunctions, ExtendedKeepsTheGivenOnesFirst) {
  const Kernel kernel{KernelType::matern52, 1.0, Vector::LinSpaced(2, 0.2, 0.6)};
  const Eigenfunctions small = eigenfunctions(EigenType::box, kernel, 30), large = eigenfunctions(EigenType::box, kernel, 90);
  EXPECT_EQ(extended(small, 90).index, large.index);
  EXPECT_EQ(extended(small, 90).scale, large.scale);
  Kernel other = kernel;
  other.lengthscales << 0.6, 0.2;
  const Eigenfunctions odd = extended(small.retuned(other), 90);
  EXPECT_EQ(odd.index.topRows(30), small.index);
  EXPECT_EQ(odd.size(), 90);
}

TEST(Eigenfunctions, WhatCannotWorkSaysWhatWould) {
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  const Kernel matern{KernelType::matern52, 1.0, Vector::Constant(2, 0.3)};
  EXPECT_NE(message([&] { (void)eigenfunctions(EigenType::gaussian, matern, 10); }).find("\"box\" works"), std::string::npos);
  const Kernel wide{KernelType::se, 1.0, Vector::Constant(6, 0.2)};
  EXPECT_NE(message([&] { require_captured("test", eigenfunctions(EigenType::box, wide, 1000), 0.9); }).find("inducing points"),
            std::string::npos);
  EXPECT_NE(message([&] { require_captured("test", eigenfunctions(EigenType::box, matern, 20), 0.9); }).find("would do"),
            std::string::npos);
  EXPECT_NO_THROW(require_captured("test", eigenfunctions(EigenType::box, matern, 1000), 0.9));
  const Kernel many{KernelType::se, 1.0, Vector::Constant(1000, 0.3)};
  EXPECT_NE(message([&] { (void)eigenfunctions(EigenType::box, many, 10); }).find("any dimension"), std::string::npos);
  const Hyperparameters h{.kernel = matern};
  EXPECT_NE(message([&] { SparseGp(h, eigenfunctions(EigenType::box, wide, 5)); }).find("length-scales"), std::string::npos);
}

}  // namespace
}  // namespace salvo

#include <gtest/gtest.h>
#include <salvo/fourier.h>

#include <cmath>

#include "sample/joint.h"
#include "sample/weight_space.h"
#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

using testing::hyper;
using testing::uniform;
using testing::wavy;

SparseGp exact(const Hyperparameters& h, const testing::Data& data) {
  SparseGp gp(h, data.X);
  gp.condition(data.X, data.y);
  return gp;
}

TEST(JointSamples, MomentsAreThoseOfTheExactPosterior) {
  const auto data = wavy(40, 2, 0.3, 5);
  const Hyperparameters h = hyper(KernelType::matern52, 2);
  const Matrix C = uniform(9, 2, Key(1));
  const int B = 4000;
  const double alpha = 1.5;
  const Matrix F = joint_samples(exact(h, data), C, B, alpha, Key(2));  // [N,B]
  Eigen::MatrixXd Kxx = reference::dense_gram(h.kernel, data.X, data.X);
  Kxx.diagonal().array() += h.noise;
  const Eigen::MatrixXd Kcx = reference::dense_gram(h.kernel, C, data.X);
  const Eigen::MatrixXd covariance =
      alpha * alpha * (reference::dense_gram(h.kernel, C, C) - Kcx * reference::solve(Kxx, Kcx.transpose()));
  const Vector mean = reference::exact_gp(h, data.X, data.y, C).mean;
  const Vector means = F.rowwise().mean();
  const Matrix centred = F.colwise() - means;
  const Matrix sampled = centred * centred.transpose() / (B - 1);
  for (Eigen::Index i = 0; i < C.rows(); ++i) {
    EXPECT_NEAR(means(i), mean(i), 4.5 * std::sqrt(covariance(i, i) / B) + 1e-4);
    for (Eigen::Index j = 0; j < C.rows(); ++j) {
      // A sample covariance deviates by √((s_ii s_jj + s_ij²)/B); the jitter adds 1e-6 of the variance here and there.
      const double spread = std::sqrt((covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j)) / B);
      EXPECT_NEAR(sampled(i, j), covariance(i, j), 4.5 * spread + 1e-4);
    }
  }
}

TEST(JointSamples, DrawsAtOnePointTwiceAreTheSame) {
  const auto data = wavy(30, 2, 0.3, 6);
  Matrix C = uniform(5, 2, Key(3));
  C.row(4) = C.row(0);
  const Hyperparameters h = hyper(KernelType::se, 2);
  const Matrix F = joint_samples(exact(h, data), C, 200, 1.0, Key(4));
  // Equal but for the jitter, which is noise of its own at each point: six of its deviations.
  EXPECT_LT((F.row(4) - F.row(0)).cwiseAbs().maxCoeff(), 6 * std::sqrt(2 * 1e-6 * h.kernel.variance));
}

// Linear regression in features is the exact GP of the kernel ΦΦᵀ.
TEST(WeightSpace, IsTheExactGpOfTheFeaturesKernel) {
  const auto data = wavy(60, 2, 0.3, 7);
  const Hyperparameters h = hyper(KernelType::matern32, 2);
  const int M = 40, B = 4000;
  const Key key(8);
  const FourierFeatures features = fourier_features(h.kernel, M, key.fold("features"));
  const Matrix X = uniform(7, 2, Key(9));
  const Eigen::MatrixXd P = features.cosines(data.X) * features.scale, Q = features.cosines(X) * features.scale;
  Eigen::MatrixXd K = P * P.transpose();
  K.diagonal().array() += h.noise;
  const Vector mean = (Q * P.transpose() * reference::solve(K, (data.y.array() - h.mean).matrix())).array() + h.mean;
  const Eigen::MatrixXd covariance = Q * Q.transpose() - Q * P.transpose() * reference::solve(K, P * Q.transpose());
  const Matrix quiet = draw_weight_space(h, data.X, data.y, {.num_paths = 1, .num_features = M, .alpha = 0}, key).values(X);
  const Matrix V = draw_weight_space(h, data.X, data.y, {.num_paths = B, .num_features = M}, key).values(X);
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    EXPECT_NEAR(quiet(i, 0), mean(i), 1e-8);
    const double average = V.row(i).mean(), variance = (V.row(i).array() - average).square().sum() / (B - 1);
    EXPECT_NEAR(variance, covariance(i, i), 4.5 * covariance(i, i) * std::sqrt(2.0 / B));
  }
}

// What rule (5) was made for: with fewer features than data, weight space is sure of itself where it knows nothing.
TEST(WeightSpace, StarvesFarFromTheDataWhereDecoupledSamplesDoNot) {
  auto data = wavy(600, 3, 0.3, 10);
  data.X.col(0) *= 0.5;  // all data in one half
  Hyperparameters h = hyper(KernelType::matern52, 3);
  h.kernel.lengthscales.setConstant(0.2);
  const Matrix far = Matrix::Constant(1, 3, 0.95);
  SparseGp gp(h, choose_inducing(Inducing::greedy, h.kernel, data.X, data.y, 60, Key(1)));
  gp.condition(data.X, data.y);
  const int B = 2000, M = 60;
  const auto deviation = [&](const Matrix& V) {
    return std::sqrt((V.row(0).array() - V.row(0).mean()).square().sum() / (B - 1));
  };
  const double starved = deviation(draw_weight_space(h, data.X, data.y, {.num_paths = B, .num_features = M}, Key(2)).values(far));
  const double decoupled = deviation(draw_paths(gp, {.num_paths = B, .num_features = M}, Key(2)).values(far));
  const double truth = std::sqrt(reference::exact_gp(h, data.X, data.y, far).variance(0));
  EXPECT_LT(starved, 0.75 * truth);
  // √(1.5/M) of the prior's variance from the features, √(2/B) from sampling.
  EXPECT_NEAR(decoupled * decoupled / (truth * truth), 1, 3 * std::sqrt(1.5 / M) + 4.5 * std::sqrt(2.0 / B));
}

}  // namespace
}  // namespace salvo

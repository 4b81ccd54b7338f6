#include "pool/gp.h"

#include <gtest/gtest.h>
#include <salvo/threads.h>

#include "support/data.h"
#include "support/pools.h"
#include "support/reference.h"
#include "support/rows.h"

namespace salvo {
namespace {

using testing::first_rows;
using testing::kernel_for;
using testing::plain_kernel;
using testing::pool_for;

class EveryPoolKernel : public ::testing::TestWithParam<PoolKernelType> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryPoolKernel, ::testing::ValuesIn(testing::kPoolKernels),
                         [](const auto& at) { return std::string(to_string(at.param)); });

Matrix plain_gram(const compute::RowKernel& kernel, std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  Matrix K(static_cast<Eigen::Index>(a.size()), static_cast<Eigen::Index>(b.size()));
  for (Eigen::Index i = 0; i < K.rows(); ++i)
    for (Eigen::Index j = 0; j < K.cols(); ++j)
      K(i, j) = plain_kernel(kernel, a[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(j)]);
  return K;
}

TEST_P(EveryPoolKernel, GramEqualsItsFormula) {
  const compute::RowKernel kernel = kernel_for(GetParam(), pool_for(GetParam(), 90, Key(1)));
  const auto rows = first_rows(90), Z = first_rows(70, 20);
  const compute::PreparedRows prepared(kernel, Z);
  Matrix K(90, 70);
  kernel_block(kernel, rows, prepared, K.data());
  // acos loses half the digits at 1: an angle of √(2·2⁻⁵³) = 1.5e-8 may come from equal rows.
  EXPECT_LT((K - plain_gram(kernel, rows, Z)).cwiseAbs().maxCoeff(), 1e-8);
}

// The jitter acts like that much more noise on u (see SparseGp's test of the same name).
TEST_P(EveryPoolKernel, EqualsExactGpWhenInducingPointsAreTheData) {
  const Pool pool = pool_for(GetParam(), 160, Key(2));
  const compute::RowKernel kernel = kernel_for(GetParam(), pool);
  const auto rows = first_rows(110), at = first_rows(50, 110);
  const Vector y = testing::objective(pool, rows, Key(3));
  const double variance = 1.7, noise = 0.2, mean = 0.3;
  PoolGp gp(kernel, rows);
  gp.add(rows, y);
  gp.set_scales({variance, noise, mean});

  Eigen::MatrixXd K = variance * plain_gram(kernel, rows, rows);
  K.diagonal().array() += noise;
  const Vector centred = y.array() - mean, solved = reference::solve(K, centred);
  const Eigen::MatrixXd Kx = variance * plain_gram(kernel, at, rows);
  const Vector exact_mean = (Kx * solved).array() + mean;
  const Vector exact_variance = variance - (Kx * reference::solve(K, Kx.transpose())).diagonal().array();
  const Eigen::MatrixXd L = reference::cholesky(K);
  const double evidence = -0.5 * centred.dot(solved) - L.diagonal().array().log().sum() - 55 * std::log(2 * std::numbers::pi);
  const Prediction got = gp.predict(at);
  EXPECT_LT((got.mean - exact_mean).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT((got.variance - exact_variance).cwiseAbs().maxCoeff(), 1e-4);
  // θ/2τ and ½ log|·| change by at most n·jitter·σ²/τ together, the quadratic form by ½ jitter·σ² ‖K⁻¹y‖².
  const double slack = 1e-6 * variance * (110 / noise + 0.5 * solved.squaredNorm());
  EXPECT_NEAR(gp.bound(), evidence, 1.01 * slack);
}

// Two values of a candidate and their mean with half the noise tell the same; r for all alike is that much noise.
TEST_P(EveryPoolKernel, AMeanOfTwoValuesTellsWhatTheyDo) {
  const Pool pool = pool_for(GetParam(), 160, Key(2));
  const compute::RowKernel kernel = kernel_for(GetParam(), pool);
  const auto rows = first_rows(100), Z = first_rows(40), at = first_rows(50, 110);
  const Vector y = testing::objective(pool, rows, Key(3)), other = testing::objective(pool, rows, Key(4));
  PoolGp twice(kernel, Z), once(kernel, Z), noisier(kernel, Z), scaled(kernel, Z);
  twice.add(rows, y);
  twice.add(rows, other);
  once.add(rows, 0.5 * (y + other), Vector::Constant(100, 0.5));
  scaled.add(rows, y, Vector::Constant(100, 3.0));
  noisier.add(rows, y);
  for (PoolGp* gp : {&twice, &once, &scaled}) gp->set_scales({1.7, 0.2, 0.3});
  noisier.set_scales({1.7, 0.6, 0.3});
  const Prediction a = once.predict(at), b = twice.predict(at);
  EXPECT_LT((a.mean - b.mean).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((a.variance - b.variance).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(scaled.bound(), noisier.bound(), 1e-9 * std::abs(noisier.bound()));
  // The best τ is a third as large, and as good: up to the search's precision of 0.03 in log ρ, with a curvature of n/2 at most.
  const PoolScaleBounds wide{1e-6, 1e6, 1e-6, 1e3, 100};
  const double slack = 0.5 * 50 * 0.03 * 0.03;
  EXPECT_NEAR(scaled.best_scales(wide, {}).bound, noisier.best_scales(wide, {1, 0.3, 0}).bound, slack);
  EXPECT_NEAR(exact_scales(kernel, rows, y, wide, {}, 0.03, Vector::Constant(100, 3.0)).bound,
              exact_scales(kernel, rows, y, wide, {1, 0.3, 0}, 0.03).bound, slack);
}

TEST_P(EveryPoolKernel, ExactScalesMaximiseTheEvidenceOfTheExactGp) {
  const Pool pool = pool_for(GetParam(), 90, Key(2));
  const compute::RowKernel kernel = kernel_for(GetParam(), pool);
  const auto rows = first_rows(70, 20);
  const Vector y = testing::objective(pool, rows, Key(3));
  const BestScales best = exact_scales(kernel, rows, y, {1e-3, 1e3, 1e-4, 1e2, 100}, {}, 0.03);
  const Matrix K = plain_gram(kernel, rows, rows);
  const auto evidence = [&](const PoolScales& scales) {
    Eigen::MatrixXd C = scales.variance * K;
    C.diagonal().array() += scales.noise;
    const Vector centred = y.array() - scales.mean;
    const Eigen::MatrixXd L = reference::cholesky(C);
    return -0.5 * centred.dot(reference::solve(C, centred).col(0)) - L.diagonal().array().log().sum() -
           35 * std::log(2 * std::numbers::pi);
  };
  // K itself is wrong by up to 1e-8 (GramEqualsItsFormula), which a noise of 1e-4 or more multiplies by at most n/τ.
  EXPECT_NEAR(best.bound, evidence(best.scales), 70 * 1e-8 / 1e-4);
  for (const double factor : {0.8, 1.25}) {
    PoolScales other = best.scales;
    other.variance *= factor;
    EXPECT_LE(evidence(other), best.bound + 1e-6) << factor;
    other = best.scales;
    other.mean += factor - 1;
    EXPECT_LE(evidence(other), best.bound + 1e-6) << factor;
  }
}

// Given ρ the closed forms of τ and c₀ are used: nothing near the optimum may be better.
TEST_P(EveryPoolKernel, BestScalesAreALocalMaximumOfTheBound) {
  const Pool pool = pool_for(GetParam(), 200, Key(4));
  PoolGp gp(kernel_for(GetParam(), pool), first_rows(160));
  const auto rows = first_rows(200);
  gp.add(rows, testing::objective(pool, rows, Key(5)));
  const BestScales best = gp.best_scales({1e-6, 1e6, 1e-6, 1e3, 100}, {});
  gp.set_scales(best.scales);
  const double top = gp.bound();
  EXPECT_NEAR(top, best.bound, 1e-8 * std::abs(top));
  for (const double factor : {0.8, 1.25}) {
    PoolGp::Scales other = best.scales;
    other.variance *= factor;
    gp.set_scales(other);
    EXPECT_LE(gp.bound(), top);
    other = best.scales;
    other.noise *= factor;
    gp.set_scales(other);
    EXPECT_LE(gp.bound(), top);
    other = best.scales;
    other.mean += factor - 1;
    gp.set_scales(other);
    EXPECT_LE(gp.bound(), top);
  }
}

TEST(PoolGp, ScalesStayInsideTheirBounds) {
  const Pool pool = testing::bit_pool(100, 64, Key(6));
  PoolGp gp(kernel_for(PoolKernelType::tanimoto, pool), first_rows(30));
  const auto rows = first_rows(100);
  gp.add(rows, 1e3 * testing::normal(100, Key(7)));
  const BestScales best = gp.best_scales({0.5, 2, 0.1, 0.3, 1}, {});
  EXPECT_GE(best.scales.variance, 0.5);
  EXPECT_LE(best.scales.variance, 2 * (1 + 1e-12));
  EXPECT_GE(best.scales.noise, 0.1);
  EXPECT_LE(best.scales.noise, 0.3);
  EXPECT_LE(std::abs(best.scales.mean), 1);
}

TEST(PoolGp, SameBitsHoweverTheDataComeAndOnAnyNumberOfThreads) {
  const Pool pool = testing::bit_pool(2600, 64, Key(8));
  const auto rows = first_rows(2600);
  const Vector y = testing::objective(pool, rows, Key(9));
  const compute::RowKernel kernel = kernel_for(PoolKernelType::arccosine, pool);
  const auto run = [&](const std::vector<Eigen::Index>& cuts) {
    PoolGp gp(kernel, first_rows(50));
    Eigen::Index begin = 0;
    for (const Eigen::Index end : cuts) {
      gp.add(std::span(rows).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)),
             y.segment(begin, end - begin));
      begin = end;
    }
    return gp.predict(first_rows(20, 100)).mean;
  };
  const Vector at_once = run({2600});
  EXPECT_EQ(at_once, run({1, 7, 1023, 1025, 2048, 2599, 2600}));
  set_num_threads(1);
  EXPECT_EQ(at_once, run({2600}));
  set_num_threads(3);
  EXPECT_EQ(at_once, run({500, 2600}));
  set_num_threads(0);
}

}  // namespace
}  // namespace salvo

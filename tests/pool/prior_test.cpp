#include "pool/prior.h"

#include <gtest/gtest.h>

#include "pool/rows.h"
#include "support/pools.h"
#include "support/rows.h"

namespace salvo {
namespace {

using testing::kernel_for;
using testing::plain_kernel;
using testing::pool_for;

class EveryPoolPrior : public ::testing::TestWithParam<PoolKernelType> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryPoolPrior, ::testing::ValuesIn(testing::kPoolKernels),
                         [](const auto& at) { return std::string(to_string(at.param)); });

// An inner product of M independent features has a standard deviation of at most 1.3/√M of a variance of 1 (signs: k(1 − k)
// or 1 − k² over M at most; cosines: 1.5 at most). Over 190 pairs the root mean square is within a third of what is expected.
TEST_P(EveryPoolPrior, FeaturesApproachTheKernelAtTheRateOneOverRootM) {
  const Pool pool = pool_for(GetParam(), 20, Key(31));
  const compute::RowKernel kernel = kernel_for(GetParam(), pool);
  double errors[2] = {};
  const int sizes[2] = {256, 16384};
  for (int s = 0; s < 2; ++s) {
    const int M = sizes[s];
    double squares = 0;
    int pairs = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const compute::PriorFeatures features = draw_prior(kernel, M, seed);
      Matrix Phi(20, M);
      for (Eigen::Index i = 0; i < 20; ++i) feature_row(features, kernel.rows, i, Phi.row(i).data());
      Phi *= features.scale;
      for (Eigen::Index i = 0; i < 20; ++i)
        for (Eigen::Index j = 0; j < i; ++j, ++pairs) {
          const double got = features.constant * features.constant + Phi.row(i).dot(Phi.row(j));
          squares += std::pow(got - plain_kernel(kernel, i, j), 2);
        }
      if (kind_of(GetParam()) == PoolKind::bits) {
        EXPECT_NEAR(Phi.row(3).squaredNorm() + features.constant * features.constant, 1.0, 1e-12);
      }
    }
    errors[s] = std::sqrt(squares / pairs);
    EXPECT_LT(errors[s], 1.3 / std::sqrt(M));
  }
  EXPECT_NEAR(errors[0] / errors[1], 8.0, 3.0);  // √(16384/256), each estimate within a fifth or so
}

// E φ(x) φ(x') = Tᵖ, and an inner product of M signs has a standard deviation of at most 1/√M: over 190 pairs the root mean
// square stays below 1.3 of that. In single precision the kernel keeps its word, too.
TEST(PriorFeatures, ProductsOfSignsHaveThePowerOfTheSimilarity) {
  constexpr int M = 4096;
  const Pool pool = testing::bit_pool(20, 150, Key(33));
  for (const int power : {1, 2, 4, 8}) {
    const compute::RowKernel kernel{.rows = rows_of(pool), .over_bits = compute::BitKernel::tanimoto, .power = power};
    const compute::PriorFeatures features = draw_prior(kernel, M, 5);
    const compute::PreparedRows Z(kernel, testing::first_rows(20));
    Matrix Phi(20, M), K(20, 20);
    double squares = 0;
    for (Eigen::Index i = 0; i < 20; ++i) {
      feature_row(features, kernel.rows, i, Phi.row(i).data());
      kernel_row(kernel, i, Z, K.row(i).data());
      float single[20];
      kernel_row(kernel, i, Z, single);
      EXPECT_EQ(K(i, i), 1.0);
      for (Eigen::Index j = 0; j < 20; ++j) {
        EXPECT_NEAR(K(i, j), plain_kernel(kernel, i, j), 1e-14);
        EXPECT_NEAR(static_cast<double>(single[j]), K(i, j), single_error(kernel));
        if (j < i) squares += std::pow(Phi.row(i).dot(Phi.row(j)) / M - K(i, j), 2);
      }
    }
    EXPECT_LT(std::sqrt(squares / 190), 1.3 / std::sqrt(M)) << "power " << power;
  }
}

TEST(PriorFeatures, EmptyAndEqualFingerprintsAreHandled) {
  const Pool pool = Pool::from_bits({0, 0, 5, 5}, 3, {});
  for (const compute::BitKernel type : {compute::BitKernel::arccosine, compute::BitKernel::tanimoto}) {
    const compute::RowKernel kernel{.rows = rows_of(pool), .over_bits = type, .bias = 0.0};
    const compute::PriorFeatures features = draw_prior(kernel, 70, 1);
    std::vector<std::uint64_t> a(2), b(2);
    for (const std::int64_t row : {0, 2}) {
      feature_bits(features, kernel.rows, row, row + 1, a.data());
      feature_bits(features, kernel.rows, row + 1, row + 2, b.data());
      EXPECT_EQ(a, b);
    }
    const compute::PreparedRows Z(kernel, testing::first_rows(4));
    double k[4];
    kernel_row(kernel, 0, Z, k);
    EXPECT_EQ(k[0], 1.0);
    EXPECT_EQ(k[1], 1.0);
    EXPECT_EQ(k[2], type == compute::BitKernel::arccosine ? 0.5 : 0.0);
  }
}

TEST(PriorFeatures, TooManyBitsForTheHashesIsAnError) {
  std::vector<std::uint64_t> words(1024, 1);
  const Pool pool = Pool::from_bits(words, 65536, {});
  EXPECT_THROW((void)draw_prior({.rows = rows_of(pool), .over_bits = compute::BitKernel::tanimoto}, 64, 0),
               std::invalid_argument);
}

}  // namespace
}  // namespace salvo

#include "theory/spectrum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

class EveryKernel : public ::testing::TestWithParam<KernelType> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel, ::testing::ValuesIn(testing::kJointKernels),
                         [](const auto& test) { return std::string(to_string(test.param)); });

// Burt et al. 2019 bound what m inducing variables lose by the small eigenvalues of Kxx; Proposition 1 puts n δ_m in
// their place. No rank-m matrix is nearer in trace than the leading eigenvectors, so the sum of the others cannot pass it.
TEST_P(EveryKernel, SmallEigenvaluesOfAnyGramMatrixStayBelowTheTail) {
  for (const int d : {1, 2}) {
    constexpr int n = 150;
    const Spectra spectra(GetParam(), d, 0.4);
    const Matrix X = testing::uniform(n, d, Key(3));
    const Matrix K = gram({GetParam(), 1.0, Vector::Constant(d, 0.4)}, X, X);
    const Vector values = reference::eigenvalues(K);  // rising
    for (const int m : {0, 1, 5, 20, 60, 100}) {
      const double rest = values.head(n - m).sum();
      EXPECT_LE(rest, n * spectra.tail(m) + 1e-10) << "d " << d << " m " << m;  // n² rounding errors of 1e-16
    }
  }
}

TEST_P(EveryKernel, SizeIsTheSmallestThatReachesTheTarget) {
  const Spectra spectra(GetParam(), 2, 0.4);
  for (const double target : {0.5, 0.1, 1e-2}) {
    const double m = spectra.size_for(target);
    ASSERT_TRUE(std::isfinite(m));
    EXPECT_LE(spectra.tail(m), target);
    EXPECT_GT(spectra.tail(m - 1), target);
  }
}

TEST_P(EveryKernel, TailNeverRisesAndBeginsWithAllVariance) {
  const Spectra spectra(GetParam(), 3, 0.3);
  EXPECT_EQ(spectra.tail(0), 1);
  double before = 1;
  for (double m = 1; m < 1e12; m *= 3) {
    EXPECT_LE(spectra.tail(m), before);
    before = spectra.tail(m);
  }
}

// λ_j = O(j^{−(2ν+d)/d}): the slope between two places differs from it by the terms of lower order, which for a box of
// side length L are of the size of its surface, 1 in j^{1/d}, and by (2ν)/r² from the density's knee.
TEST(Spectrum, MaternMassesFallAtTheRateOfTheTheory) {
  for (const KernelType type : {KernelType::matern12, KernelType::matern32, KernelType::matern52})
    for (const int d : {1, 2}) {
      const Spectrum spectrum(type, d, 0.5, 1e-6);
      const auto& masses = spectrum.masses();
      const std::size_t from = 2000, to = 50000;
      ASSERT_GT(masses.size(), to);
      const double slope = std::log(masses[to] / masses[from]) / std::log(static_cast<double>(to) / static_cast<double>(from));
      const double expected = -(2 * smoothness(type) + d) / d;
      EXPECT_NEAR(slope / expected, 1, 3 / std::pow(static_cast<double>(from), 1.0 / d)) << to_string(type) << " d " << d;
    }
}

TEST(Spectrum, InducingPointsNeedASmootherKernelThanTheDimension) {
  const Spectra rough(KernelType::matern32, 4, 0.3);  // 2ν = 3 < d: (m+1)δ_m grows
  EXPECT_TRUE(std::isinf(rough.size_for(0.1, true)));
  EXPECT_TRUE(std::isfinite(rough.size_for(0.1)));
}

}  // namespace
}  // namespace salvo

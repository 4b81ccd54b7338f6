#include "model/evidence.h"

#include <gtest/gtest.h>

#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

TEST(Evidence, IsTheExactGpsAndItsGradientIsThatOfFiniteDifferences) {
  for (const KernelType type : testing::kAllKernels) {
    const auto data = testing::wavy(60, 3, 0.2, 5);
    const Hyperparameters hyper = testing::hyper(type, 3);
    const BoundGradient at = evidence_gradient(hyper, data.X, data.y);
    EXPECT_NEAR(at.bound, reference::exact_gp(hyper, data.X, data.y, data.X).evidence, 1e-8);
    constexpr double h = 1e-5;  // central differences: error h² times a third derivative of order n
    for (int i = 0; i < 6; ++i) {
      const auto moved = [&](double by) {
        Hyperparameters there = hyper;
        if (i < 3) there.kernel.lengthscales(i) *= std::exp(by);
        if (i == 3) there.kernel.variance *= std::exp(by);
        if (i == 4) there.noise *= std::exp(by);
        if (i == 5) there.mean += by;
        return reference::exact_gp(there, data.X, data.y, data.X).evidence;
      };
      EXPECT_NEAR(at.gradient(i), (moved(h) - moved(-h)) / (2 * h), 1e-5 * std::max(1.0, std::abs(at.gradient(i)))) << i;
    }
  }
}

TEST(Evidence, IsTheCollapsedBoundWhereZIsX) {
  const auto data = testing::wavy(80, 2, 0.3, 9);
  const Hyperparameters hyper = testing::hyper(KernelType::matern52, 2);
  const BoundGradient exact = evidence_gradient(hyper, data.X, data.y), bound = bound_gradient(hyper, data.X, data.X, data.y);
  // A jitter j·σ² on Kzz loses at most Tr(Kxx − Qxx)/2τ + … ≈ n j σ²/2τ nats, twice that with the change of log|D|.
  const double slack = 80 * bound.jitter * hyper.kernel.variance / hyper.noise;
  EXPECT_NEAR(exact.bound, bound.bound, slack);
  EXPECT_LE((exact.gradient - bound.gradient).lpNorm<Eigen::Infinity>(), 20 * slack);
}

}  // namespace
}  // namespace salvo

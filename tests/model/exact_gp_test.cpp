#include "model/exact_gp.h"

#include <gtest/gtest.h>

#include "support/data.h"
#include "support/reference.h"

namespace salvo {
namespace {

TEST(ExactGp, EqualsItsDefinition) {
  const auto data = testing::wavy(80, 3, 0.3, 1);
  const Matrix at = testing::uniform(150, 3, Key(2));
  for (const KernelType type : testing::kAllKernels) {
    const Hyperparameters h = testing::hyper(type, 3);
    const auto truth = reference::exact_gp(h, data.X, data.y, at);
    const ExactGp gp(h, data.X, data.y);
    const Prediction got = gp.predict(at);
    EXPECT_LT((got.mean - truth.mean).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_LT((got.variance - truth.variance).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_NEAR(gp.evidence(), truth.evidence, 1e-9);
    EXPECT_EQ(gp.jitter(), 0);
  }
}

TEST(ExactGp, RepeatedPointsWithoutNoiseGetJitterAndSaySo) {
  const Matrix X = Matrix::Constant(30, 2, 0.5);
  Hyperparameters h = testing::hyper(KernelType::se, 2);
  h.noise = 1e-300;
  const ExactGp gp(h, X, Vector::Ones(30));
  EXPECT_GT(gp.jitter(), 0);
  EXPECT_NEAR(gp.predict(X.topRows(1)).mean(0), 1, 1e-3);
}

}  // namespace
}  // namespace salvo

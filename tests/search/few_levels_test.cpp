#include "search/few_levels.h"

#include <gtest/gtest.h>

#include "search/learned.h"
#include "search/local_model.h"

namespace salvo {
namespace {

Encoding encoded(const Domain& domain) { return Encoding(Space({{"a", Int{0, 15}}, {"b", domain}})); }

const Domain kChoice = Categorical{{std::string("p"), std::string("q"), std::string("r")}};

TEST(FewLevels, AreChoicesAndShortRangesOfWholeNumbers) {
  EXPECT_TRUE(few_levels(encoded(kChoice)));
  EXPECT_TRUE(few_levels(encoded(Int{1, 16})));
  EXPECT_FALSE(few_levels(encoded(Int{1, 17})));
  EXPECT_FALSE(few_levels(encoded(Float{0, 1})));
}

TEST(FewLevels, ExploreLessUntilThereAreValuesAndThenAsEver) {
  const Encoding few = encoded(kChoice), other = encoded(Float{0, 1});
  double before = 0;
  for (const std::int64_t n : {2, 20, 50, 60, 80, 100, 1000}) {
    EXPECT_EQ(early_alpha(other, n), 1) << n;
    EXPECT_GE(early_alpha(few, n), before) << n;
    before = early_alpha(few, n);
  }
  EXPECT_LT(early_alpha(few, 50), 0.5);
  EXPECT_EQ(early_alpha(few, 100), 1) << "a first batch of 100 is searched from as before";
}

// Six values say nothing of smoothness: the kernel is the one that is expected.
TEST(FewLevels, AreExpectedToJump) {
  const Encoding whole(Space({{"a", Int{0, 3}}, {"b", Int{0, 3}}})), real(Space({{"a", Float{0, 3}}, {"b", Float{0, 3}}}));
  for (const Encoding& space : {whole, real}) {
    const Learning learning{space, ModelOptions{}, 16};
    Observations data(2);
    for (int i = 0; i < 6; ++i) {
      const Vector x{{(i % 4) / 3.0, (i * 3 % 4) / 3.0}};
      data.add({.id = i + 1, .sequence = i + 1, .params = {}, .outcome = Abandoned{}}, x, i % 3);
    }
    const KernelType expected = few_levels(space) ? KernelType::matern32 : KernelType::matern52;
    EXPECT_EQ(learn(learning, data, nullptr, Key(1)).hyper.kernel.type, expected);
    EXPECT_EQ(learn_shape(learning.space, learning.model, data, 6, nearest_rows(data, 6, 0, 6), 0).hyper.kernel.type, expected);
  }
}

}  // namespace
}  // namespace salvo

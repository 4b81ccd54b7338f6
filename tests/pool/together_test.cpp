// Samples of several outputs over one pool.
#include "pool/together.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace salvo {
namespace {

// Two models of numbers x and y, 0 to 19 each.
class Together : public ::testing::Test {
 protected:
  Together() {
    std::vector<float> numbers;
    for (int i = 0; i < 400; ++i) numbers.insert(numbers.end(), {static_cast<float>(i % 20), static_cast<float>(i / 20)});
    const Pool pool = Pool::from_numbers(std::move(numbers), {"x", "y"}, {});
    const PoolModelOptions options{.kernel = PoolKernelType::matern52, .num_inducing = 30, .num_features = 64};
    std::vector<std::int64_t> rows;
    Vector first(60), second(60);
    for (int i = 0; i < 60; ++i) {
      rows.push_back(7 * i % 400);
      first(i) = static_cast<double>(rows.back() % 20) / 10 - 1;
      second(i) = static_cast<double>(rows.back() / 20) / 10 - 1;
    }
    for (const Vector& y : {first, second}) {
      models_.emplace_back(pool, options, 1);
      models_.back().learn(rows, y, Key(3));
    }
  }

  [[nodiscard]] PoolTogether samples(int num_members) const {
    return {std::vector{&models_[0], &models_[1]}, num_members, Key(5)};
  }

  std::vector<PoolModel> models_;
};

compute::PoolWorth worth_for(int num_members) {
  return {Matrix::Ones(1, num_members), Matrix::Zero(1, num_members), Matrix::Constant(1, num_members, -0.5),
          Matrix::Constant(1, num_members, std::numeric_limits<double>::infinity())};
}

TEST_F(Together, OneValueIsThatOfAllTogether) {
  const PoolTogether of = samples(7);
  const std::vector<std::int64_t> rows{3, 17, 200, 399};
  for (const std::size_t output : {0U, 1U}) {
    const Matrix all = of.values(output, rows);
    for (int b = 0; b < 7; ++b)
      for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(of.value(output, b, of.features(output, rows[i])), all(static_cast<Eigen::Index>(i), b));
  }
}

// A candidate goes to the first that wants it: those who come later change nothing for those before them.
TEST_F(Together, TheFirstMembersChooseAsTheyDoAmongAll) {
  const PoolTogether of = samples(40);
  const compute::PoolWorth worth = worth_for(40);
  const std::vector<std::int64_t> taken{1, 5, 399}, all = of.choose(worth, taken, 40).rows,
                                                    some = of.choose(worth, taken, 3).rows;
  ASSERT_EQ(all.size(), 40U);
  ASSERT_EQ(some.size(), 3U);
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
}

}  // namespace
}  // namespace salvo

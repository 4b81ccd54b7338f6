#include "search/repeats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace salvo {
namespace {

void add(Observations& data, double x, double y) {
  const std::int64_t id = data.size() + 1;
  data.add({.id = id, .sequence = id}, Vector::Constant(1, x), y);
}

Matrix points(std::initializer_list<double> xs) {
  Matrix out(std::ssize(xs), 1);
  std::copy(xs.begin(), xs.end(), out.data());
  return out;
}

// The best, each once, one of 25 evaluations at most; what waits for its second value counts.
TEST(Repeats, AreOfTheBestAndFew) {
  Observations data(1);
  for (int i = 0; i < 40; ++i) add(data, 0.01 * i, -std::abs(i - 20.2));
  const Matrix none(0, 1);
  using Rows = std::vector<std::int64_t>;
  EXPECT_EQ(due_repeats(data, none, 0, 100), Rows{});
  EXPECT_EQ(due_repeats(data, none, 4, 9), (Rows{20}));
  EXPECT_EQ(due_repeats(data, none, 4, 60), (Rows{20, 21, 19, 22}));
  EXPECT_EQ(due_repeats(data, none, 4, 1), (Rows{20}));
  EXPECT_EQ(due_repeats(data, points({0.2, 0.9}), 4, 40), (Rows{21, 19}));  // 82 in all
  add(data, 0.2, -1);
  EXPECT_EQ(due_repeats(data, none, 4, 40), (Rows{21, 19}));
  EXPECT_EQ(due_repeats(data, none, 1, 40), Rows{});
}

}  // namespace
}  // namespace salvo

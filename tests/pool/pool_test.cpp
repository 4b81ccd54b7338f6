#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salvo/pool.h>

#include <functional>
#include <limits>
#include <stdexcept>

namespace salvo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Pool, GivesBackItsRowsAndFindsThemById) {
  const Pool pool = Pool::from_bits({1, 0, 2, 1, 1, 0}, 65, {"one", "two", "three"});
  EXPECT_EQ(pool.size(), 3);
  EXPECT_EQ(pool.words_per_row(), 2);
  EXPECT_EQ(pool.num_features(), 65);
  EXPECT_EQ(pool.bits(1)[0], 2u);
  EXPECT_EQ(pool.bits(1)[1], 1u);
  for (std::int64_t row = 0; row < pool.size(); ++row) EXPECT_EQ(pool.find(pool.id(row)), row);
  EXPECT_EQ(pool.find("four"), -1);
  EXPECT_EQ(pool.find(""), -1);
  EXPECT_THAT(pool.all_ids(2), ElementsAre("three"));
}

TEST(Pool, NumbersTheRowsWithoutIds) {
  const Pool pool = Pool::from_numbers({1, 2, 3, 4, 5, 6}, {"a", "b"}, {});
  EXPECT_EQ(pool.kind(), PoolKind::numbers);
  EXPECT_EQ(pool.size(), 3);
  EXPECT_EQ(pool.id(2), "3");
  EXPECT_EQ(pool.numbers(2)[1], 6.0F);
  EXPECT_EQ(pool.find("3"), 2);
  EXPECT_EQ(pool.words_per_row(), 0);
}

TEST(Pool, FindsEachOfManyIds) {
  std::vector<std::string> ids;
  for (int i = 0; i < 20'000; ++i) ids.push_back(fmt::format("Z{}", i * 7));
  const Pool pool = Pool::from_bits(std::vector<std::uint64_t>(ids.size(), 5), 8, ids);
  for (int i = 0; i < 20'000; ++i) ASSERT_EQ(pool.find(ids[static_cast<std::size_t>(i)]), i);
  EXPECT_EQ(pool.find("Z1"), -1);
}

TEST(Pool, ChecksumDependsOnAllThatIsInIt) {
  const std::string sum = Pool::from_bits({1, 2}, 8, {"a", "b"}).checksum();
  EXPECT_EQ(sum.size(), 16u);
  EXPECT_EQ(Pool::from_bits({1, 2}, 8, {"a", "b"}).checksum(), sum);
  EXPECT_NE(Pool::from_bits({1, 3}, 8, {"a", "b"}).checksum(), sum);
  EXPECT_NE(Pool::from_bits({2, 1}, 8, {"a", "b"}).checksum(), sum);
  EXPECT_NE(Pool::from_bits({1, 2}, 9, {"a", "b"}).checksum(), sum);
  EXPECT_NE(Pool::from_bits({1, 2}, 8, {"a", "c"}).checksum(), sum);
  EXPECT_NE(Pool::from_bits({1, 2, 2}, 8, {"a", "b", "c"}).checksum(), sum);
  EXPECT_NE(Pool::from_numbers({1, 2}, {"x"}, {}).checksum(), Pool::from_numbers({1, 2}, {"y"}, {}).checksum());
}

TEST(Pool, RefusesWhatIsNoPoolAndSaysWhy) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(message_of([] { Pool::from_bits({}, 8, {}); }), HasSubstr("at least one candidate"));
  EXPECT_THAT(message_of([] { Pool::from_bits({1}, 0, {}); }), HasSubstr("num_bits"));
  EXPECT_THAT(message_of([] { Pool::from_bits({1, 2, 3}, 65, {}); }), HasSubstr("expected 2 per row"));
  EXPECT_THAT(message_of([] { Pool::from_bits({1, 256}, 8, {}); }), HasSubstr("row 2 has a bit past"));
  EXPECT_THAT(message_of([] { Pool::from_bits({1, 2}, 8, {"a"}); }), HasSubstr("one per candidate"));
  EXPECT_THAT(message_of([] { Pool::from_bits({1, 2, 3}, 8, {"a", "b", "a"}); }), HasSubstr("\"a\" in row 1 and in row 3"));
  EXPECT_THAT(message_of([] { Pool::from_bits({1, 2}, 8, {"a", ""}); }), HasSubstr("row 2 has an empty one"));
  EXPECT_THAT(message_of([] { Pool::from_numbers({1, 2, 3}, {"a", "b"}, {}); }), HasSubstr("2 numbers in each"));
  EXPECT_THAT(message_of([] { Pool::from_numbers({}, {}, {}); }), HasSubstr("columns"));
  EXPECT_THAT(message_of([&] { Pool::from_numbers({1, 2, 3, nan}, {"a", "b"}, {}); }), HasSubstr("row 2, \"b\""));
}

}  // namespace
}  // namespace salvo

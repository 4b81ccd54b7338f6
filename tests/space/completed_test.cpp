// Points of which what is fixed or follows is left out, and what an encoding says of its conditions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <salvo/encoding.h>

#include <optional>
#include <string>
#include <vector>

#include "support/message.h"

namespace salvo {
namespace {

using ::testing::HasSubstr;
using Given = std::vector<std::optional<Value>>;

Space mixture() {
  return Space({{"a", Float{0, 1}},
                {"b", Float{0, 1}},
                {"c", Float{0, 1}},
                {"kind", Categorical{{std::string("u"), std::string("v")}}},
                {"unit", Fixed{std::string("kg")}},
                {"n", Int{0, 9}},
                {"m", Int{0, 30}}},
               {"a + b + c == 1", "m == 3 * n", "kind != 'u' or a <= 0.5"});
}

TEST(Completed, WhatIsFixedOrFollowsIsFilledIn) {
  const Space space = mixture();
  const Value u = std::string("u"), kg = std::string("kg");
  const Params expected{0.25, 0.5, 0.25, u, kg, std::int64_t{4}, std::int64_t{12}};
  EXPECT_EQ(space.completed({0.25, 0.5, std::nullopt, u, std::nullopt, 4.0, std::nullopt}), expected);
  EXPECT_EQ(space.completed(Given(expected.begin(), expected.end())), expected);
  for (const int i : {2, 4, 6}) EXPECT_TRUE(space.may_be_left_out(i));
  for (const int i : {0, 1, 3, 5}) EXPECT_FALSE(space.may_be_left_out(i));
}

TEST(Completed, WhatIsGivenStays) {
  const Params told = mixture().completed({0.333, 0.333, 0.333, std::string("v"), std::nullopt, std::int64_t{1}, std::nullopt});
  EXPECT_EQ(told[2], Value(0.333));  // as people round
  EXPECT_EQ(told[6], Value(std::int64_t{3}));
}

TEST(Completed, WhatCannotBeIsSaidInWords) {
  const Space space = mixture();
  const auto refusal = [&](Value a, std::optional<Value> b, std::optional<Value> n) {
    return test::message<std::invalid_argument>([&] {
      (void)space.completed(
          {std::move(a), std::move(b), std::nullopt, std::string("v"), std::nullopt, std::move(n), std::nullopt});
    });
  };
  EXPECT_EQ(refusal(0.5, std::nullopt, 4.0), "parameter \"b\" has no value");
  EXPECT_THAT(refusal(0.5, 2.0, 4.0), HasSubstr("parameter \"b\": expected a number from 0 to 1, got 2"));
  EXPECT_EQ(refusal(0.75, 0.5, 4.0),
            "parameter \"c\" follows from the others by \"a + b + c == 1\": expected a number from 0 to 1, got -0.25");
  EXPECT_THAT(test::message<std::invalid_argument>([&] { (void)space.completed({0.5}); }),
              HasSubstr("expected 7 parameter values"));
  EXPECT_EQ(mixture().completed({0.5, 0.5004, std::nullopt, std::string("v"), std::nullopt, 4.0, std::nullopt})[2], Value(0.0));
}

// Of any allowed point the followers are those that the others say.
RC_GTEST_PROP(Completed, ComesBackToAnyPointThatIsDrawn, (std::uint64_t seed)) {
  const Space space = mixture();
  const Encoding encoding(space);
  std::vector<double> x(static_cast<std::size_t>(encoding.num_dims()));
  encoding.draw(x, Key(seed));
  RC_ASSERT(encoding.allows(x));
  const Params params = encoding.decode(x);
  Given given(params.begin(), params.end());
  for (std::size_t i = 0; i < given.size(); ++i)
    if (space.may_be_left_out(static_cast<int>(i))) given[i].reset();
  RC_ASSERT(space.completed(given) == params);
  RC_ASSERT(space.check_offered(params) == params);
}

TEST(Completed, TheShareIsThatOfTheBox) {
  const std::vector<Parameter> square{{"a", Float{0, 1}}, {"b", Float{0, 1}}};
  EXPECT_EQ(Encoding(Space(square)).share(), 1);
  EXPECT_EQ(Encoding(Space(square, {"a + b <= 2"})).share(), 1);
  // A half: of 1024 points or more the share deviates by 6·√(1/4/1024) at most.
  EXPECT_NEAR(Encoding(Space(square, {"a <= b"})).share(), 0.5, 6 * 0.5 / 32);
  std::vector<double> x(2);
  Encoding(Space(square)).draw(x, Key(1));
  EXPECT_TRUE(x[0] > 0 && x[0] < 1 && x[0] != x[1]);
}

}  // namespace
}  // namespace salvo

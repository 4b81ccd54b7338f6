#include "space/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <stdexcept>

namespace salvo {
namespace {

TEST(Json, ValuesReadBackExactlyWhateverTheirType) {
  const double low = -1e300, high = 1e300;
  const std::vector<Value> choices{true, std::int64_t{7}, 7.5, std::string("sieben \"7\" \n"), std::string()};
  const Space space({{"x", Float{low, high}},
                     {"n", Int{std::int64_t{-1} << 40, std::int64_t{1} << 40}},
                     {"c", Categorical{choices}},
                     {"o", Ordinal{{0.1, 0.2, 1e-300}}},
                     {"s", Float{.low = 0, .high = 1, .step = 0.05}},
                     {"d", Float{.low = 1e-5, .high = 1, .scale = Scale::log, .digits = 2}},
                     {"m", Int{.low = 0, .high = 64, .step = 16}},
                     {"f", Fixed{std::string("ü")}}});
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    const auto x = std::bit_cast<double>(random());
    if (!(x >= low && x <= high)) continue;
    const Params params{x,
                        static_cast<std::int64_t>(random() >> 24) - (std::int64_t{1} << 39),
                        choices[random() % choices.size()],
                        std::vector<Value>{0.1, 0.2, 1e-300}[random() % 3],
                        0.15,
                        0.0012,
                        std::int64_t{48},
                        std::string("ü")};
    ASSERT_EQ(params_from_json(space, params_to_json(space, params)), params);
  }
  EXPECT_EQ(space_to_json(space_from_json(space_to_json(space))), space_to_json(space));
  EXPECT_THROW((void)params_from_json(space, "{"), std::invalid_argument);
  EXPECT_THROW((void)params_from_json(space, "{\"x\":1}"), std::invalid_argument);
}

}  // namespace
}  // namespace salvo

#include "space/grid.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <salvo/encoding.h>

#include <cmath>
#include <cstdlib>
#include <string>

namespace salvo {
namespace {

std::vector<double> all_of(const Float& domain) {
  const Grid grid(domain);
  std::vector<double> out;
  for (std::int64_t k = 0; k < grid.num_levels(); ++k) out.push_back(grid.value(k));
  return out;
}

TEST(Grid, HasTheNumbersThatAPersonWouldWrite) {
  EXPECT_EQ(all_of({.low = 300, .high = 320, .step = 5}), (std::vector<double>{300, 305, 310, 315, 320}));
  EXPECT_EQ(all_of({.low = 0, .high = 0.7, .step = 0.1}), (std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}));
  EXPECT_EQ(all_of({.low = 0.05, .high = 0.32, .step = 0.1}), (std::vector<double>{0.05, 0.15, 0.25}));  // ends below high
  EXPECT_EQ(all_of({.low = -0.15, .high = 0.15, .digits = 1}), (std::vector<double>{-0.1, 0, 0.1}));
  EXPECT_EQ(all_of({.low = 0.085, .high = 0.13, .scale = Scale::log, .digits = 2}),
            (std::vector<double>{0.085, 0.086, 0.087, 0.088, 0.089, 0.09, 0.091, 0.092, 0.093, 0.094, 0.095, 0.096, 0.097, 0.098,
                                 0.099, 0.1, 0.11, 0.12, 0.13}));
  EXPECT_EQ(all_of({.low = 1, .high = 2, .step = 1.0 / 3}).size(), 4U);  // no decimals
}

// Every value is the double that its text is read as, with no more decimals than the step has.
RC_GTEST_PROP(Grid, ValuesAreDecimals, ()) {
  const int decimals = *rc::gen::inRange(0, 8);
  const double units = std::pow(10.0, decimals);
  const double low = *rc::gen::inRange(-100000, 100000) / units, step = *rc::gen::inRange(1, 5000) / units;
  const Grid grid({.low = low, .high = low + step * *rc::gen::inRange(2, 1000000), .step = step});
  const auto k = *rc::gen::inRange<std::int64_t>(0, grid.num_levels());
  const std::string text =
      std::to_string(static_cast<long long>(std::llround(grid.value(k) * units))) + "e-" + std::to_string(decimals);
  RC_ASSERT(grid.value(k) == std::strtod(text.c_str(), nullptr));
  RC_ASSERT(grid.nearest(grid.value(k)) == k);
}

RC_GTEST_PROP(Grid, SignificantDigitsAreSo, ()) {
  const int digits = *rc::gen::inRange(1, 7), decade = *rc::gen::inRange(-300, 290);
  const double low = std::pow(10.0, decade);
  const Grid grid({.low = low, .high = low * 1e7, .scale = Scale::log, .digits = digits});
  const auto k = *rc::gen::inRange<std::int64_t>(0, grid.num_levels());
  char text[40];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, grid.value(k));
  RC_ASSERT(std::strtod(text, nullptr) == grid.value(k));
  RC_ASSERT(grid.nearest(grid.value(k)) == k);
  if (k > 0) RC_ASSERT(grid.value(k - 1) < grid.value(k));
}

// What was measured elsewhere need not lie on the grid: the model sees it where it is. What is handed out does.
TEST(Grid, ToldValuesStayWhatTheyAre) {
  const Space space({{"t", Float{.low = 300, .high = 900, .step = 5}}, {"n", Int{.low = 8, .high = 256, .step = 8}}});
  const Params measured{611.25, std::int64_t{100}};
  EXPECT_EQ(space.check(measured), measured);
  EXPECT_NEAR(Encoding(space).encode(measured)(0), 311.25 / 600, 0x1p-41);
  EXPECT_EQ(space.check_offered(Params{610.0, std::int64_t{104}}), (Params{610.0, std::int64_t{104}}));
  const auto refused = [&](const Params& params) {
    try {
      (void)space.check_offered(params);
      return std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refused(measured),
            "parameter \"t\": expected a number from 300 to 900 in steps of 5, got 611.25; 610 is the nearest");
  EXPECT_EQ(refused({610.0, std::int64_t{99}}),
            "parameter \"n\": expected a whole number from 8 to 256 in steps of 8, got 99; 96 is the nearest");
}

TEST(Grid, AUniformNumberGivesEveryLevelAlikeOften) {
  const Encoding space = Space({{"w", Float{.low = 0, .high = 1, .step = 0.01}}});
  std::vector<int> counts(101);
  constexpr int kDraws = 101 * 50;
  for (int i = 0; i < kDraws; ++i) {
    const double u = (i + 0.5) / kDraws;
    double x = 0;
    space.from_unit({&u, 1}, {&x, 1});
    ++counts[static_cast<std::size_t>(space.level(space.grids()[0], {&x, 1}))];
  }
  for (const int count : counts) EXPECT_NEAR(count, 50, 1);
}

TEST(Grid, CountsItsPoints) {
  EXPECT_EQ(Space({{"t", Float{.low = 300, .high = 900, .step = 5}}, {"n", Int{.low = 8, .high = 256, .step = 8}}}).num_points(),
            121.0 * 32);
}

}  // namespace
}  // namespace salvo

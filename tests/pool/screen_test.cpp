#include "compute/cpu/screen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "compute/cpu/pool_loops.h"
#include "pool/choose.h"
#include "pool/prior.h"
#include "support/pools.h"
#include "support/rows.h"

namespace salvo {
namespace {

using testing::first_rows;

class EveryPoolScreen : public ::testing::TestWithParam<PoolKernelType> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryPoolScreen, ::testing::ValuesIn(testing::kPoolKernels),
                         [](const auto& at) { return std::string(to_string(at.param)); });

struct Screened {
  PoolGp gp;
  compute::PriorFeatures prior;
};
Screened screened(PoolKernelType type, const Pool& pool, std::int64_t num_observed) {
  const compute::RowKernel kernel = testing::kernel_for(type, pool);
  const auto rows = first_rows(num_observed);
  Screened s{PoolGp(kernel, rows), draw_prior(kernel, 200, 3)};
  s.gp.add(rows, testing::objective(pool, rows, Key(4)));
  return s;
}

// Both screens and single values lie within their own bounds of double precision; the 8 bits use no less than a fiftieth of
// theirs, so that the bound is about this error and not about something else.
void expect_errors_within_bounds(PoolKernelType type, const Pool& pool) {
  const Screened s = screened(type, pool, 50);
  const PoolPaths paths = draw_pool_paths(s.gp, s.prior, 30, 1.0, Key(6));
  const compute::FloatSamples singles(paths);
  const PoolPaths probes = draw_pool_paths(s.gp, s.prior, compute::kNumProbes, 1.0, Key(7).fold("probes"));
  const auto bytes = byte_screen(paths, &probes, Key(7)), floats = float_screen(singles);
  std::vector<float> features(static_cast<std::size_t>(paths.width()));
  std::vector<double> exact(static_cast<std::size_t>(paths.width()));
  for (const auto* screen : {bytes.get(), floats.get()}) {
    std::vector<float> scores(600 * 30), factors(600);
    auto rows = first_rows(600);
    EXPECT_EQ(screen->score(rows, -std::numeric_limits<double>::infinity(), scores.data(), factors.data()), 600);
    double largest = 0;
    for (std::int64_t row = 0; row < 600; ++row) {
      path_features(paths, row, exact.data());
      singles.features(row, features.data());
      for (int b = 0; b < 30; ++b) {
        const auto i = static_cast<std::size_t>(b);
        const double truth = path_value(paths, b, exact.data());
        const double bound =
            static_cast<double>(screen->slope()[i] * factors[static_cast<std::size_t>(row)] + screen->constant()[i]);
        const double error = std::abs(static_cast<double>(scores[static_cast<std::size_t>(row * 30 + b)]) - truth);
        EXPECT_LE(error, bound);
        EXPECT_LE(std::abs(singles.value(b, features.data()) - truth), singles.errors[i]);
        largest = std::max(largest, error / bound);
      }
    }
    if (screen == bytes.get()) {
      EXPECT_GT(largest, 0.02);
    }
  }
}

TEST_P(EveryPoolScreen, ErrorsAreWithinTheirBounds) {
  expect_errors_within_bounds(GetParam(), testing::pool_for(GetParam(), 600, Key(5)));
  if (kind_of(GetParam()) == PoolKind::numbers)  // years, pressures: far from 0, and single precision has 24 bits
    expect_errors_within_bounds(GetParam(), testing::number_pool(600, 3, Key(5), 2000));
}

// The largest share and the largest dither are the highest level, not the one after it, which has no byte.
TEST(Screen, LevelsFitIntoAByte) {
  const float share = 1, dither = compute::kLargestDither;
  std::uint8_t level = 0;
  compute::levels_of(&share, 0, 1, 255, &dither, 1, &level);
  EXPECT_EQ(level, 255);
}

// What is left out for a bar is below it for every path; where paths hardly differ, that is nearly all there is below it.
TEST_P(EveryPoolScreen, RowsLeftOutAreBelowTheBarForEveryPath) {
  const Pool pool = testing::pool_for(GetParam(), 2000, Key(12));
  const Screened s = screened(GetParam(), pool, 50);
  for (const double alpha : {0.0, 1e-6, 0.1, 1.0}) {
    const PoolPaths paths = alpha > 0 ? draw_pool_paths(s.gp, s.prior, 40, alpha, Key(13)) : mean_path(s.gp, s.prior);
    const auto B = static_cast<std::size_t>(paths.size());
    std::vector<double> highest(2000), exact(static_cast<std::size_t>(paths.width()));
    for (std::int64_t row = 0; row < 2000; ++row) {
      path_features(paths, row, exact.data());
      double best = -1e300;
      for (int b = 0; b < paths.size(); ++b) best = std::max(best, path_value(paths, b, exact.data()));
      highest[static_cast<std::size_t>(row)] = best;
    }
    std::vector<double> sorted = highest;
    std::sort(sorted.begin(), sorted.end());
    PoolPaths probes;
    if (alpha > 0) probes = draw_pool_paths(s.gp, s.prior, compute::kNumProbes, alpha, Key(14).fold("probes"));
    const auto bytes = byte_screen(paths, alpha > 0 ? &probes : nullptr, Key(14));
    for (const double bar : {sorted[1000], sorted[1980]}) {
      auto rows = first_rows(2000);
      std::vector<float> scores(2000 * B), factors(2000);
      const int kept = bytes->score(rows, bar, scores.data(), factors.data());
      rows.resize(static_cast<std::size_t>(kept));
      EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
      for (std::int64_t row = 0; row < 2000; ++row) {
        if (highest[static_cast<std::size_t>(row)] < bar) continue;
        EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), row)) << row << ", alpha " << alpha;
      }
      if (alpha <= 1e-6) {
        EXPECT_LT(kept, std::count_if(highest.begin(), highest.end(), [&](double f) { return f >= bar; }) + 20);
      }
      // The scores are those of the rows that are left.
      for (std::size_t k = 0; k < rows.size(); ++k) {
        path_features(paths, rows[k], exact.data());
        for (std::size_t b = 0; b < B; ++b)
          EXPECT_LE(std::abs(static_cast<double>(scores[k * B + b]) - path_value(paths, static_cast<int>(b), exact.data())),
                    static_cast<double>(bytes->slope()[b] * factors[k] + bytes->constant()[b]));
      }
    }
  }
}

// Candidates that are equal in all features have equal values: every tie must go to the smaller row, as without a screen.
TEST(Screen, TiesGoToTheSmallerRow) {
  const Pool seed = testing::bit_pool(40, 100, Key(8));
  std::vector<std::uint64_t> words;
  for (int copy = 0; copy < 60; ++copy)
    for (std::int64_t row = 0; row < 40; ++row) words.insert(words.end(), seed.bits(row), seed.bits(row) + 2);
  const Pool pool = Pool::from_bits(words, 100, {});
  for (const PoolKernelType type : {PoolKernelType::arccosine, PoolKernelType::tanimoto}) {
    const Screened s = screened(type, pool, 40);
    const PoolPaths paths = draw_pool_paths(s.gp, s.prior, 60, 0.3, Key(9));
    const auto taken = first_rows(45);
    const PoolChoice with = choose_rows(paths, 60, taken, {.screen = true}, Key(1));
    const PoolChoice without = choose_rows(paths, 60, taken, {.screen = false}, Key(1));
    EXPECT_EQ(with.rows, without.rows);
    EXPECT_EQ(with.values, without.values);
    std::vector<bool> gone(2400);
    for (const std::int64_t row : taken) gone[static_cast<std::size_t>(row)] = true;
    for (const std::int64_t row : with.rows) {  // no free copy of it lies before it
      for (std::int64_t earlier = row % 40; earlier < row; earlier += 40) EXPECT_TRUE(gone[static_cast<std::size_t>(earlier)]);
      gone[static_cast<std::size_t>(row)] = true;
    }
  }
}

// A budget so small that samples which agree get short lists, and come again, changes nothing.
TEST(Screen, TheByteBudgetChangesNoChoice) {
  const Pool pool = testing::bit_pool(3000, 64, Key(10));
  const Screened s = screened(PoolKernelType::tanimoto, pool, 40);
  const PoolPaths paths = draw_pool_paths(s.gp, s.prior, 50, 0.1, Key(11));
  const auto taken = first_rows(10);
  EXPECT_EQ(choose_rows(paths, 50, taken, {.byte_budget = 1 << 10}, Key(1)).rows, choose_rows(paths, 50, taken, {}, Key(1)).rows);
}

}  // namespace
}  // namespace salvo

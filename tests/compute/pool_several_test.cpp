#include <limits>
#include <vector>

#include "backend.h"
#include "pool_scene.h"

namespace salvo {
namespace {

using compute::Ranked;
using compute::RowSet;
using compute::Samples;
using testing::expect_same;
using testing::Kind;
using testing::kKinds;
using testing::PoolScene;

constexpr double kNoBound = std::numeric_limits<double>::infinity();

class EveryBackendsSeveral : public testing::EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, EveryBackendsSeveral, ::testing::ValuesIn(testing::kBackends), testing::backend_name);

// Scales, shifts and bounds of some objectives and constraints, each member's its own; about half of the rows keep to one bound.
compute::PoolWorth worth_for(int num_members, int num_objectives, int num_constraints, double bound, Key key) {
  const auto uniform = [&](int rows, Key mine) {
    Matrix out(rows, num_members);
    mine.fill_uniform({out.data(), static_cast<std::size_t>(out.size())});
    return out;
  };
  compute::PoolWorth out{0.2 + 2 * uniform(num_objectives, key.fold("scale")).array(), uniform(num_objectives, key.fold("shift")),
                         bound + 0.3 * uniform(num_constraints, key.fold("low")).array(),
                         Matrix::Constant(num_constraints, num_members, kNoBound)};
  for (int c = 1; c < num_constraints; c += 2) {  // every second has its bound above
    out.high.row(c) = out.low.row(c);
    out.low.row(c).setConstant(-kNoBound);
  }
  return out;
}

// By the words of the header, without the code's.
double plain_worth(const compute::PoolWorth& worth, int b, const std::vector<double>& f) {
  const auto K = worth.scale.rows();
  double missed = 0, least = kNoBound, sum = 0;
  for (Eigen::Index c = 0; c < worth.low.rows(); ++c) {
    const double g = f[static_cast<std::size_t>(K + c)];
    if (g < worth.low(c, b)) missed += worth.low(c, b) - g;
    if (g > worth.high(c, b)) missed += g - worth.high(c, b);
  }
  for (Eigen::Index k = 0; k < K; ++k) {
    const double share = worth.scale(k, b) * f[static_cast<std::size_t>(k)] + worth.shift(k, b);
    least = std::min(least, share);
    sum += share;
  }
  return missed > 0 ? -1e30 * (1 + missed) : least + 0.01 * sum;
}

std::vector<std::vector<Ranked>> naive_several(const std::vector<const Samples*>& outputs, const compute::PoolWorth& worth,
                                               const RowSet& blocked, const compute::ScoreOptions& options) {
  const int B = worth.num_members();
  std::vector<std::vector<Ranked>> best(static_cast<std::size_t>(B));
  std::vector<std::vector<double>> features;
  for (const Samples* samples : outputs) features.emplace_back(static_cast<std::size_t>(samples->width()));
  for (std::int64_t row = 0; row < outputs[0]->kernel->rows.size(); ++row) {
    if (blocked.contains(row)) continue;
    for (std::size_t o = 0; o < outputs.size(); ++o) path_features(*outputs[o], row, features[o].data());
    for (int b = 0; b < B; ++b) {
      const auto i = static_cast<std::size_t>(b);
      if (!options.subsets.empty() && !options.subsets[i].contains(row)) continue;
      std::vector<double> f;
      for (std::size_t o = 0; o < outputs.size(); ++o) f.push_back(path_value(*outputs[o], b, features[o].data()));
      best[i].push_back({row, plain_worth(worth, b, f)});
    }
  }
  for (auto& list : best) {
    std::sort(list.begin(), list.end(), [](const Ranked& a, const Ranked& b) { return before(a, b); });
    list.resize(std::min(list.size(), static_cast<std::size_t>(options.depth)));
  }
  return best;
}

// Outputs over the same rows: samples of their own, drawn from one scene.
struct Outputs {
  std::vector<Samples> samples, others;
  std::vector<const Samples*> pointers, probes;
  Outputs(const PoolScene& scene, int num_outputs, int num_members, double spread) {
    for (int o = 0; o < num_outputs; ++o)
      samples.push_back(scene.drawn(num_members, spread, Key(20).fold(static_cast<std::uint64_t>(o))));
    for (int o = 0; o < num_outputs; ++o)
      others.push_back(scene.drawn(compute::kNumProbes, spread, Key(40).fold(static_cast<std::uint64_t>(o))));
    for (const Samples& each : samples) pointers.push_back(&each);
    for (const Samples& each : others) probes.push_back(&each);
  }
};

// Objectives alone, with one bound, with bounds that hardly any row keeps to; sizes on both sides of a chunk's border.
TEST_P(EveryBackendsSeveral, ScoresEqualTheNaiveDoubleLoop) {
  for (const Kind kind : kKinds)
    for (const std::int64_t size : {1, 513, 1700})
      for (const double spread : {1.0, 0.05})
        for (const auto& [K, C, bound] : {std::tuple{2, 0, 0.0}, {1, 1, 0.5}, {3, 2, 0.5}, {1, 1, 8.0}}) {
          const PoolScene s(kind, size, 1, spread);
          const Outputs outputs(s, K + C, 13, spread);
          const compute::PoolWorth worth = worth_for(13, K, C, bound, Key(21));
          const RowSet none(size);
          compute::ScoreOptions options{.depth = 9, .key = Key(13)};
          const auto expected = naive_several(outputs.pointers, worth, none, options);
          for (const bool screen : {true, false}) {
            options.screen = screen;
            expect_same(GetParam().score_several(outputs.pointers, {}, worth, none, options).best, expected);
            expect_same(GetParam().score_several(outputs.pointers, outputs.probes, worth, none, options).best, expected);
          }
        }
}

TEST_P(EveryBackendsSeveral, BlockedRowsAndThoseOutsideASubsetAreNotFound) {
  const PoolScene s(Kind::tanimoto, 1700, 1, 0.5);
  const Outputs outputs(s, 3, 12, 0.5);
  const compute::PoolWorth worth = worth_for(12, 2, 1, 0.4, Key(22));
  RowSet blocked(1700);
  for (std::int64_t row = 0; row < 1300; ++row) blocked.insert(row);
  std::vector<compute::RandomSubset> subsets;
  for (std::uint64_t b = 0; b < 12; ++b) subsets.emplace_back(1700, 400, Key(14).fold(b));
  for (const bool in_subsets : {false, true}) {
    compute::ScoreOptions options{.depth = 6};
    if (in_subsets) options.subsets = subsets;
    expect_same(GetParam().score_several(outputs.pointers, outputs.probes, worth, blocked, options).best,
                naive_several(outputs.pointers, worth, blocked, options));
  }
}

TEST_P(EveryBackendsSeveral, ScoresAreTheSameOnAnyNumberOfThreads) {
  const PoolScene s(Kind::arccosine, 1700, 1, 0.5);
  const Outputs outputs(s, 3, 20, 0.5);
  const compute::PoolWorth worth = worth_for(20, 2, 1, 0.4, Key(23));
  const compute::ScoreOptions options{.depth = 10, .key = Key(15)};
  const auto [one, three] = testing::on_one_and_three_threads(
      [&] { return GetParam().score_several(outputs.pointers, outputs.probes, worth, RowSet(1700), options).best; });
  expect_same(three, one);
}

// One objective as it is and nothing to keep to: the rows that score_pool finds.
TEST_P(EveryBackendsSeveral, OfOneOutputTheyAreItsOwn) {
  for (const Kind kind : kKinds) {
    const PoolScene s(kind, 900, 15, 0.5);
    const std::vector<const Samples*> only{&s.samples};
    const compute::PoolWorth worth{Matrix::Ones(1, 15), Matrix::Zero(1, 15), Matrix(0, 15), Matrix(0, 15)};
    const compute::ScoreOptions options{.depth = 10};
    const auto several = GetParam().score_several(only, {}, worth, RowSet(900), options).best;
    const auto one = GetParam().score_pool(s.samples, RowSet(900), options).best;
    for (std::size_t b = 0; b < one.size(); ++b)
      for (std::size_t k = 0; k < one[b].size(); ++k) EXPECT_EQ(several[b][k].row, one[b][k].row);
  }
}

// Where samples hardly differ and few rows are worth anything, most are passed over by the probes alone.
TEST(PoolScoreOfSeveral, RowsThatNoMemberCanWantArePassedOver) {
  const PoolScene s(Kind::tanimoto, 60'000, 1, 0.01);
  const Outputs outputs(s, 2, 10, 0.01);
  const compute::PoolWorth worth = worth_for(10, 1, 1, 0.5, Key(24));
  const compute::ScoreOptions options{.depth = 5};
  const compute::Scores with = compute::score_pool(outputs.pointers, outputs.probes, worth, RowSet(60'000), options);
  const compute::Scores without = compute::score_pool(outputs.pointers, {}, worth, RowSet(60'000), options);
  expect_same(with.best, without.best);
  EXPECT_EQ(without.num_kept, without.num_scored);
  EXPECT_LT(with.num_kept, with.num_scored / 2);
}

TEST(PoolWorth, IsNeverMoreThanTheMostOfBoundsAroundIt) {
  constexpr int kTries = 2000;
  for (int i = 0; i < kTries; ++i) {
    const Key key = Key(30).fold(static_cast<std::uint64_t>(i));
    const compute::PoolWorth worth = worth_for(1, 2, 2, 0.3, key);
    std::vector<double> f(4), lowest(4), highest(4);
    for (std::size_t o = 0; o < 4; ++o) {
      f[o] = 2 * key.fold("f").uniform(o) - 0.5;
      lowest[o] = f[o] - key.fold("below").uniform(o);
      highest[o] = f[o] + key.fold("above").uniform(o);
    }
    EXPECT_LE(worth.value(0, f), worth.most(0, lowest, highest));
    EXPECT_EQ(worth.value(0, f), worth.most(0, f, f));
    EXPECT_NEAR(worth.value(0, f), plain_worth(worth, 0, f), 1e-12 * std::abs(plain_worth(worth, 0, f)));
  }
}

TEST(PoolWorth, OfValuesAsLargeAsNumbersCanBeWhatMissesStaysBelow) {
  const compute::PoolWorth worth{Matrix::Constant(1, 1, 1e100), Matrix::Zero(1, 1), Matrix::Zero(1, 1),
                                 Matrix::Constant(1, 1, kNoBound)};
  const double least = worth.value(0, std::vector<double>{-1e300, 0.0}),
               missing = worth.value(0, std::vector<double>{1e300, -1e-9}),
               farther = worth.value(0, std::vector<double>{1e300, -1e200});
  EXPECT_TRUE(std::isfinite(least) && std::isfinite(farther));
  EXPECT_LT(missing, least);
  EXPECT_LT(farther, missing);
}

TEST(PoolScoreOfSeveral, OtherNumbersOfSamplesAreAnError) {
  const PoolScene s(Kind::numbers, 50, 3, 0.5);
  const Outputs outputs(s, 2, 4, 0.5);
  EXPECT_THROW((void)compute::score_pool(outputs.pointers, {}, worth_for(4, 1, 0, 0, Key(1)), RowSet(50), {}),
               std::invalid_argument);
  EXPECT_THROW((void)compute::score_pool(outputs.pointers, {}, worth_for(5, 2, 0, 0, Key(1)), RowSet(50), {}),
               std::invalid_argument);
}

}  // namespace
}  // namespace salvo

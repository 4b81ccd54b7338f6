#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "backend.h"
#include "pool_scene.h"

namespace salvo {
namespace {

using compute::PriorFeatures;
using compute::Ranked;
using compute::Rows;
using compute::RowSet;
using compute::Samples;
using testing::expect_same;
using testing::first_rows;
using testing::kBits;
using testing::kFeatures;
using testing::Kind;
using testing::kKinds;
using testing::naive_best;
using testing::PoolScene;
class EveryBackendsPool : public testing::EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, EveryBackendsPool, ::testing::ValuesIn(testing::kBackends), testing::backend_name);

TEST_P(EveryBackendsPool, KernelBlockIsTheKernelOfEveryPair) {
  for (const Kind kind : kKinds) {
    const PoolScene s(kind, 200, 1, 1);
    const auto rows = first_rows(130, 70), Z = first_rows(65);
    Matrix K(130, 65);
    GetParam().kernel_block(s.kernel, rows, compute::PreparedRows(s.kernel, Z), K.data());
    for (Eigen::Index i = 0; i < K.rows(); ++i)
      for (Eigen::Index j = 0; j < K.cols(); ++j)
        EXPECT_NEAR(K(i, j), testing::plain_kernel(s.kernel, 70 + i, j), 1e-8);  // acos loses half the digits near 1
  }
}

TEST_P(EveryBackendsPool, FeatureBitsAreTheSignsOfTheirSums) {
  for (const Kind kind : {Kind::arccosine, Kind::tanimoto}) {
    const PoolScene s(kind, 150, 1, 1);
    const PriorFeatures& f = s.prior;
    std::vector<std::uint64_t> bits(static_cast<std::size_t>(130 * f.words));
    GetParam().feature_bits(f, s.kernel.rows, 20, 150, bits.data());
    const auto lanes = static_cast<std::size_t>(64 * f.words);
    for (std::int64_t row = 20; row < 150; ++row)
      for (std::size_t r = 0; r < kFeatures; ++r) {
        double sum = 0, product = 1;
        if (kind == Kind::arccosine) {
          sum = static_cast<double>(f.planes[kBits * lanes + r]);
          for (int j = 0; j < kBits; ++j)
            if (testing::bit(s.kernel.rows, row, j))
              sum += static_cast<double>(f.planes[static_cast<std::size_t>(j) * lanes + r]);
          if (std::abs(sum) < 1e-4) continue;  // single precision may see it on the other side
        } else {
          for (std::size_t q = 0; q < 2; ++q) {
            std::uint16_t least = f.empty[q * lanes + r];
            for (std::size_t j = 0; j < kBits; ++j)
              if (testing::bit(s.kernel.rows, row, static_cast<int>(j)))
                least = std::min(least, f.hashes[(q * kBits + j) * lanes + r]);
            product *= (least & 1U) != 0 ? 1 : -1;
          }
          sum = product;
        }
        const std::uint64_t word = bits[static_cast<std::size_t>((row - 20) * f.words) + r / 64];
        EXPECT_EQ((word >> (r % 64)) & 1U, sum > 0 ? 1U : 0U) << row << " " << r;
      }
  }
}

// Sizes on both sides of a chunk's border, samples that differ much and little, with and without the screen and its probes.
TEST_P(EveryBackendsPool, ScoresEqualTheNaiveDoubleLoop) {
  for (const Kind kind : kKinds)
    for (const std::int64_t size : {1, 511, 513, 1700})
      for (const double spread : {1.0, 0.05}) {
        const PoolScene s(kind, size, 23, spread);
        const RowSet none(size);
        compute::ScoreOptions options{.depth = 9, .key = Key(13)};
        const auto expected = naive_best(s.samples, none, options);
        for (const bool screen : {true, false})
          for (const Samples* probes : {static_cast<const Samples*>(nullptr), &s.probes}) {
            options.screen = screen;
            options.probes = probes;
            expect_same(GetParam().score_pool(s.samples, none, options).best, expected);
          }
      }
}

TEST_P(EveryBackendsPool, BlockedRowsAndThoseOutsideASubsetAreNotFound) {
  for (const Kind kind : kKinds) {
    const PoolScene s(kind, 1700, 12, 0.5);
    RowSet blocked(1700);
    for (std::int64_t row = 0; row < 1300; ++row) blocked.insert(row);  // whole chunks of them
    for (std::int64_t row = 1300; row < 1700; row += 3) blocked.insert(row);
    std::vector<compute::RandomSubset> subsets;
    for (std::uint64_t b = 0; b < 12; ++b) subsets.emplace_back(1700, 400, Key(14).fold(b));
    for (const bool in_subsets : {false, true}) {
      compute::ScoreOptions options{.depth = 6, .probes = &s.probes};
      if (in_subsets) options.subsets = subsets;
      const auto got = GetParam().score_pool(s.samples, blocked, options).best;
      expect_same(got, naive_best(s.samples, blocked, options));
      for (std::size_t b = 0; b < got.size(); ++b)
        for (const Ranked& at : got[b]) {
          EXPECT_FALSE(blocked.contains(at.row));
          EXPECT_TRUE(!in_subsets || subsets[b].contains(at.row));
        }
    }
  }
}

TEST_P(EveryBackendsPool, WhereFewerAreLeftThanWantedAllAreFound) {
  const PoolScene s(Kind::tanimoto, 700, 5, 0.5);
  for (const std::int64_t left : {0, 1, 20}) {
    RowSet blocked(700);
    for (std::int64_t row = 0; row < 700 - left; ++row) blocked.insert(row);
    for (const bool screen : {true, false}) {
      const compute::ScoreOptions options{.depth = 50, .screen = screen, .probes = &s.probes};
      const auto got = GetParam().score_pool(s.samples, blocked, options).best;
      for (const auto& list : got) EXPECT_EQ(std::ssize(list), left);
      expect_same(got, naive_best(s.samples, blocked, options));
    }
  }
}

// Rows that are equal in all features have equal values in any precision: the smaller row comes first.
TEST_P(EveryBackendsPool, TiesGoToTheSmallerRow) {
  for (const Kind kind : kKinds) {
    const PoolScene s(kind, 2400, 15, 0.3, 40);
    const RowSet none(2400);
    const compute::ScoreOptions options{.depth = 100, .probes = &s.probes};
    const auto got = GetParam().score_pool(s.samples, none, options).best;
    expect_same(got, naive_best(s.samples, none, options));
    for (const auto& list : got)
      for (std::size_t k = 1; k < list.size(); ++k)
        if (list[k - 1].value == list[k].value) {
          EXPECT_LT(list[k - 1].row, list[k].row);
        }
  }
}

// However the rows are cut up: the best of the parts, merged, are the best of the whole.
TEST_P(EveryBackendsPool, TheBestOfThePartsAreTheBestOfTheWhole) {
  for (const Kind kind : kKinds) {
    const PoolScene s(kind, 1500, 10, 0.5);
    const compute::ScoreOptions options{.depth = 12, .probes = &s.probes};
    const auto whole = GetParam().score_pool(s.samples, RowSet(1500), options).best;
    std::vector<std::vector<Ranked>> merged(10);
    for (const auto& [begin, end] : {std::pair{0, 7}, {7, 700}, {700, 1100}, {1100, 1500}}) {
      RowSet others(1500);
      for (std::int64_t row = 0; row < 1500; ++row)
        if (row < begin || row >= end) others.insert(row);
      const auto part = GetParam().score_pool(s.samples, others, options).best;
      for (std::size_t b = 0; b < 10; ++b) merged[b].insert(merged[b].end(), part[b].begin(), part[b].end());
    }
    for (auto& list : merged) {
      std::sort(list.begin(), list.end(), [](const Ranked& a, const Ranked& b) { return before(a, b); });
      list.resize(12);
    }
    expect_same(merged, whole);
  }
}

TEST_P(EveryBackendsPool, ScoresAreTheSameOnAnyNumberOfThreadsAndWithATableOfFeatures) {
  for (const Kind kind : kKinds) {
    PoolScene s(kind, 1700, 20, 0.5);
    const RowSet none(1700);
    const compute::ScoreOptions options{.depth = 10, .key = Key(15), .probes = &s.probes};
    const auto [one, three] =
        testing::on_one_and_three_threads([&] { return GetParam().score_pool(s.samples, none, options).best; });
    expect_same(three, one);
    if (kind == Kind::numbers) continue;
    std::vector<std::uint64_t> table(static_cast<std::size_t>(1700 * s.prior.words));
    GetParam().feature_bits(s.prior, s.kernel.rows, 0, 1700, table.data());
    s.samples.feature_table = table.data();
    expect_same(GetParam().score_pool(s.samples, none, options).best, one);
  }
}

// Samples without spread are their mean, and need no probes.
TEST_P(EveryBackendsPool, TheMeanItselfIsScoredWithoutProbes) {
  for (const Kind kind : kKinds) {
    const PoolScene s(kind, 1700, 2, 0);
    const RowSet none(1700);
    const compute::ScoreOptions options{.depth = 20};
    expect_same(GetParam().score_pool(s.samples, none, options).best, naive_best(s.samples, none, options));
  }
}

TEST(PoolScore, AnotherNumberOfProbesIsAnError) {
  const PoolScene s(Kind::arccosine, 100, 3, 0.5);
  EXPECT_THROW((void)compute::score_pool(s.samples, RowSet(100), {.probes = &s.samples}), std::invalid_argument);
}

TEST(RandomSubset, HoldsAsManyAsItSays) {
  for (const auto& [total, size] : {std::pair{1, 1}, {2, 1}, {1000, 137}, {1024, 1024}}) {
    const compute::RandomSubset subset(total, size, Key(16));
    int count = 0;
    for (int i = 0; i < total; ++i) count += subset.contains(i) ? 1 : 0;
    EXPECT_EQ(count, size);
  }
}

TEST(Rows, KeepWhatTheyPointAt) {
  auto numbers = std::make_shared<std::vector<float>>(6, 1.5F);
  const std::weak_ptr<std::vector<float>> watched = numbers;
  const float* data = numbers->data();
  std::optional<Rows> rows = Rows::of_numbers(data, 2, 3, std::move(numbers));
  const Rows copy = *rows;
  rows.reset();
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(copy.numbers(1)[2], 1.5F);
}

}  // namespace
}  // namespace salvo

// Rows, priors and samples for the tests of operations over a pool; every backend has the same.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "compute/pool_score.h"
#include "support/data.h"
#include "support/rows.h"

namespace salvo::testing {

using compute::BitKernel;
using compute::PriorFeatures;
using compute::Ranked;
using compute::RowKernel;
using compute::Rows;
using compute::RowSet;
using compute::Samples;

inline constexpr int kBits = 90, kFeatures = 100;
enum class Kind { arccosine, tanimoto, numbers };
inline constexpr Kind kKinds[] = {Kind::arccosine, Kind::tanimoto, Kind::numbers};

inline Rows bit_rows(std::int64_t size, std::int64_t num_distinct) {
  auto words = std::make_shared<std::vector<std::uint64_t>>();
  for (std::int64_t i = 0; i < size; ++i) {
    const auto row = static_cast<std::uint64_t>(i % num_distinct);
    words->push_back(Key(1).bits(row) & Key(2).bits(row));
    words->push_back(Key(3).bits(row) & ((std::uint64_t{1} << (kBits - 64)) - 1));
  }
  const std::uint64_t* data = words->data();
  return Rows::of_bits(data, size, kBits, std::move(words));
}

inline Rows number_rows(std::int64_t size, std::int64_t num_distinct) {
  auto numbers = std::make_shared<std::vector<float>>();
  for (std::int64_t i = 0; i < size; ++i)
    for (std::int64_t d = 0; d < 3; ++d)
      numbers->push_back(static_cast<float>(Key(4).uniform(static_cast<std::uint64_t>(3 * (i % num_distinct) + d))));
  const float* data = numbers->data();
  return Rows::of_numbers(data, size, 3, std::move(numbers));
}

// Any tables will do: these are random.
inline PriorFeatures random_prior(const RowKernel& kernel) {
  PriorFeatures f;
  f.num_features = kFeatures;
  if (!kernel.rows.are_bits()) {
    f.frequencies = ScaledPoints<double>(Matrix(10 * uniform(kFeatures, 3, Key(5))), Vector::Ones(3));
    f.phases = 6 * uniform(kFeatures, 1, Key(6)).col(0);
    f.low = kernel.ranges.low;
    return f;
  }
  f.words = (kFeatures + 63) / 64;
  const auto lanes = static_cast<std::size_t>(64 * f.words);
  if (kernel.over_bits == BitKernel::arccosine) {
    for (std::size_t i = 0; i < lanes * (kBits + 1); ++i) f.planes.push_back(static_cast<float>(Key(7).uniform(i) - 0.5));
    return f;
  }
  f.power = kernel.power;
  for (std::size_t i = 0; i < lanes * kBits * static_cast<std::size_t>(f.power); ++i)
    f.hashes.push_back(static_cast<std::uint16_t>(Key(8).bits(i)));
  for (std::size_t i = 0; i < lanes * static_cast<std::size_t>(f.power); ++i)
    f.empty.push_back(static_cast<std::uint16_t>(65534U + (Key(9).bits(i) & 1U)));
  return f;
}

// Samples w and v = mean + spread · normal; as many probes of the same kind.
struct PoolScene {
  RowKernel kernel;
  PriorFeatures prior;
  compute::PreparedRows inducing;
  Samples samples, probes;

  PoolScene(Kind kind, std::int64_t size, int num_samples, double spread, std::int64_t num_distinct) {
    kernel.rows = kind == Kind::numbers ? number_rows(size, num_distinct) : bit_rows(size, num_distinct);
    kernel.ranges = column_ranges(kernel.rows);
    kernel.bias = 0.7;
    if (kind == Kind::tanimoto) {
      kernel.over_bits = BitKernel::tanimoto;
      kernel.power = 2;
    }
    if (kind == Kind::numbers) kernel.lengthscales = Vector::LinSpaced(3, 0.3, 0.8).cwiseProduct(kernel.ranges.extent);
    prior = random_prior(kernel);
    inducing = compute::PreparedRows(kernel, first_rows(std::min<std::int64_t>(40, size)));
    samples = drawn(num_samples, spread, Key(10));
    probes = drawn(compute::kNumProbes, spread, Key(11));
  }
  PoolScene(Kind kind, std::int64_t size, int num_samples, double spread) : PoolScene(kind, size, num_samples, spread, size) {}
  PoolScene(const PoolScene&) = delete;  // the samples point into it
  PoolScene& operator=(const PoolScene&) = delete;

  [[nodiscard]] Samples drawn(int count, double spread, Key key) const {
    const auto normals = [&](Eigen::Index cols, Key mine) {
      Matrix out(count, cols);
      mine.fill_normal({out.data(), static_cast<std::size_t>(out.size())});
      return out;
    };
    Samples out;
    out.kernel = &kernel;
    out.inducing = &inducing;
    out.prior = &prior;
    out.mean_offset = 0.4;
    out.mean_weights = normal(inducing.size, Key(12));
    out.offset = (out.mean_offset + spread * normals(1, key.fold("offset")).col(0).array()).matrix();
    out.w = spread / std::sqrt(kFeatures) * normals(kFeatures, key.fold("w"));
    out.v = (spread * normals(inducing.size, key.fold("v"))).rowwise() + out.mean_weights.transpose();
    return out;
  }
};

// Every sample at every row, sorted whole.
inline std::vector<std::vector<Ranked>> naive_best(const Samples& samples, const RowSet& blocked,
                                                   const compute::ScoreOptions& options) {
  std::vector<std::vector<Ranked>> best(static_cast<std::size_t>(samples.size()));
  std::vector<double> features(static_cast<std::size_t>(samples.width()));
  for (std::int64_t row = 0; row < samples.kernel->rows.size(); ++row) {
    if (blocked.contains(row)) continue;
    path_features(samples, row, features.data());
    for (int b = 0; b < samples.size(); ++b) {
      const auto i = static_cast<std::size_t>(b);
      if (!options.subsets.empty() && !options.subsets[i].contains(row)) continue;
      best[i].push_back({row, path_value(samples, b, features.data())});
    }
  }
  for (auto& list : best) {
    std::sort(list.begin(), list.end(), [](const Ranked& a, const Ranked& b) { return before(a, b); });
    list.resize(std::min(list.size(), static_cast<std::size_t>(options.depth)));
  }
  return best;
}

inline void expect_same(const std::vector<std::vector<Ranked>>& got, const std::vector<std::vector<Ranked>>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t b = 0; b < got.size(); ++b) {
    ASSERT_EQ(got[b].size(), expected[b].size()) << "sample " << b;
    for (std::size_t k = 0; k < got[b].size(); ++k) {
      ASSERT_EQ(got[b][k].row, expected[b][k].row) << "sample " << b << ", place " << k;
      ASSERT_NEAR(got[b][k].value, expected[b][k].value, 1e-12 * (1 + std::abs(expected[b][k].value)));
    }
  }
}

}  // namespace salvo::testing

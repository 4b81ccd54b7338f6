#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "compute/pool_score.h"

namespace salvo::compute {

// Cheap scores of all samples at a run of rows, with what they may be wrong by: |score − f̃_b(x)| ≤ slope_b·factor_x +
// constant_b.
class Screen {
 public:
  virtual ~Screen() = default;
  // Of the n rows given, those that may be at `bar` or above for any sample move to the front, in order; returns how many. Scores
  // [n, B] and factors [n] are of these. A bar of −∞ keeps all.
  virtual int score(std::span<std::int64_t> rows, double bar, float* scores, float* factors) const = 0;
  // What every sample at each row lies within, from the probes alone; −∞ and ∞ where these were not given.
  virtual void ranges(std::span<const std::int64_t> rows, double* lowest, double* highest) const {
    std::fill_n(lowest, rows.size(), -std::numeric_limits<double>::infinity());
    std::fill_n(highest, rows.size(), std::numeric_limits<double>::infinity());
  }
  [[nodiscard]] const std::vector<float>& slope() const { return slope_; }
  [[nodiscard]] const std::vector<float>& constant() const { return constant_; }

 protected:
  std::vector<float> slope_, constant_;  // [B]
};

// The samples in single precision, one row and sample at a time: value() is wrong by at most errors[sample].
struct FloatSamples {
  explicit FloatSamples(const Samples& given);
  void features(std::int64_t row, float* out) const;  // [M+m]
  [[nodiscard]] double value(int sample, const float* features) const;

  const Samples& samples;
  MatrixF W;  // [B, M+m]
  std::vector<double> errors;
  std::vector<double> sizes;  // Σ |weights| of each sample
};

// Single precision; the bound is that of a sum of M+m products in any order.
[[nodiscard]] std::unique_ptr<Screen> float_screen(const FloatSamples& samples);
// Eight bits, at four times the speed or more; bounds hold for all rows and samples at once but for a chance of some 1e-12
// over the rounding's random numbers, which key draws, and the probes' (see ScoreOptions).
[[nodiscard]] std::unique_ptr<Screen> byte_screen(const Samples& samples, const Samples* probes, Key key);

}  // namespace salvo::compute

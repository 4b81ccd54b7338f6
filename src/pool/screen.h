#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pool/paths.h"

namespace salvo {

// Cheap scores of all paths at a run of rows, with what they may be wrong by: |score − f̃_b(x)| ≤ slope_b·factor_x +
// constant_b.
class Screen {
 public:
  virtual ~Screen() = default;
  // Of the n rows given, those that may be at `bar` or above for any path move to the front, in order; returns how many. Scores
  // [n, B] and factors [n] are of these. A bar of −∞ keeps all.
  virtual int score(std::span<std::int64_t> rows, double bar, float* scores, float* factors) const = 0;
  [[nodiscard]] const std::vector<float>& slope() const { return slope_; }
  [[nodiscard]] const std::vector<float>& constant() const { return constant_; }

 protected:
  std::vector<float> slope_, constant_;  // [B]
};

// The paths in single precision, one row and path at a time: value() is wrong by at most errors[path].
struct FloatPaths {
  explicit FloatPaths(const PoolPaths& paths);
  void features(std::int64_t row, float* out) const;  // [M+m]
  [[nodiscard]] double value(int path, const float* features) const;

  const PoolPaths& paths;
  MatrixF W;  // [B, M+m]
  std::vector<double> errors;
  std::vector<double> sizes;  // Σ |weights| of each path
};

// Single precision; the bound is that of a sum of M+m products in any order.
[[nodiscard]] std::unique_ptr<Screen> float_screen(const FloatPaths& paths);
// Eight bits, at four times the speed or more; bounds hold for all rows and paths at once but for a chance of some 1e-12
// over random numbers of their own, which key draws: the rounding's and the probes'.
[[nodiscard]] std::unique_ptr<Screen> byte_screen(const PoolPaths& paths, Key key);

}  // namespace salvo

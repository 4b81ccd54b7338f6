#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "pool/paths.h"

namespace salvo {

// Cheap scores of all paths at a run of rows, with what they may be wrong by: |score − f̃_b(x)| ≤ slope_b·factor_x +
// constant_b.
class Screen {
 public:
  virtual ~Screen() = default;
  // scores [rows, B], factors [rows].
  virtual void score(std::int64_t begin, std::int64_t end, float* scores, float* factors) const = 0;
  [[nodiscard]] const std::vector<float>& slope() const { return slope_; }
  [[nodiscard]] const std::vector<float>& constant() const { return constant_; }

 protected:
  std::vector<float> slope_, constant_;  // [B]
};

// Single precision; the bound is that of a sum of M+m products in any order.
[[nodiscard]] std::unique_ptr<Screen> float_screen(const PoolPaths& paths);
// Eight bits, at four times the speed or more; the bound holds for all rows and paths at once but for a chance of 1e-12 over
// the rounding's own random numbers, which key draws.
[[nodiscard]] std::unique_ptr<Screen> byte_screen(const PoolPaths& paths, Key key);

}  // namespace salvo

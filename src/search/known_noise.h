#pragma once
#include <salvo/matrix.h>

#include <cstdint>
#include <limits>
#include <span>

#include "search/results.h"

namespace salvo {

// What the values' own standard errors say of their noise, in the units of a model (docs/how-it-works.md, "Values of different
// precision"). Their ratios are taken at their word: the noise of value i is τ rᵢ, and r is 1 for the median of those among the
// first `num_rows` values that have one. A value without one counts like that median.
class KnownNoise {
 public:
  // Values that the model sees as `lowest` or less say nothing of it, and have r = 1.
  KnownNoise(const Results& data, std::int64_t num_rows, const Anchor& units,
             double lowest = -std::numeric_limits<double>::infinity());

  [[nodiscard]] bool none() const { return !(typical_ > 0); }             // nobody told one, or none that says anything
  [[nodiscard]] double typical() const { return typical_; }               // the variance whose r is 1
  [[nodiscard]] bool mostly() const { return mostly_ && !none(); }        // half of the values have one: τ is about that
  [[nodiscard]] double ratio(std::int64_t row) const;                     // r
  [[nodiscard]] Vector ratios(std::span<const std::int64_t> rows) const;  // empty: 1 for all

 private:
  [[nodiscard]] bool known(std::int64_t row) const;
  [[nodiscard]] double variance(std::int64_t row) const;
  const Results& data_;
  Anchor units_;
  double lowest_;
  double typical_ = 0;
  bool mostly_ = false;
};

}  // namespace salvo

#pragma once
#include <algorithm>
#include <limits>

namespace salvo::compute {

// A member's worth from the least of its objectives' shares, their sum, and what it misses of the constraints in all. It never
// falls when a share grows or less is missed, in rounded arithmetic too: what holds for bounds holds for values.
[[nodiscard]] inline double worth_of(double least, double sum, double missed) {
  constexpr double kAlso = 0.01;   // so much each share counts by itself: of equal ones the better
  constexpr double kBelow = 1e30;  // what misses a constraint is worse than anything else
  if (missed > 0) return -kBelow * (1 + std::min(missed, kBelow));
  return std::clamp(least + kAlso * sum, -kBelow, kBelow);
}

}  // namespace salvo::compute

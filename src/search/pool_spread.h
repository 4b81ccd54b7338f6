#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "pool/together.h"
#include "search/merits.h"

namespace salvo {

// Volumes are products of shares, of values that may be as large as numbers can be.
[[nodiscard]] inline double near_share(double share) { return std::clamp(share, -1e50, 1e50); }

// What is known of the front, in shares.
struct KnownFront {
  std::vector<ObjectiveScale> scales;  // of each objective, in the units of its paths
  Matrix shares;                       // [n,K] of the best
  Vector reference;                    // [K] the share below which nothing counts
};

// A candidate for each member: of all that are among the best of some member (of its own best, where there are too many to weigh
// them all), the one whose samples add most to the front and to what the members before it chose. A member who can add nothing
// takes its best.
[[nodiscard]] std::vector<std::int64_t> spread_along(const PoolTogether& samples, const compute::PoolWorth& worth,
                                                     const KnownFront& front, std::span<const std::int64_t> taken);

}  // namespace salvo

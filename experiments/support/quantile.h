#pragma once
#include <algorithm>
#include <vector>

namespace salvo::experiments {

// The value below which lies this share of them.
[[nodiscard]] inline double quantile_of(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace salvo::experiments

#include "compute/pool_worth.h"

#include <limits>
#include <vector>

namespace salvo::compute {

double PoolWorth::value(int b, std::span<const double> f) const { return most(b, f, f); }

double PoolWorth::most(int b, std::span<const double> lowest, std::span<const double> highest) const {
  double least = std::numeric_limits<double>::infinity(), sum = 0, missed = 0;
  const auto K = scale.rows();
  for (Eigen::Index k = 0; k < K; ++k) {
    const double share = scale(k, b) * highest[static_cast<std::size_t>(k)] + shift(k, b);
    least = std::min(least, share);
    sum += share;
  }
  for (Eigen::Index c = 0; c < low.rows(); ++c) {
    const auto at = static_cast<std::size_t>(K + c);
    missed += std::max(0.0, std::max(low(c, b) - highest[at], lowest[at] - high(c, b)));
  }
  return worth_of(least, sum, missed);
}

PoolWorth PoolWorth::only(std::span<const int> members) const {
  const std::vector<int> columns(members.begin(), members.end());
  return {scale(Eigen::all, columns), shift(Eigen::all, columns), low(Eigen::all, columns), high(Eigen::all, columns)};
}

}  // namespace salvo::compute

#include "sample/exchange.h"

#include <algorithm>
#include <span>

#include "math/parallel.h"
#include "sample/candidates.h"

namespace salvo {
namespace {

// Levels to try instead of `now`.
std::vector<std::int64_t> alternatives(std::int64_t now, const Encoding::Discrete& discrete) {
  constexpr std::int64_t kAll = 16;
  std::vector<std::int64_t> out;
  if (discrete.num_levels <= kAll || discrete.width > 1) {  // without an order there is no step to take
    for (std::int64_t level = 0; level < discrete.num_levels; ++level)
      if (level != now) out.push_back(level);
    return out;
  }
  for (std::int64_t step = 1; step < discrete.num_levels; step *= 2) {
    if (now - step >= 0) out.push_back(now - step);
    if (step <= discrete.num_levels - 1 - now) out.push_back(now + step);
    if (step > (std::int64_t{1} << 61)) break;
  }
  return out;
}

std::vector<Change> all_changes(const Encoding& space, std::span<const double> x) {
  std::vector<Change> out;
  for (const Encoding::Discrete& discrete : space.discretes())
    for (const std::int64_t level : alternatives(space.level(discrete, x), discrete)) out.push_back({discrete, level});
  return out;
}

// Makes the best single change of x; false when none is better than f.
bool change_best(const Functions& functions, const Encoding& space, int function, std::span<double> x, double& f) {
  const std::vector<Change> changes = all_changes(space, x);
  std::vector<double> values(changes.size());
  functions.changed(space, function, x, changes, values);
  const auto best = std::max_element(values.begin(), values.end());
  if (best == values.end() || !(*best > f)) return false;
  const Change change = changes[static_cast<std::size_t>(best - values.begin())];
  std::vector<double> y(x.begin(), x.end());
  space.set_level(change.discrete, change.level, y);
  // Differences lose digits: the change is made when the value computed afresh is better, too.
  double value = 0;
  functions.changed(space, function, y, {&change, 1}, {&value, 1});
  if (!(value > f)) return false;
  std::copy(y.begin(), y.end(), x.begin());
  f = value;
  return true;
}

}  // namespace

std::vector<bool> exchange(const Functions& functions, const Encoding& space, const std::vector<int>& index, Matrix& X,
                           Vector& f) {
  constexpr int kMaxRounds = 20;             // single changes per row; a fixed bound keeps the cost known
  std::vector<char> moved(index.size(), 0);  // not bool: tasks write side by side
  parallel_blocks(X.rows(), 8, [&](Eigen::Index begin, Eigen::Index end) {
    for (Eigen::Index i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      int round = 0;
      while (round < kMaxRounds && change_best(functions, space, index[at], row_of(X, i), f(i))) ++round;
      moved[at] = round > 0 ? 1 : 0;
    }
  });
  return {moved.begin(), moved.end()};
}

}  // namespace salvo

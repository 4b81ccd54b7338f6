#include "sample/exchange.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <span>

#include "math/parallel.h"
#include "sample/candidates.h"
#include "space/allowed.h"
#include "space/described.h"

namespace salvo {
namespace {

// Levels to try instead of `now`.
std::vector<std::int64_t> alternatives(const Encoding& space, std::int64_t now, const Encoding::Discrete& discrete) {
  constexpr std::int64_t kAll = 16, kAllDescribed = 200;
  constexpr std::size_t kNear = 60;  // of many that are described; and as many from all over
  std::vector<std::int64_t> out;
  if (discrete.kind == Encoding::Discrete::Kind::described && discrete.num_levels > kAllDescribed) {
    out = space.described(discrete.parameter)->around(now, kNear);
    const std::int64_t apart = discrete.num_levels / static_cast<std::int64_t>(kNear);
    for (std::int64_t level = now % apart; level < discrete.num_levels; level += apart)
      if (level != now) out.push_back(level);
    return out;
  }
  if (discrete.num_levels <= kAll || !discrete.is_ordered()) {  // without an order there is no step to take
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

using ChangesOf = std::vector<Change> (*)(const Encoding&, std::span<const double>);

std::vector<Change> all_changes(const Encoding& space, std::span<const double> x) {
  std::vector<Change> out;
  for (const Encoding::Discrete& discrete : space.discretes())
    for (const std::int64_t level : alternatives(space, space.level(discrete, x), discrete)) out.push_back({discrete, level});
  return out;
}

// To the grid's next numbers on both sides.
std::vector<Change> steps(const Encoding& space, std::span<const double> x) {
  std::vector<Change> out;
  for (const Encoding::Discrete& grid : space.grids()) {
    const std::int64_t now = space.level(grid, x);
    if (now > 0) out.push_back({grid, now - 1});
    if (now + 1 < grid.num_levels) out.push_back({grid, now + 1});
  }
  return out;
}

// Where conditions hold, what one parameter gains another may have to give: neighbours are single changes and pairs of them, with
// the continuous coordinates brought along, as far as they are allowed.
Matrix neighbours_within(const Encoding& space, const std::vector<Change>& changes, std::span<const double> x) {
  constexpr std::size_t kMostPairs = 400;
  std::vector<std::vector<double>> found;
  const auto try_with = [&](const Change& one, const Change* other) {
    std::vector<double> y(x.begin(), x.end());
    space.set_level(one.discrete, one.level, y);
    if (other) space.set_level(other->discrete, other->level, y);
    const bool brought = space.allowed()->bring(y);
    std::vector<double> valid = y;
    if (brought)
      space.encode(space.decode(y), valid);
    else if (!space.continuous_dims().empty())
      space.snap(valid);
    if (!space.allows(valid)) return;
    for (const Change* change : {&one, other})  // brought elsewhere it is another change
      if (change && space.level(change->discrete, valid) != change->level) return;
    if (!std::equal(valid.begin(), valid.end(), x.begin())) found.push_back(std::move(valid));
  };
  for (const Change& change : changes) try_with(change, nullptr);
  std::vector<Change> near;  // steps of one, of those that have an order
  for (const Change& change : changes)
    if (change.discrete.is_ordered() && std::abs(change.level - space.level(change.discrete, x)) == 1) near.push_back(change);
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < near.size(); ++i)
    for (std::size_t j = 0; j < i && pairs < kMostPairs; ++j)
      if (near[i].discrete.parameter != near[j].discrete.parameter) {
        try_with(near[i], &near[j]);
        ++pairs;
      }
  Matrix out(std::ssize(found), std::ssize(x));
  for (std::size_t i = 0; i < found.size(); ++i)
    out.row(static_cast<Eigen::Index>(i)) = Eigen::Map<const Eigen::RowVectorXd>(found[i].data(), out.cols());
  return out;
}

bool change_best_within(const Functions& functions, const Encoding& space, ChangesOf changes_of, int function,
                        std::span<double> x, double& f) {
  const Matrix X = neighbours_within(space, changes_of(space, x), x);
  if (X.rows() == 0) return false;
  Vector values;
  functions.evaluate(X, std::vector<int>(static_cast<std::size_t>(X.rows()), function), values);
  Eigen::Index best = 0;
  if (!(values.maxCoeff(&best) > f)) return false;
  std::copy(X.row(best).begin(), X.row(best).end(), x.begin());
  f = values(best);
  return true;
}

// Makes the best single change of x; false when none is better than f.
bool change_best(const Functions& functions, const Encoding& space, ChangesOf changes_of, int function, std::span<double> x,
                 double& f) {
  if (space.allowed()) return change_best_within(functions, space, changes_of, function, x, f);
  const std::vector<Change> changes = changes_of(space, x);
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

std::vector<bool> change(const Functions& functions, const Encoding& space, ChangesOf changes_of, const std::vector<int>& index,
                         Matrix& X, Vector& f) {
  constexpr int kMaxRounds = 20;             // single changes per row; a fixed bound keeps the cost known
  std::vector<char> moved(index.size(), 0);  // not bool: tasks write side by side
  parallel_blocks(X.rows(), 8, [&](Eigen::Index begin, Eigen::Index end) {
    for (Eigen::Index i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      int round = 0;
      while (round < kMaxRounds && change_best(functions, space, changes_of, index[at], row_of(X, i), f(i))) ++round;
      moved[at] = round > 0 ? 1 : 0;
    }
  });
  return {moved.begin(), moved.end()};
}

}  // namespace

std::vector<bool> exchange(const Functions& functions, const Encoding& space, const std::vector<int>& index, Matrix& X,
                           Vector& f) {
  return change(functions, space, all_changes, index, X, f);
}

void settle(const Functions& functions, const Encoding& space, const std::vector<int>& index, Matrix& X, Vector& f) {
  for (Eigen::Index i = 0; i < X.rows(); ++i) space.snap(row_of(X, i));
  if (space.grids().empty() && !space.allowed()) return;
  functions.evaluate(X, index, f);
  if (space.grids().empty()) return;
  (void)change(functions, space, steps, index, X, f);
}

bool take_beside(const Functions& functions, const Encoding& space, int function, const Eigen::RowVectorXd& x, Taken& taken,
                 Eigen::Ref<Eigen::RowVectorXd> out) {
  constexpr std::size_t kMostSeen = 1000;
  if (space.grids().empty()) return false;
  std::vector<double> at(x.begin(), x.end());
  std::set<std::vector<double>> known{at};
  std::map<double, std::vector<std::vector<double>>> beside;  // by value
  for (std::size_t seen = 0; seen < kMostSeen; ++seen) {
    if (taken.insert(at)) {
      out = Eigen::Map<const Eigen::RowVectorXd>(at.data(), out.size());
      return true;
    }
    const std::vector<Change> changes = steps(space, at);
    std::vector<double> values(changes.size());
    functions.changed(space, function, at, changes, values);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      std::vector<double> next = at;
      space.set_level(changes[i].discrete, changes[i].level, next);
      if (!space.allows(next)) continue;
      if (known.insert(next).second) beside[values[i]].push_back(std::move(next));
    }
    if (beside.empty()) return false;
    const auto best = std::prev(beside.end());
    at = std::move(best->second.back());
    best->second.pop_back();
    if (best->second.empty()) beside.erase(best);
  }
  return false;
}

}  // namespace salvo

#pragma once
#include <salvo/matrix.h>

#include <algorithm>
#include <span>

namespace salvo::compute {

// A member's worth from the least of its objectives' shares, their sum, and what it misses of the constraints in all. It never
// falls when a share grows or less is missed, in rounded arithmetic too: what holds for bounds holds for values.
[[nodiscard]] inline double worth_of(double least, double sum, double missed) {
  constexpr double kAlso = 0.01;   // so much each share counts by itself: of equal ones the better
  constexpr double kBelow = 1e30;  // what misses a constraint is worse than anything else
  if (missed > 0) return -kBelow * (1 + std::min(missed, kBelow));
  return std::clamp(least + kAlso * sum, -kBelow, kBelow);
}

// What the samples of several outputs are worth together at a candidate of a pool: of the objectives the least of
// scale·f̃ + shift, and a little of each; where a constraint's sample lies outside its bounds, less than anything that keeps to
// all of them, the less the farther outside. Objectives come before constraints. Member b of a batch has a column of its own.
struct PoolWorth {
  Matrix scale, shift;  // [K,B], scale > 0
  Matrix low, high;     // [C,B]; −∞, ∞: no bound

  [[nodiscard]] int num_members() const { return static_cast<int>(scale.cols()); }
  [[nodiscard]] int num_objectives() const { return static_cast<int>(scale.rows()); }
  [[nodiscard]] int num_outputs() const { return static_cast<int>(scale.rows() + low.rows()); }
  [[nodiscard]] double value(int member, std::span<const double> f) const;  // f [K+C]
  // No less than value() of any f within lowest and highest.
  [[nodiscard]] double most(int member, std::span<const double> lowest, std::span<const double> highest) const;
  [[nodiscard]] PoolWorth only(std::span<const int> members) const;
};

}  // namespace salvo::compute

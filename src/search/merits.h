#pragma once
#include <salvo/random.h>

#include <cmath>
#include <memory>
#include <vector>

#include "math/hypervolume.h"
#include "sample/several.h"
#include "search/standing.h"

namespace salvo {

// How a path's value of one objective counts among several: as a share of what the best span.
struct ObjectiveScale {
  Anchor units;                 // of the paths
  double origin = 0, span = 1;  // in the values' own units, turned
  [[nodiscard]] double share(double path) const { return share_of(units.from_model(path)); }
  [[nodiscard]] double share_of(double value) const {  // in the values' own units, which may lie as far apart as numbers can
    const double above = value - origin;
    return std::isfinite(above) ? above / span : value / span - origin / span;
  }
  [[nodiscard]] double slope(double path) const { return units.unit_at(path) / span; }
};

// Of objective k, for paths in `units`; `unit` is that of its values: of a front of one point a share is a part of what they
// span.
[[nodiscard]] ObjectiveScale objective_scale(const Standing& all, int k, const Anchor& units, double unit);
// Where the reference of objective k was told; else as far below the worst of the best as they span.
[[nodiscard]] double far_below(const Standing& all, int k, const ObjectiveScale& scale);

// Random directions in which searches look along the front: of length 1 and at least a little of each objective.
[[nodiscard]] Matrix random_directions(int count, int num_objectives, Key key);  // [count,K]

// A hypervolume scalarisation (docs/math.md §19): the least of its shares, each over its part of the search's direction; a
// smooth least, so that climbs do not stop at kinks. Shares are of what the best span for every even search, and begin far
// below the worst of these, at `far` [K] in the values' own units, for every odd one: what lies beyond an end of the front has
// no share of it.
class Scalarised : public Merit {
 public:
  Scalarised(std::vector<ObjectiveScale> scales, Vector far, Matrix directions)
      : scales_(std::move(scales)), far_(std::move(far)), directions_(std::move(directions)) {}
  [[nodiscard]] double value(int search, std::span<const double> f, std::span<double> slope) const override;
  // The same of values in their own units, turned.
  [[nodiscard]] double of_values(int search, std::span<const double> values) const;

 private:
  [[nodiscard]] double of_shares(int search, std::span<double> shares) const;  // which become their weights
  [[nodiscard]] double moved(int search, double share, std::size_t k) const;   // to this search's origin
  std::vector<ObjectiveScale> scales_;
  Vector far_;
  Matrix directions_;  // [searches,K]
};

// The hypervolume that a member's paths would add to what is known and to what the members before it chose, as a share of what
// they add where the member begins. Every even member counts it from a little below the worst of the best at most: from a
// reference far away the ends of the front are all that counts.
class Gained : public Merit {
 public:
  // front [n,K]: shares of the best; reference [K]: the share below which nothing counts.
  Gained(std::vector<ObjectiveScale> scales, Matrix front, Vector reference)
      : scales_(std::move(scales)), front_(std::move(front)), reference_(std::move(reference)) {}
  [[nodiscard]] double value(int member, std::span<const double> f, std::span<double> slope) const override;

  // The members come in turn, each with its paths at all the points to choose from, as shares [points,K], and at those chosen
  // before it. The point that adds most; `allowed`: those it may begin at, unless none is.
  [[nodiscard]] Eigen::Index next_member(const Matrix& shares, const std::vector<Eigen::Index>& chosen,
                                         const std::vector<bool>& allowed);

 private:
  std::vector<ObjectiveScale> scales_;
  Matrix front_;
  Vector reference_;
  std::vector<Boxes> left_;    // by member
  std::vector<double> units_;  // of what each member gains
};

}  // namespace salvo

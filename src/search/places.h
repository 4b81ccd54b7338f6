#pragma once
#include <salvo/encoding.h>
#include <salvo/random.h>

#include "sample/several.h"
#include "sample/taken.h"

namespace salvo {

// Boxes of the cube around points of it, where the members of a batch look for their best.
struct Places {
  Matrix centres;           // [k,d] valid points
  Eigen::RowVectorXd half;  // [d] of the sides of each
};

// Climbs of the members of a batch, `searches` of each, from the best of some candidates near the places; each stays inside the
// box of its place and the cube. Between rounds of a climb the prices of what is missed rise.
class PlaceSearch {
 public:
  PlaceSearch(const Encoding& space, const Places& places, SeveralFunctions& functions, int searches, Key key);

  void climb(int round);  // 0, 1, …
  [[nodiscard]] static int num_rounds();
  [[nodiscard]] const Matrix& X() const { return X_; }  // where the searches are, search s of member s mod B
  [[nodiscard]] const std::vector<int>& index() const { return index_; }
  // From here on each member has one search, which goes on from where search from[b] is, whosever it was.
  void go_on_from(const std::vector<Eigen::Index>& from);
  // The best end of each member: [B,d] distinct valid points, none of them taken; they are then.
  [[nodiscard]] Matrix best(Taken& taken, Key key);

 private:
  const Encoding& space_;
  SeveralFunctions& functions_;
  int num_members_;
  double step_;  // the first of a round
  Matrix candidates_, X_, low_, high_;
  std::vector<int> index_;
};

}  // namespace salvo

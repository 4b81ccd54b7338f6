#pragma once
#include <salvo/encoding.h>
#include <salvo/random.h>

#include "sample/several.h"
#include "sample/taken.h"

namespace salvo {

// Where the climbs of a batch may begin, and how far each may go from there.
struct Starts {
  Matrix X;          // [n,d] valid points
  Matrix low, high;  // [n,d] of continuous coordinates
};
// Points near the `centres` [k,d], in boxes around them of these half sides [d] and inside the cube.
[[nodiscard]] Starts starts_near(const Encoding& space, const Matrix& centres, const Eigen::RowVectorXd& half, Key key);
// Points of the whole cube, all of them where it is finite and small.
[[nodiscard]] Starts starts_everywhere(const Encoding& space, int count, Key key);

// Climbs of the members of a batch, `searches` of each, from the best of the starts. Between rounds of a climb the prices of what
// is missed rise.
class BatchClimb {
 public:
  BatchClimb(const Encoding& space, Starts starts, SeveralFunctions& functions, int searches, double first_step);

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

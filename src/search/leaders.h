#pragma once
#include <salvo/matrix.h>

#include <cstdint>

namespace salvo {

// Which of the evaluated points is the best, as far as the model and the values themselves tell (docs/how-it-works.md, "The
// recommendation"). Larger is better; rows are by trial id, and of equals the first wins.
struct Leader {
  Eigen::Index row = 0;
  double noise = 0;  // what the values of neighbours leave for the noise's variance, at most; ∞: too few to say
  double trust = 0;  // in the value seen there: 0 none (the model's mean), 1 all
};
// r: the noise of each value over what is usual; empty: 1 for all.
[[nodiscard]] Leader choose_leader(const Matrix& X, const Vector& y, const Vector& mean, const Vector& r = {});

}  // namespace salvo

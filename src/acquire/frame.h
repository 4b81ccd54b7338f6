#pragma once
#include <salvo/encoding.h>

namespace salvo {

// Coordinates of a neighbourhood: t = (x − origin)·to, x = origin + t·from. Those of continuous parameters may be turned;
// discrete ones keep their own.
struct Frame {
  Eigen::RowVectorXd origin;  // [d]
  Matrix to, from;            // [d,d], inverse to each other

  [[nodiscard]] Matrix inside(const Matrix& X) const { return (X.rowwise() - origin) * to; }
  [[nodiscard]] Matrix outside(const Matrix& T) const { return (T * from).rowwise() + origin; }
};

// Each of `axes` [c,c], the columns directions among the continuous coordinates, measured in units of `scales` [c].
[[nodiscard]] Frame make_frame(const Encoding& space, Eigen::RowVectorXd origin, const Matrix& axes, const Vector& scales);

}  // namespace salvo

#include "acquire/frame.h"

namespace salvo {

Frame make_frame(const Encoding& space, Eigen::RowVectorXd origin, const Matrix& axes, const Vector& scales) {
  const Eigen::Index d = space.num_dims();
  const std::vector<int>& continuous = space.continuous_dims();
  Frame out{std::move(origin), Matrix::Identity(d, d), Matrix::Identity(d, d)};
  out.to(continuous, continuous) = axes * scales.cwiseInverse().asDiagonal();
  out.from(continuous, continuous) = scales.asDiagonal() * axes.transpose();
  return out;
}

}  // namespace salvo

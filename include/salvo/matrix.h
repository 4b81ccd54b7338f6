#pragma once
#include <Eigen/Core>

namespace salvo {

// Row-major, so that a point is one contiguous row and a NumPy array can be mapped without a copy.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

}  // namespace salvo

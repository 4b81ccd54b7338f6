#include "space/room.h"

#include <salvo/matrix.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kZero = 1e-11;

// Maximises the last variable subject to A x <= b and x >= 0, where b >= 0: the simplex method from the corner 0, by Bland's
// rule, which cannot run in circles. [rows, variables]
double most_of_last(const Matrix& A, const Vector& b) {
  const Index rows = A.rows(), columns = A.cols();
  Matrix T = Matrix::Zero(rows + 1, columns + rows + 1);  // with slack variables; the last row is what is to be gained
  T.topLeftCorner(rows, columns) = A;
  T.block(0, columns, rows, rows).setIdentity();
  T.topRightCorner(rows, 1) = b;
  T(rows, columns - 1) = -1;
  std::vector<Index> basis(static_cast<std::size_t>(rows));
  for (Index i = 0; i < rows; ++i) basis[static_cast<std::size_t>(i)] = columns + i;
  const Index last = columns + rows;
  while (true) {
    Index enters = 0;
    while (enters < last && T(rows, enters) > -kZero) ++enters;
    if (enters == last) return T(rows, last);
    Index leaves = -1;
    for (Index i = 0; i < rows; ++i) {
      if (T(i, enters) <= kZero) continue;
      if (leaves < 0) {
        leaves = i;
        continue;
      }
      const double step = T(i, last) / T(i, enters), least = T(leaves, last) / T(leaves, enters);
      if (step < least - kZero ||
          (step <= least + kZero && basis[static_cast<std::size_t>(i)] < basis[static_cast<std::size_t>(leaves)]))
        leaves = i;
    }
    if (leaves < 0) return std::numeric_limits<double>::infinity();
    T.row(leaves) /= T(leaves, enters);
    for (Index i = 0; i <= rows; ++i)
      if (i != leaves && T(i, enters) != 0) T.row(i) -= T(i, enters) * T.row(leaves).eval();
    basis[static_cast<std::size_t>(leaves)] = enters;
  }
}

}  // namespace

// The radius is counted from so far below 0 that the corner 0 of the cube keeps everything.
double room_for_a_ball(const std::vector<HalfSpace>& half_spaces, int num_dims) {
  const auto k = static_cast<Index>(half_spaces.size()), d = static_cast<Index>(num_dims);
  Matrix A = Matrix::Zero(k + 2 * d, d + 1);
  Vector b(k + 2 * d);
  double below = 1;
  for (Index j = 0; j < k; ++j) {
    const HalfSpace& each = half_spaces[static_cast<std::size_t>(j)];
    const Eigen::Map<const Eigen::RowVectorXd> of(each.of.data(), d);
    const double length = of.norm();
    if (length == 0) continue;  // says nothing of where a ball may be
    A.row(j).head(d) = of / length;
    A(j, d) = 1;
    b(j) = each.most / length;
    below = std::max(below, -b(j));
  }
  for (Index i = 0; i < d; ++i) {
    A(k + i, i) = 1;
    A(k + d + i, i) = -1;
    A(k + i, d) = A(k + d + i, d) = 1;
    b(k + i) = 1;
    b(k + d + i) = 0;
  }
  return most_of_last(A, b.array() + below) - below;
}

}  // namespace salvo

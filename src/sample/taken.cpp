#include "sample/taken.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "sample/candidates.h"

namespace salvo {
namespace {

constexpr double kTriesInOrder = 1e7;

}  // namespace

bool take_best(const Matrix& X, const Vector& values, Taken& taken, Eigen::Ref<Eigen::RowVectorXd> out) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return values(i) != values(j) ? values(i) > values(j) : i < j; });
  for (const auto i : order) {
    if (!taken.insert({X.row(i).data(), static_cast<std::size_t>(X.cols())})) continue;
    out = X.row(i);
    return true;
  }
  return false;
}

Matrix next_free_point(const Encoding& space, Taken& taken, Matrix x) {
  if (!space.is_finite()) throw std::invalid_argument("the bounds of the parameters leave too few distinct numbers");
  const Matrix first = x;
  for (double tried = 0; tried <= std::min(space.num_points(), kTriesInOrder); ++tried) {
    if (taken.insert(row_of(x, 0))) return x;
    const Matrix before = x;
    (void)space.next(row_of(x, 0));        // after the last one comes the first
    if (x == first || x == before) break;  // of few that are allowed among many
  }
  throw std::invalid_argument("no point of the space is free. Tell or abandon pending trials");
}

Matrix free_point(const Encoding& space, Taken& taken, Key key) {
  constexpr Eigen::Index kTries = 1000;
  Matrix X = random_points(space, kTries, key);
  for (Eigen::Index i = 0; i < kTries; ++i) {
    space.snap(row_of(X, i));
    if (taken.insert(row_of(X, i))) return X.row(i);
  }
  return next_free_point(space, taken, X.topRows(1));
}

}  // namespace salvo

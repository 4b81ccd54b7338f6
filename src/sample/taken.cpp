#include "sample/taken.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace salvo {

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

}  // namespace salvo

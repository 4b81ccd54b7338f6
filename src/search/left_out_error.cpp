#include "search/left_out_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/left_out.h"

namespace salvo {

double left_out_error(const Prediction& there, const Vector& y, double noise, const Vector& r, const Anchor& units,
                      const Vector& values) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values(a) > values(b); });
  order.resize(std::min(order.size(), std::max(std::size_t{20}, order.size() / 3)));
  const Vector means = left_out_means(there, y, noise, r);
  double sum = 0;
  for (const auto i : order) sum += std::abs(units.from_model(means(i)) - values(i));
  return sum / static_cast<double>(order.size());
}

}  // namespace salvo

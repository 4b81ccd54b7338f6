#include "support/measure.h"

#include <algorithm>
#include <chrono>

namespace salvo::experiments {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

Matrix uniform(Eigen::Index n, Eigen::Index d, Key key) {
  Matrix X(n, d);
  key.fill_uniform({X.data(), static_cast<std::size_t>(X.size())});
  return X;
}

}  // namespace salvo::experiments

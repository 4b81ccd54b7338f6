#include "support/data.h"

#include <cmath>
#include <numeric>

namespace salvo::testing {

Matrix uniform(Eigen::Index n, Eigen::Index d, Key key) {
  Matrix X(n, d);
  key.fill_uniform({X.data(), static_cast<std::size_t>(X.size())});
  return X;
}

Vector normal(Eigen::Index n, Key key) {
  Vector v(n);
  key.fill_normal({v.data(), static_cast<std::size_t>(n)});
  return v;
}

std::vector<int> counted(int count) {
  std::vector<int> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

Data wavy(Eigen::Index n, Eigen::Index d, double noise_stddev, std::uint64_t seed) {
  const Key key(seed);
  Data data{uniform(n, d, key.fold("X")), normal(n, key.fold("noise")) * noise_stddev};
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index e = 0; e < d; ++e) data.y(i) += std::sin(3.0 * data.X(i, e) + static_cast<double>(e)) + 0.3;
  return data;
}

std::string test_name(KernelType type) {
  std::string out(to_string(type));
  std::erase(out, '-');
  return out;
}

Hyperparameters hyper(KernelType type, Eigen::Index d) {
  Hyperparameters h;
  h.kernel = {type, 1.7, Vector::LinSpaced(d, 0.25, 0.6)};
  h.noise = 0.09;
  h.mean = 0.4;
  return h;
}

}  // namespace salvo::testing

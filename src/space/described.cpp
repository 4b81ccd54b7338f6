#include "space/described.h"

#include <algorithm>
#include <numeric>

namespace salvo {

using Index = Eigen::Index;

Described::Described(const Categorical& category) : at_(std::ssize(category.numbers), std::ssize(category.numbers.at(0))) {
  for (Index i = 0; i < at_.rows(); ++i)
    at_.row(i) = Eigen::Map<const Eigen::RowVectorXd>(category.numbers[static_cast<std::size_t>(i)].data(), at_.cols());
  for (Index e = 0; e < at_.cols(); ++e) {
    const double low = at_.col(e).minCoeff(), high = at_.col(e).maxCoeff();
    for (Index i = 0; i < at_.rows(); ++i) at_(i, e) = high > low ? (at_(i, e) / 2 - low / 2) / (high / 2 - low / 2) : 0.5;
  }
}

std::span<const double> Described::at(std::int64_t choice) const {
  return {at_.row(choice).data(), static_cast<std::size_t>(at_.cols())};
}

std::int64_t Described::nearest(std::span<const double> x) const {
  Index best = 0;
  (at_.rowwise() - Eigen::Map<const Eigen::RowVectorXd>(x.data(), at_.cols())).rowwise().squaredNorm().minCoeff(&best);
  return best;
}

std::vector<std::int64_t> Described::around(std::int64_t choice, std::size_t count) const {
  const Vector distances = (at_.rowwise() - at_.row(choice)).rowwise().squaredNorm();
  std::vector<std::int64_t> out(static_cast<std::size_t>(at_.rows()));
  std::iota(out.begin(), out.end(), std::int64_t{0});
  std::erase(out, choice);
  const auto nearer = [&](std::int64_t a, std::int64_t b) {
    return distances(a) != distances(b) ? distances(a) < distances(b) : a < b;
  };
  const auto end = out.begin() + static_cast<std::ptrdiff_t>(std::min(count, out.size()));
  std::partial_sort(out.begin(), end, out.end(), nearer);
  out.erase(end, out.end());
  return out;
}

}  // namespace salvo

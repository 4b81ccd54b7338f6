#include "sample/exchange.h"

#include <algorithm>
#include <span>

namespace salvo {
namespace {

std::span<double> row(Matrix& X, Eigen::Index i) { return {X.row(i).data(), static_cast<std::size_t>(X.cols())}; }

// Levels to try instead of `now`.
std::vector<std::int64_t> alternatives(std::int64_t now, const Space::Discrete& discrete) {
  constexpr std::int64_t kAll = 16;
  std::vector<std::int64_t> out;
  if (discrete.num_levels <= kAll || discrete.width > 1) {  // without an order there is no step to take
    for (std::int64_t level = 0; level < discrete.num_levels; ++level)
      if (level != now) out.push_back(level);
    return out;
  }
  for (std::int64_t step = 1; step < discrete.num_levels; step *= 2) {
    if (now - step >= 0) out.push_back(now - step);
    if (step <= discrete.num_levels - 1 - now) out.push_back(now + step);
    if (step > (std::int64_t{1} << 61)) break;
  }
  return out;
}

}  // namespace

std::vector<bool> exchange(const Paths& paths, const Space& space, const std::vector<int>& index, Matrix& X, Vector& f) {
  constexpr int kMaxRounds = 20;  // single changes per row; a fixed bound keeps the cost known
  std::vector<bool> moved(index.size(), false);
  std::vector<Eigen::Index> active(index.size());
  for (std::size_t i = 0; i < active.size(); ++i) active[i] = static_cast<Eigen::Index>(i);

  for (int round = 0; round < kMaxRounds && !active.empty(); ++round) {
    std::vector<Eigen::Index> origin;  // which row a neighbour belongs to
    std::vector<double> neighbours;
    for (const Eigen::Index i : active)
      for (const Space::Discrete& discrete : space.discretes())
        for (const std::int64_t level : alternatives(space.level(discrete, row(X, i)), discrete)) {
          origin.push_back(i);
          neighbours.insert(neighbours.end(), X.row(i).data(), X.row(i).data() + X.cols());
          space.set_level(
              discrete, level,
              {neighbours.data() + neighbours.size() - static_cast<std::size_t>(X.cols()), static_cast<std::size_t>(X.cols())});
        }
    if (origin.empty()) break;
    const Matrix N = Eigen::Map<const Matrix>(neighbours.data(), static_cast<Eigen::Index>(origin.size()), X.cols());
    std::vector<int> path(origin.size());
    for (std::size_t k = 0; k < origin.size(); ++k) path[k] = index[static_cast<std::size_t>(origin[k])];
    Vector values;
    paths.evaluate(N, path, values);

    std::vector<Eigen::Index> improved;
    for (std::size_t k = 0; k < origin.size(); ++k) {
      const Eigen::Index i = origin[k], at = static_cast<Eigen::Index>(k);
      if (!(values(at) > f(i))) continue;
      f(i) = values(at);
      X.row(i) = N.row(at);
      if (improved.empty() || improved.back() != i) improved.push_back(i);
      moved[static_cast<std::size_t>(i)] = true;
    }
    active = std::move(improved);
  }
  return moved;
}

}  // namespace salvo

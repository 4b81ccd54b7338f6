#include "search/design.h"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

#include "math/sobol.h"
#include "sample/candidates.h"

namespace salvo {
namespace {

constexpr int kMaxAttempts = 1000;  // to find another number between bounds that are almost equal

Matrix unit_points(Initial how, int first, int count, int dims, Key key) {
  if (how == Initial::sobol) return sobol(first, count, dims, key);
  Matrix U(count, dims);
  for (int i = 0; i < count; ++i) {
    key.fold(static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(i))
        .fill_uniform({U.row(i).data(), static_cast<std::size_t>(dims)});
  }
  return U;
}

// Moves a point that is taken. In a finite space to the next one in the order of the levels, the first parameter
// turning fastest, so every point is reached; otherwise to other continuous coordinates.
void move(const Encoding& space, std::span<double> x, int attempt, Key key) {
  if (space.is_finite()) {
    (void)next_point(space, x);  // after the last one comes the first
    return;
  }
  for (const int dim : space.continuous_dims()) {
    x[static_cast<std::size_t>(dim)] = key.fold(static_cast<std::uint64_t>(attempt)).uniform(static_cast<std::uint64_t>(dim));
  }
  space.snap(x);
}

}  // namespace

Matrix initial_design(const Encoding& space, Initial how, int first, int count, std::span<const Params> taken, Key key) {
  std::set<Params> seen(taken.begin(), taken.end());
  if (static_cast<double>(seen.size()) + count > space.num_points()) {
    throw std::invalid_argument(fmt::format("initial_design: expected at most {} new points, got {}",
                                            space.num_points() - static_cast<double>(seen.size()), count));
  }
  const Matrix U = unit_points(how, first, count, space.num_free(), key);
  Matrix X(count, space.num_dims());
  for (int i = 0; i < count; ++i) {
    const std::span<double> x(X.row(i).data(), static_cast<std::size_t>(X.cols()));
    space.from_unit({U.row(i).data(), static_cast<std::size_t>(U.cols())}, x);
    space.snap(x);
    for (int attempt = 0; !seen.insert(space.decode(x)).second; ++attempt) {
      if (!space.is_finite() && attempt == kMaxAttempts) {
        throw std::invalid_argument("initial_design: the bounds of the parameters leave too few distinct numbers");
      }
      move(space, x, attempt, key.fold("move").fold(static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(i)));
    }
  }
  return X;
}

}  // namespace salvo

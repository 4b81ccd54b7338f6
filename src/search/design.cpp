#include "search/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "math/sobol.h"
#include "sample/candidates.h"
#include "space/allowed.h"

namespace salvo {
namespace {

constexpr int kMaxAttempts = 1000;   // to find another number between bounds that are almost equal
constexpr double kManyPoints = 1e5;  // points of a finite space with conditions, among which the next one may be far …
constexpr int kDraws = 50;           // … so that others are drawn first

Matrix unit_points(Initial how, int first, int count, int dims, Key key) {
  if (how == Initial::sobol) return sobol(first, count, dims, key);
  Matrix U(count, dims);
  for (int i = 0; i < count; ++i) {
    key.fold(static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(i))
        .fill_uniform({U.row(i).data(), static_cast<std::size_t>(dims)});
  }
  return U;
}

// Of a space with conditions: those of the sequence that they allow, while those are not too few; else points at random.
Matrix allowed_points(const Encoding& space, Initial how, int first, int count, Key key) {
  constexpr double kFewest = 0.01, kSurely = 20;
  constexpr int kTogether = 1024;
  Matrix X(count, space.num_dims());
  Eigen::Index next = 0;
  const auto most = static_cast<int>(kSurely * (first + count) / kFewest);
  if (how == Initial::sobol && space.allowed()->share() >= kFewest) {
    Matrix x(1, space.num_dims());
    for (int begin = 0, allowed = 0; next < count && begin < most; begin += kTogether) {
      Matrix U = unit_points(how, begin, kTogether, space.num_free(), key);
      for (Eigen::Index k = 0; k < kTogether && next < count; ++k) {
        space.from_unit(row_of(U, k), row_of(x, 0));
        if (space.allows(row_of(x, 0)) && allowed++ >= first) X.row(next++) = x;
      }
    }
  }
  for (; next < count; ++next)
    space.allowed()->draw(row_of(X, next),
                          key.fold("allowed").fold(static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(next)));
  return X;
}

Matrix points_of(const Encoding& space, Initial how, int first, int count, Key key) {
  if (space.allowed()) return allowed_points(space, how, first, count, key);
  Matrix U = unit_points(how, first, count, space.num_free(), key);
  Matrix X(count, space.num_dims());
  for (Eigen::Index i = 0; i < count; ++i) {
    space.from_unit(row_of(U, i), row_of(X, i));
    space.snap(row_of(X, i));
  }
  return X;
}

// Moves a point that is taken. In a finite space to the next one in the order of the levels, the first parameter
// turning fastest, so every point is reached; otherwise to other continuous coordinates.
void move(const Encoding& space, std::span<double> x, int attempt, Key key) {
  const bool sparse = space.allowed() && space.num_points() > kManyPoints && attempt < kDraws;
  if (space.is_finite() && !sparse) {
    (void)space.next(x);  // after the last one comes the first
    return;
  }
  if (space.allowed()) return space.allowed()->draw(x, key.fold(static_cast<std::uint64_t>(attempt)));
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
  Matrix X = points_of(space, how, first, count, key);
  for (int i = 0; i < count; ++i) {
    const std::span<double> x = row_of(X, i);
    for (int attempt = 0; !seen.insert(space.decode(x)).second; ++attempt) {
      if (!space.is_finite() && attempt == kMaxAttempts) {
        throw std::invalid_argument("initial_design: the bounds of the parameters leave too few distinct numbers");
      }
      const std::vector<double> before(x.begin(), x.end());
      move(space, x, attempt, key.fold("move").fold(static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(i)));
      const bool all_seen =
          static_cast<std::size_t>(attempt) > seen.size() + kDraws || (attempt >= kDraws && std::ranges::equal(x, before));
      if (space.is_finite() && all_seen)
        throw std::invalid_argument("no point of the space is free. Tell or abandon pending trials");
    }
  }
  return X;
}

}  // namespace salvo

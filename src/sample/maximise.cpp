#include <fmt/core.h>
#include <salvo/paths.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "compute/score.h"
#include "math/lbfgs.h"
#include "sample/candidates.h"
#include "sample/exchange.h"
#include "sample/taken.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

// Local searches from the rows of X: continuous coordinates by L-BFGS, discrete ones by exchange, in turn until the
// discrete part rests.
void climb(const Paths& paths, const Space& space, const std::vector<int>& index, int max_iterations, Matrix& X, Vector& f) {
  constexpr int kMaxTurns = 3;
  const LbfgsOptions lbfgs{
      .max_evaluations = max_iterations + 1, .tolerance = 1e-6 * std::sqrt(paths.kernel.variance), .first_step = 0.05};
  std::vector<Index> active(index.size());
  std::iota(active.begin(), active.end(), Index{0});
  for (int turn = 0; turn < kMaxTurns && !active.empty(); ++turn) {
    const auto rows = static_cast<Index>(active.size());
    Matrix start(rows, X.cols());
    std::vector<int> path(active.size());
    for (Index a = 0; a < rows; ++a) {
      start.row(a) = X.row(active[static_cast<std::size_t>(a)]);
      path[static_cast<std::size_t>(a)] = index[static_cast<std::size_t>(active[static_cast<std::size_t>(a)])];
    }
    Vector value;
    if (!space.continuous_dims().empty()) {
      Matrix low = start, high = start;
      for (const int d : space.continuous_dims()) {
        low.col(d).setZero();
        high.col(d).setOnes();
      }
      const BatchFunction function = [&](const Matrix& P, const std::vector<int>& which, Vector& values, Matrix& gradients) {
        std::vector<int> of(which.size());
        for (std::size_t a = 0; a < which.size(); ++a) of[a] = path[static_cast<std::size_t>(which[a])];
        paths.evaluate(P, of, values, &gradients);
      };
      LbfgsResult result = lbfgs_maximise(function, start, low, high, lbfgs);
      start = std::move(result.X);
      value = std::move(result.f);
    } else {
      paths.evaluate(start, path, value);
    }
    std::vector<bool> moved(active.size(), false);
    if (!space.discretes().empty()) moved = exchange(paths, space, path, start, value);
    std::vector<Index> next;
    for (Index a = 0; a < rows; ++a) {
      const Index i = active[static_cast<std::size_t>(a)];
      X.row(i) = start.row(a);
      f(i) = value(a);
      if (moved[static_cast<std::size_t>(a)]) next.push_back(i);
    }
    active = std::move(next);
    if (space.continuous_dims().empty()) break;  // exchange alone has come to rest
  }
}

// Rows of X from the best to the worst value of f.
std::vector<Index> by_value(const Vector& f) {
  std::vector<Index> order(static_cast<std::size_t>(f.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return f(i) != f(j) ? f(i) > f(j) : i < j; });
  return order;
}

// Takes the best row that is still free; false when none is.
bool take_best(Matrix& X, const Vector& f, Taken& taken, Eigen::Ref<Eigen::RowVectorXd> out) {
  for (const Index i : by_value(f))
    if (taken.insert(row_of(X, i))) {
      out = X.row(i);
      return true;
    }
  return false;
}

// All that the searches of one path found is taken: the best of fresh random points, or in a finite space that is
// nearly used up the next free point.
void take_another(const Paths& paths, const Space& space, int path, Taken& taken, Key key, Eigen::Ref<Eigen::RowVectorXd> out) {
  Matrix X = random_points(space, 1000, key);
  Vector f;
  paths.evaluate(X, std::vector<int>(static_cast<std::size_t>(X.rows()), path), f);
  if (take_best(X, f, taken, out)) return;
  if (!space.continuous_dims().empty())
    throw std::invalid_argument("maximise: the bounds of the parameters leave too few distinct numbers");
  Matrix x = X.topRows(1);
  while (!taken.insert(row_of(x, 0)))
    if (!next_point(space, row_of(x, 0))) x = first_point(space);
  out = x.row(0);
}

void check_room(const Space& space, const Taken& taken, int wanted) {
  const double left = space.num_points() - static_cast<double>(taken.size());
  if (left < wanted)
    throw std::invalid_argument(
        fmt::format("{} new points were asked for, but the space has {:.0f} distinct points and {} of them are pending: at most "
                    "{:.0f} can be handed out now. Tell the results of pending trials first, or ask for fewer.",
                    wanted, space.num_points(), taken.size(), std::max(0.0, left)));
}

}  // namespace

void MaximiseOptions::validate() const {
  if (num_candidates < 0)
    throw std::invalid_argument(fmt::format("MaximiseOptions: num_candidates must not be negative, got {}", num_candidates));
  if (num_starts < 1)
    throw std::invalid_argument(fmt::format("MaximiseOptions: num_starts must be at least 1, got {}", num_starts));
  if (max_iterations < 0)
    throw std::invalid_argument(fmt::format("MaximiseOptions: max_iterations must not be negative, got {}", max_iterations));
}

Matrix maximise(const Paths& paths, const Space& space, const Matrix& taken_points, const MaximiseOptions& options, Key key) {
  options.validate();
  if (paths.Z.cols() != space.num_dims())
    throw std::invalid_argument(
        fmt::format("maximise: the paths have {} inputs but the space has {} coordinates", paths.Z.cols(), space.num_dims()));
  const int B = paths.size();
  Taken taken(taken_points);
  check_room(space, taken, B);
  Matrix out(B, space.num_dims());

  if (space.num_points() <= kEnumerate) {
    Matrix X = all_points(space);
    const Matrix V = paths.values(X);
    for (int b = 0; b < B; ++b) take_best(X, V.col(b), taken, out.row(b));
    return out;
  }

  // Shared candidates; the best of each of num_starts runs of them starts a search.
  const int k = options.num_starts;
  const int wanted = options.num_candidates > 0 ? options.num_candidates : default_candidates(space);
  const Matrix C = random_points(space, std::max(wanted, k), key.fold("candidates"));
  const std::vector<int> starts = best_candidates(paths, C, k);
  Matrix X(static_cast<Index>(starts.size()), C.cols());
  std::vector<int> index(starts.size());
  for (std::size_t s = 0; s < starts.size(); ++s) {
    X.row(static_cast<Index>(s)) = C.row(starts[s]);
    index[s] = static_cast<int>(s) % B;
  }
  Vector f(X.rows());
  climb(paths, space, index, options.max_iterations, X, f);
  for (Index i = 0; i < X.rows(); ++i) space.snap(row_of(X, i));

  for (int b = 0; b < B; ++b) {
    Matrix mine(k, X.cols());
    Vector value(k);
    for (int s = 0; s < k; ++s) {
      mine.row(s) = X.row(static_cast<Index>(s) * B + b);
      value(s) = f(static_cast<Index>(s) * B + b);
    }
    if (!take_best(mine, value, taken, out.row(b)))
      take_another(paths, space, b, taken, key.fold("another").fold(static_cast<std::uint64_t>(b)), out.row(b));
  }
  return out;
}

}  // namespace salvo

#include "sample/summits.h"

#include <numeric>

#include "math/lbfgs.h"
#include "sample/candidates.h"
#include "sample/exchange.h"
#include "sample/probe.h"
#include "sample/sweep.h"
#include "sample/within.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

// Local searches from the rows of X: continuous coordinates by L-BFGS, discrete ones by exchange, in turn until the
// discrete part rests.
void climb(const Functions& functions, const Encoding& space, const std::vector<int>& index, int max_iterations, Matrix& X,
           Vector& f) {
  constexpr int kMaxTurns = 3;
  const LbfgsOptions lbfgs{.max_evaluations = max_iterations + 1, .tolerance = functions.tolerance(), .first_step = 0.05};
  std::vector<Index> active(index.size());
  std::iota(active.begin(), active.end(), Index{0});
  for (int turn = 0; turn < kMaxTurns && !active.empty(); ++turn) {
    const auto rows = static_cast<Index>(active.size());
    Matrix start(rows, X.cols());
    std::vector<int> member(active.size());
    for (Index a = 0; a < rows; ++a) {
      start.row(a) = X.row(active[static_cast<std::size_t>(a)]);
      member[static_cast<std::size_t>(a)] = index[static_cast<std::size_t>(active[static_cast<std::size_t>(a)])];
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
        for (std::size_t a = 0; a < which.size(); ++a) of[a] = member[static_cast<std::size_t>(which[a])];
        evaluate_within(functions, space, P, of, values, &gradients);
      };
      LbfgsResult result = lbfgs_maximise(function, start, low, high, lbfgs);
      start = std::move(result.X);
      value = std::move(result.f);
      (void)Within(space, start);
    } else {
      functions.evaluate(start, member, value);
    }
    std::vector<bool> moved(active.size(), false);
    if (!space.discretes().empty()) moved = exchange(functions, space, member, start, value);
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

}  // namespace

std::vector<Summits> find_summits(const Functions& functions, const std::vector<int>& members, const Encoding& space,
                                  const Matrix& C, int k, int max_iterations) {
  const std::vector<int> starts = functions.best_candidates(members, C, k);
  const auto B = static_cast<Index>(members.size());
  Matrix X(static_cast<Index>(starts.size()), C.cols());
  std::vector<int> index(starts.size());
  for (std::size_t s = 0; s < starts.size(); ++s) {
    X.row(static_cast<Index>(s)) = C.row(starts[s]);
    index[s] = members[s % members.size()];
  }
  if (functions.is_sum() && !space.allowed()) {  // the first search of each
    Matrix first = X.topRows(B), low = first, high = first;
    for (const int e : space.continuous_dims()) {
      low.col(e).setZero();
      high.col(e).setOnes();
    }
    sweep(functions, members, low, high, first);
    X.topRows(B) = first;
  }
  Vector f(X.rows());
  climb(functions, space, index, max_iterations, X, f);
  if (functions.kinked() && max_iterations > 0) probe(functions, space, index, X, f);
  settle(functions, space, index, X, f);
  std::vector<Summits> found(members.size());
  for (Index b = 0; b < B; ++b) {
    Summits& mine = found[static_cast<std::size_t>(b)];
    mine.X.resize(k, X.cols());
    mine.f.resize(k);
    for (int s = 0; s < k; ++s) {
      mine.X.row(s) = X.row(s * B + b);
      mine.f(s) = f(s * B + b);
    }
  }
  return found;
}

}  // namespace salvo

#include "acquire/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "math/lbfgs.h"
#include "math/parallel.h"
#include "sample/candidates.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr int kMaxEvaluations = 60;  // of one local search
constexpr int kMaxTurns = 20;        // of discrete changes
constexpr double kTolerance = 1e-5;  // of a criterion, logarithms all but GIBBON's: a step that gains less is the last
constexpr std::int64_t kAllLevels = 64;

// Every change of one discrete parameter of x: all its levels when they are few or have no order, else steps of 1, 2, 4 …
Matrix neighbours(const Space& space, Matrix x) {
  std::vector<Matrix> changed;
  for (const Space::Discrete& discrete : space.discretes()) {
    const std::int64_t now = space.level(discrete, row_of(x, 0));
    const auto change = [&](std::int64_t level) {
      space.set_level(discrete, level, row_of(x, 0));
      changed.push_back(x);
    };
    if (discrete.width > 1 || discrete.num_levels <= kAllLevels) {
      for (std::int64_t level = 0; level < discrete.num_levels; ++level)
        if (level != now) change(level);
    } else {
      for (std::int64_t step = 1; step <= discrete.num_levels / 2; step *= 2) {
        if (now >= step) change(now - step);
        if (now < discrete.num_levels - step) change(now + step);
      }
    }
    space.set_level(discrete, now, row_of(x, 0));
  }
  Matrix out(static_cast<Index>(changed.size()), x.cols());
  for (Index i = 0; i < out.rows(); ++i) out.row(i) = changed[static_cast<std::size_t>(i)];
  return out;
}

// Continuous coordinates by gradient, discrete ones by their best change, in turn until neither helps.
void climb(const Belief& belief, const Score& score, const Space& space, Matrix& x, double& f) {
  const BatchFunction function = [&](const Matrix& X, const std::vector<int>&, Vector& values, Matrix& gradients) {
    belief.evaluate(score, X, values, &gradients);
  };
  for (int turn = 0; turn < kMaxTurns; ++turn) {
    if (!space.continuous_dims().empty()) {
      Matrix low = x, high = x;
      for (const int e : space.continuous_dims()) low(0, e) = 0, high(0, e) = 1;
      const LbfgsResult result = lbfgs_maximise(
          function, x, low, high, {.max_evaluations = kMaxEvaluations, .tolerance = kTolerance, .first_step = 0.05});
      if (result.f(0) > f) x = result.X, f = result.f(0);
    }
    if (space.discretes().empty()) return;
    const Matrix N = neighbours(space, x);
    Vector values;
    belief.evaluate(score, N, values, nullptr);
    Index best = 0;
    if (!(values.maxCoeff(&best) > f)) return;
    x = N.row(best);
    f = values(best);
  }
}

void set_unknown_low(Vector& values) {
  for (double& value : values)
    if (!std::isfinite(value)) value = -std::numeric_limits<double>::infinity();
}

// Screens all rows of X, evaluates those in front, and says which row is the best.
Index best_of(const Belief& belief, const Score& score, const Matrix& X, Vector& values) {
  constexpr Index kFront = 32;
  const Moments moments = belief.moments(X);
  values.resize(X.rows());
  parallel_blocks(X.rows(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      values(i) = score({X.row(i).data(), moments.mean(i), moments.variance(i), moments.shared.row(i).data()}, nullptr);
  });
  set_unknown_low(values);
  std::vector<Index> front(static_cast<std::size_t>(X.rows()));
  std::iota(front.begin(), front.end(), Index{0});
  const auto end = front.begin() + std::min(kFront, X.rows());
  std::partial_sort(front.begin(), end, front.end(),
                    [&](Index i, Index j) { return values(i) > values(j) || (values(i) == values(j) && i < j); });
  front.erase(end, front.end());
  const double last = values(front.back());  // none of the others was screened above it
  Vector exact;
  belief.evaluate(score, X(front, Eigen::all), exact, nullptr);
  set_unknown_low(exact);
  const double error = (exact - values(front)).cwiseAbs().maxCoeff();
  Index best = 0;
  if (exact.maxCoeff(&best) >= last + error) {
    values(front) = exact;
    return front[static_cast<std::size_t>(best)];
  }
  belief.evaluate(score, X, values, nullptr);  // one of the others may be the best, as where there is hardly any noise
  set_unknown_low(values);
  values.maxCoeff(&best);
  return best;
}

}  // namespace

Matrix best_point(const Belief& belief, const Score& score, const Space& space, Taken& taken, int num_candidates, Key key) {
  const bool small = space.num_points() <= kEnumerate;
  Matrix X = small
                 ? enumerate_points(space)
                 : random_points(space, num_candidates > 0 ? num_candidates : default_candidates(space), key.fold("candidates"));
  Vector values;
  if (small) {
    belief.evaluate(score, X, values, nullptr);
    set_unknown_low(values);
  } else {
    const Index first = best_of(belief, score, X, values);
    Matrix x = X.row(first);
    climb(belief, score, space, x, values(first));
    space.snap(row_of(x, 0));
    if (taken.insert(row_of(x, 0))) return x;
  }
  for (Index i = 0; i < X.rows(); ++i) space.snap(row_of(X, i));
  Matrix out(1, X.cols());  // the summit is taken: the next best that was looked at
  return take_best(X, values, taken, out.row(0)) ? out : free_point(space, taken, key.fold("another"));
}

Matrix free_point(const Space& space, Taken& taken, Key key) {
  constexpr Index kTries = 1000;
  Matrix X = random_points(space, kTries, key);
  for (Index i = 0; i < kTries; ++i) {
    space.snap(row_of(X, i));
    if (taken.insert(row_of(X, i))) return X.row(i);
  }
  if (!space.continuous_dims().empty())
    throw std::invalid_argument("ask: the bounds of the parameters leave too few distinct numbers");
  Matrix x = X.topRows(1);
  for (double tried = 0; tried <= space.num_points(); ++tried) {
    if (taken.insert(row_of(x, 0))) return x;
    (void)next_point(space, row_of(x, 0));
  }
  throw std::invalid_argument("ask: no point of the space is free. Tell or abandon pending trials");
}

}  // namespace salvo

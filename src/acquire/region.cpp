#include "acquire/region.h"

#include <salvo/paths.h>

#include <algorithm>
#include <cmath>

#include "acquire/framed.h"
#include "acquire/success.h"
#include "math/lbfgs.h"
#include "sample/candidates.h"
#include "sample/exchange.h"
#include "sample/path_functions.h"
#include "sample/within.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kPoints = 3000;        // candidates
constexpr int kStarts = 3;             // searches of each path, from the best of as many runs of candidates
constexpr int kClimb = 25;             // evaluations of each search
constexpr int kTogether = 256;         // drawn at once
constexpr double kMoved = 20;          // coordinates of every second candidate that differ from the centre, on average
constexpr double kOtherChoices = 1.5;  // categorical parameters of a candidate that do, at most

void into_cube(const Encoding& space, Matrix& X) {
  for (const int e : space.continuous_dims()) X.col(e) = X.col(e).cwiseMax(0.0).cwiseMin(1.0);
}

// Points of the region: the centre with its numbers moved, all of them or, in every second candidate of many, some; and with
// a few of its choices changed.
Matrix region_candidates(const Region& region, Key key) {
  const Encoding& space = region.space;
  const Index d = space.num_dims();
  Matrix T(kPoints, d), kept(kPoints, d);
  key.fold("moves").fill_uniform({T.data(), static_cast<std::size_t>(T.size())});
  key.fold("kept").fill_uniform({kept.data(), static_cast<std::size_t>(kept.size())});
  T = (2 * T.array() - 1).rowwise() * region.half.array();
  const double share = std::min(1.0, kMoved / static_cast<double>(d));
  if (share < 1)
    for (Index i = 0; i < kPoints; i += 2) T.row(i) = (kept.row(i).array() < share).select(T.row(i).array(), 0.0);
  Matrix X = (T * region.frame.from).rowwise() + region.centre;
  into_cube(space, X);
  if (space.allowed() && space.discretes().empty())
    for (Index i = 0; i < kPoints; ++i) space.snap(row_of(X, i));
  if (space.discretes().empty()) return X;
  const Matrix other = random_points(space, kPoints, key.fold("others"));
  const double changes = std::min(0.5, kOtherChoices / static_cast<double>(space.discretes().size()));
  for (Index i = 0; i < kPoints; ++i) {
    for (const Encoding::Discrete& discrete : space.discretes())
      if (!discrete.is_ordered() && kept(i, discrete.offset) < changes)
        X.row(i).segment(discrete.offset, discrete.width) = other.row(i).segment(discrete.offset, discrete.width);
    space.snap(row_of(X, i));
  }
  return X;
}

// The highest of each run of candidates for every path: [runs][paths].
std::vector<Index> best_of_runs(const Matrix& V) {
  const Index block = V.rows() / kStarts;
  std::vector<Index> out;
  for (int k = 0; k < kStarts; ++k)
    for (Index b = 0; b < V.cols(); ++b) {
      Index best = 0;
      V.col(b).segment(k * block, block).maxCoeff(&best);
      out.push_back(k * block + best);
    }
  return out;
}

// Climbs from the rows of X, row s for path s mod B, in the frame: inside the region, and a step out of the cube ends at its
// wall.
void climb_region(const Region& region, const PathFunctions& functions, const Limit* limit, Matrix& X, Vector& f) {
  const int B = functions.size();
  const Frame& frame = region.frame;
  const Matrix centre = frame.inside(region.centre);
  Matrix T = frame.inside(X), low = T, high = T;
  for (const int e : region.space.continuous_dims()) {
    low.col(e).setConstant(centre(0, e) - region.half(e));
    high.col(e).setConstant(centre(0, e) + region.half(e));
  }
  const BatchFunction function = [&](const Matrix& P, const std::vector<int>& which, Vector& values, Matrix& gradients) {
    Matrix there = frame.outside(P);
    const Matrix wanted = there;
    into_cube(region.space, there);
    const Matrix inside = there;
    const Within within(region.space, there);
    std::vector<int> of(which.size());
    for (std::size_t a = 0; a < which.size(); ++a) of[a] = which[a] % B;
    functions.evaluate(frame.inside(there), of, values, &gradients);
    Matrix g = gradients * frame.to.transpose();  // with respect to x
    if (limit) limit->lower(there, of, values, &g);
    within.turn(g);
    g = (inside.array() == wanted.array()).select(g, 0.0);
    gradients = g * frame.from.transpose();
  };
  double widest = 0;
  for (const int e : region.space.continuous_dims()) widest = std::max(widest, region.half(e));
  LbfgsResult found = lbfgs_maximise(function, T, low, high,
                                     {.max_evaluations = kClimb, .tolerance = functions.tolerance(), .first_step = 0.1 * widest});
  X = frame.outside(found.X);
  into_cube(region.space, X);
  (void)Within(region.space, X);
  f = std::move(found.f);
}

}  // namespace

Matrix search_region(const Region& region, int size, int num_features, double alpha, Taken& taken, Key key) {
  const Index d = region.space.num_dims();
  Matrix out(size, d);
  const Matrix C = region_candidates(region, key.fold("candidates"));
  const Matrix inside = region.frame.inside(C);
  for (int begin = 0; begin < size; begin += kTogether) {
    const int count = std::min(kTogether, size - begin);
    const Key mine = key.fold(static_cast<std::uint64_t>(begin));
    const Paths paths =
        draw_paths(region.gp, {.num_paths = count, .num_features = num_features, .alpha = alpha}, mine.fold("draw"));
    const PathFunctions functions(paths);
    const std::unique_ptr<Limit> limit =
        draw_limit(region.success, count, std::sqrt(region.gp.hyper().kernel.variance), mine.fold("success"));
    Matrix V = functions.values(inside);  // [N,count]
    if (limit) limit->lower(C, V);
    Matrix X = C(best_of_runs(V), Eigen::all);
    Vector f;
    climb_region(region, functions, limit.get(), X, f);
    std::vector<int> of(static_cast<std::size_t>(X.rows()));
    for (std::size_t s = 0; s < of.size(); ++s) of[s] = static_cast<int>(s) % count;
    const FramedPaths framed(paths, region.frame);
    const LimitedFunctions everywhere(framed, limit.get());
    settle(everywhere, region.space, of, X, f);
    for (int b = 0; b < count; ++b) {
      Matrix own(kStarts, d);
      Vector height(kStarts);
      for (int k = 0; k < kStarts; ++k) {
        own.row(k) = X.row(k * count + b);
        height(k) = f(k * count + b);
      }
      if (take_best(own, height, taken, out.row(begin + b))) continue;
      Index best = 0;
      height.maxCoeff(&best);
      if (take_beside(everywhere, region.space, b, own.row(best), taken, out.row(begin + b))) continue;
      Matrix all = C;
      for (Index i = 0; i < all.rows(); ++i) region.space.snap(row_of(all, i));
      if (!take_best(all, V.col(b), taken, out.row(begin + b)))
        out.row(begin + b) = free_point(region.space, taken, mine.fold("another").fold(static_cast<std::uint64_t>(b)));
    }
  }
  return out;
}

}  // namespace salvo

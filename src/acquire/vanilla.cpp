#include <fmt/format.h>
#include <salvo/paths.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "acquire/acquire.h"
#include "sample/candidates.h"
#include "sample/joint.h"
#include "sample/taken.h"
#include "sample/weight_space.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

// All points of a small finite space, otherwise random ones, at most `count`; none twice, none that is taken.
Matrix discretisation(const Encoding& space, Index count, const Matrix& taken_points, Key key) {
  Matrix C = space.num_points() <= static_cast<double>(count) ? enumerate_points(space) : random_points(space, count, key);
  Taken taken(taken_points);
  Index kept = 0;
  for (Index i = 0; i < C.rows(); ++i) {
    space.snap(row_of(C, i));
    if (taken.insert(row_of(C, i))) C.row(kept++) = C.row(i);
  }
  C.conservativeResize(kept, Eigen::NoChange);
  return C;
}

void check_memory(double bytes, double allowed, Index N, Index m, int B) {
  if (bytes <= allowed) return;
  // 2N² + 2N(m + B) numbers of 8 bytes fit into the budget up to this N.
  const double half = 0.5 * static_cast<double>(m + B), fits = std::sqrt(half * half + allowed / 16) - half;
  throw std::invalid_argument(fmt::format(
      "method \"thompson-grid\": drawing {} points jointly with {} observations needs {:.1f} GB, and {:.1f} GB may be "
      "used (model.max_grid_gib). Set model.num_candidates to {:.0f} or less, or use method \"thompson-exact\" or \"thompson\", "
      "which need no grid",
      N, m, bytes / 1e9, allowed / 1e9, std::floor(fits)));
}

}  // namespace

// Vanilla GP-TS: every sample is drawn at all points of a discretisation together, O(N³), and is best at one of them.
Matrix thompson_grid(const Situation& now) {
  const Index wanted = now.model.num_candidates > 0 ? now.model.num_candidates : default_candidates(now.space);
  const auto N = static_cast<Index>(std::min(static_cast<double>(wanted), now.space.num_points()));
  const Index m = now.gp.Z().rows();
  check_memory(joint_bytes(static_cast<double>(N), static_cast<double>(m), now.size), now.model.max_grid_gib * 1073741824.0, N, m,
               now.size);
  const Matrix C = discretisation(now.space, wanted, now.taken, now.key.fold("grid"));
  if (C.rows() < now.size)
    throw std::invalid_argument(
        fmt::format("method \"thompson-grid\": {} points were asked for, but the discretisation has {} that are free. Raise "
                    "model.num_candidates",
                    now.size, C.rows()));
  Matrix F;
  {
    const Timer timer(now.seconds.draw);
    F = joint_samples(now.gp, C, now.size, now.model.alpha.value(), now.key.fold("draw"));
  }
  const Timer timer(now.seconds.maximise);
  Matrix out(now.size, C.cols());
  std::vector<bool> used(static_cast<std::size_t>(C.rows()), false);
  for (int b = 0; b < now.size; ++b) {
    Index best = -1;
    for (Index i = 0; i < C.rows(); ++i)
      if (!used[static_cast<std::size_t>(i)] && (best < 0 || F(i, b) > F(best, b))) best = i;
    used[static_cast<std::size_t>(best)] = true;
    out.row(b) = C.row(best);
  }
  return out;
}

// Weight-space sampling: Bayesian linear regression in the prior's features.
Matrix thompson_features(const Situation& now) {
  Paths paths;
  {
    const Timer timer(now.seconds.draw);
    const Trend& trend = now.gp.trend();
    paths = draw_weight_space(now.gp.hyper(), now.X, trend.empty() ? now.y : Vector(now.y - trend.values(now.X)),
                              {.num_paths = now.size, .num_features = now.model.num_features, .alpha = now.model.alpha.value()},
                              now.key.fold("draw"));
    paths.trend = trend;
  }
  const Timer timer(now.seconds.maximise);
  return maximise(paths, now.space, now.taken, {.num_candidates = now.model.num_candidates, .num_starts = now.model.num_starts},
                  now.key.fold("maximise"));
}

}  // namespace salvo

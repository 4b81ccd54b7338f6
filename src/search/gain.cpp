#include "search/gain.h"

#include <salvo/paths.h>

#include <algorithm>
#include <cmath>

#include "sample/around.h"
#include "sample/candidates.h"
#include "sample/maximise.h"
#include "sample/path_functions.h"

namespace salvo {
namespace {

constexpr int kPaths = 64;  // the mean of their gains is known to an eighth of its spread

// Where paths may be highest: every point of a small space; otherwise the tops of each, and points around the one that is known.
Matrix high_points(const Functions& functions, const Encoding& space, const ModelOptions& model, const Matrix& at, Key key) {
  if (space.num_points() <= kEnumerate) return enumerate_points(space);
  const Matrix none(0, space.num_dims());
  const Matrix tops = maximise(functions, space, none, {.num_candidates = model.num_candidates, .num_starts = model.num_starts},
                               key.fold("maximise"));
  if (space.continuous_dims().empty()) return tops;
  Matrix near = tops;
  look_around(functions, space, at.row(0), 1, none, near, key.fold("around"));
  Matrix all(2 * tops.rows(), tops.cols());
  all << tops, near;
  return all;
}

}  // namespace

double expected_gain(const SparseGp& gp, const Encoding& space, const ModelOptions& model, const Matrix& at,
                     const Success* success, const Anchor& units, Key key) {
  const Paths paths = draw_paths(gp,
                                 {.num_paths = kPaths,
                                  .num_features = model.num_features,
                                  .features = model.features,
                                  .eigenfunctions = model.eigenfunctions},
                                 key.fold("draw"));
  const PathFunctions free(paths);
  const std::unique_ptr<Limit> limit = draw_limit(success, kPaths, std::sqrt(gp.hyper().kernel.variance), key.fold("success"));
  const LimitedFunctions functions(free, limit.get());
  const Eigen::RowVectorXd best = functions.values(high_points(functions, space, model, at, key)).colwise().maxCoeff();
  const Eigen::RowVectorXd known = free.values(at).row(0);
  double sum = 0;
  for (Eigen::Index b = 0; b < best.size(); ++b)
    if (best(b) > known(b)) sum += units.from_model(best(b)) - units.from_model(known(b));
  return sum / kPaths;
}

}  // namespace salvo

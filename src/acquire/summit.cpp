#include "acquire/summit.h"

#include <salvo/paths.h>

#include <algorithm>
#include <cmath>

#include "acquire/success.h"
#include "sample/candidates.h"
#include "sample/path_functions.h"
#include "sample/summits.h"
#include "sample/taken.h"

namespace salvo {
namespace {

constexpr int kSteps = 40;            // of each climb
constexpr double kAnotherHill = 0.5;  // length-scales between the tops of two hills

// The mean as a function that can be climbed: a path without spread.
Paths mean_of(const Situation& now) {
  const int M = now.gp.eigenfunctions() ? now.model.num_features : 1;
  return draw_paths(now.gp, {.num_paths = 1, .num_features = M, .alpha = 0}, now.key.fold("summits"));
}

// From where the search has been of late: a climb from there ends where the mean rests on values.
Summits tops(const Situation& now, const Paths& mean) {
  const PathFunctions free(mean);
  const std::unique_ptr<Limit> limit = mean_limit(now.success, std::sqrt(now.gp.hyper().kernel.variance));
  const LimitedFunctions functions(free, limit.get());
  if (now.space.num_points() <= kEnumerate) {
    const Matrix all = enumerate_points(now.space);
    return {all, functions.values(all).col(0)};
  }
  const int starts = std::min(now.model.num_starts, static_cast<int>(now.newest.rows()));
  return find_summits(functions, {0}, now.space, now.newest, starts, kSteps).front();
}

}  // namespace

int num_summits(double share, int batch, Key key) {
  const Key mine = key.fold("summits").fold("share");
  int count = 0;
  for (int b = 0; b < batch; ++b) count += mine.uniform(static_cast<std::uint64_t>(b)) < share ? 1 : 0;
  return count;
}

Matrix summits_of_mean(const Situation& now, const Matrix& taken_points, int most) {
  const int wanted = std::min(most, num_summits(now.model.summit_share, now.size, now.key));
  Matrix out(wanted, now.space.num_dims());
  if (wanted == 0) return out;
  const Timer timer(now.seconds.maximise);
  const Summits found = tops(now, mean_of(now));
  const Vector& ell = now.gp.hyper().kernel.lengthscales;
  Taken taken(taken_points);
  Eigen::Index k = 0;
  const auto on_a_hill_of_its_own = [&] {
    for (Eigen::Index i = 0; i < k; ++i)
      if (((out.row(i) - out.row(k)).transpose().array() / ell.array()).matrix().norm() < kAnotherHill) return false;
    return true;
  };
  while (k < wanted && take_best(found.X, found.f, taken, out.row(k)))
    if (on_a_hill_of_its_own()) ++k;
  return out.topRows(k);
}

}  // namespace salvo

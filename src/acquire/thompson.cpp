#include <salvo/paths.h>

#include <algorithm>
#include <cmath>

#include "acquire/acquire.h"
#include "acquire/scouts.h"
#include "acquire/success.h"
#include "acquire/summit.h"
#include "sample/around.h"
#include "sample/maximise.h"
#include "sample/path_functions.h"

namespace salvo {
namespace {

// Members of a batch whose paths are drawn and climbed together: a path takes some 30 kB while it is climbed. Of those beyond,
// each is climbed from the better of fewer starts: among thousands it does not matter that some end on a second-best summit.
constexpr int kClimbedTogether = 1000;
constexpr int kLaterStarts = 2;

Paths draw(const Situation& now, int count, Key key) {
  const Timer timer(now.seconds.draw);
  return draw_paths(now.gp,
                    {.num_paths = count,
                     .num_features = now.model.num_features,
                     .alpha = now.model.alpha.value(),
                     .features = now.model.features,
                     .eigenfunctions = now.model.eigenfunctions},
                    key.fold("draw"));
}

// The best mean among the newest observations: those are where the search is, and there are not ever more of them.
Eigen::RowVectorXd favourite(const Situation& now) {
  Eigen::Index best = 0;
  now.gp.predict_mean(now.newest).maxCoeff(&best);
  return now.newest.row(best);
}

Matrix stacked(const Matrix& above, const Matrix& below) {
  if (above.rows() == 0) return below;
  if (below.rows() == 0) return above;
  Matrix out(above.rows() + below.rows(), above.cols());
  out.topRows(above.rows()) = above;
  out.bottomRows(below.rows()) = below;
  return out;
}

// Members `begin` and following of the batch.
Matrix climbed(const Situation& now, int begin, int count, const Matrix& taken) {
  const Key key = begin == 0 ? now.key : now.key.fold("later").fold(static_cast<std::uint64_t>(begin));
  const Paths paths = draw(now, count, key);
  const PathFunctions free(paths);
  const std::unique_ptr<Limit> limit =
      draw_limit(now.success, count, std::sqrt(now.gp.hyper().kernel.variance), key.fold("success"));
  const LimitedFunctions functions(free, limit.get());
  const Timer timer(now.seconds.maximise);
  const int starts = begin == 0 ? now.model.num_starts : std::min(now.model.num_starts, kLaterStarts);
  Matrix batch = maximise(functions, now.space, taken,
                          {.num_candidates = now.model.num_candidates, .num_starts = starts, .max_share = now.model.max_share},
                          key.fold("maximise"));
  if (now.model.near_share > 0 && !now.space.continuous_dims().empty())
    look_around(functions, now.space, favourite(now), now.model.near_share, taken, batch, key.fold("around"));
  return batch;
}

}  // namespace

// S-GP-TS: every member of the batch maximises a sample path of its own; but a few are scouts, some go to the top of the mean,
// and once the model is sparse some look around the best point.
Matrix thompson(const Situation& now) {
  Matrix sent = now.model.scout_share > 0 ? scouts(now) : Matrix(0, now.space.num_dims());
  if (now.model.summit_share > 0) {
    const int left = now.size - static_cast<int>(sent.rows());
    sent = stacked(sent, summits_of_mean(now, stacked(now.taken, sent), left));
  }
  const int size = now.size - static_cast<int>(sent.rows());
  const Matrix others = stacked(now.taken, sent);
  Matrix batch(0, now.space.num_dims());
  for (int begin = 0; begin < size; begin += kClimbedTogether)
    batch = stacked(batch, climbed(now, begin, std::min(kClimbedTogether, size - begin), stacked(others, batch)));
  return stacked(batch, sent);
}

}  // namespace salvo

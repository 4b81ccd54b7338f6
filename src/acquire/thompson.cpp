#include <salvo/paths.h>

#include "acquire/acquire.h"
#include "acquire/scouts.h"
#include "sample/around.h"
#include "sample/maximise.h"
#include "sample/path_functions.h"

namespace salvo {
namespace {

Paths draw(const Situation& now, int count) {
  const Timer timer(now.seconds.draw);
  return draw_paths(now.gp,
                    {.num_paths = count,
                     .num_features = now.model.num_features,
                     .alpha = now.model.alpha.value(),
                     .features = now.model.features,
                     .eigenfunctions = now.model.eigenfunctions},
                    now.key.fold("draw"));
}

// The best mean among the newest observations: those are where the search is, and there are not ever more of them.
Eigen::RowVectorXd favourite(const Situation& now) {
  Eigen::Index best = 0;
  now.gp.predict_mean(now.newest).maxCoeff(&best);
  return now.newest.row(best);
}

Matrix stacked(const Matrix& above, const Matrix& below) {
  if (above.rows() == 0) return below;
  Matrix out(above.rows() + below.rows(), above.cols());
  out.topRows(above.rows()) = above;
  out.bottomRows(below.rows()) = below;
  return out;
}

}  // namespace

// S-GP-TS: every member of the batch maximises a sample path of its own; but a few are scouts, and once the model is sparse
// some look around the best point.
Matrix thompson(const Situation& now) {
  const Matrix sent = now.model.scout_share > 0 ? scouts(now) : Matrix(0, now.space.num_dims());
  if (sent.rows() == now.size) return sent;
  const Paths paths = draw(now, now.size - static_cast<int>(sent.rows()));
  const PathFunctions functions(paths);
  const Timer timer(now.seconds.maximise);
  const Matrix taken = stacked(now.taken, sent);
  Matrix batch =
      maximise(functions, now.space, taken,
               {.num_candidates = now.model.num_candidates, .num_starts = now.model.num_starts, .max_share = now.model.max_share},
               now.key.fold("maximise"));
  if (now.model.near_share > 0 && !now.space.continuous_dims().empty())
    look_around(functions, now.space, favourite(now), now.model.near_share, taken, batch, now.key.fold("around"));
  return stacked(batch, sent);
}

}  // namespace salvo

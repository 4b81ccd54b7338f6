#include <salvo/paths.h>

#include "acquire/acquire.h"
#include "sample/around.h"

namespace salvo {
namespace {

Paths draw(const Situation& now) {
  const Timer timer(now.seconds.draw);
  return draw_paths(now.gp,
                    {.num_paths = now.size,
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

}  // namespace

// S-GP-TS: every member of the batch maximises a sample path of its own. Once the model is sparse, some look around instead.
Matrix thompson(const Situation& now) {
  const Paths paths = draw(now);
  const Timer timer(now.seconds.maximise);
  Matrix batch =
      maximise(paths, now.space, now.taken,
               {.num_candidates = now.model.num_candidates, .num_starts = now.model.num_starts, .max_share = now.model.max_share},
               now.key.fold("maximise"));
  if (now.model.near_share > 0 && !now.space.continuous_dims().empty())
    look_around(paths, now.space, favourite(now), now.model.near_share, now.taken, batch, now.key.fold("around"));
  return batch;
}

}  // namespace salvo

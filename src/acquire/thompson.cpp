#include <salvo/paths.h>

#include "acquire/acquire.h"

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

}  // namespace

// S-GP-TS: every member of the batch maximises a sample path of its own.
Matrix thompson(const Situation& now) {
  const Paths paths = draw(now);
  const Timer timer(now.seconds.maximise);
  return maximise(
      paths, now.space, now.taken,
      {.num_candidates = now.model.num_candidates, .num_starts = now.model.num_starts, .max_share = now.model.max_share},
      now.key.fold("maximise"));
}

}  // namespace salvo

#include "acquire/acquire.h"
#include "acquire/improvement.h"
#include "acquire/qei.h"
#include "acquire/score_functions.h"
#include "model/evidence.h"
#include "sample/candidates.h"
#include "sample/maximise.h"

namespace salvo {
namespace {

// η: the best posterior mean of an observed point.
double best_mean(const Situation& now) { return now.gp.predict_mean(now.X).maxCoeff(); }

// The largest slope of the posterior mean, over as many random points as a search looks at and the observed ones.
double steepest(const Belief& belief, const Situation& now) {
  const double random =
      belief.slopes_of_mean(random_points(now.space, default_candidates(now.space), now.key.fold("slopes"))).maxCoeff();
  return std::max({random, belief.slopes_of_mean(now.X).maxCoeff(), 1e-7});
}

}  // namespace

Belief belief_of(const Situation& now) { return Belief(now.gp, same_rows(now.gp.Z(), now.X)); }

Matrix greedy_batch(const Situation& now, Belief belief, const std::function<Score(const Belief&)>& score) {
  // The best of the random candidates starts the one local search.
  const MaximiseOptions options{.num_candidates = now.model.num_candidates, .num_starts = 1, .max_iterations = 59};
  if (now.taken.rows() > 0) belief.add(now.taken);
  Matrix out(now.size, now.space.num_dims());
  for (int i = 0; i < now.size; ++i) {
    out.row(i) = maximise(ScoreFunctions(belief, score(belief)), now.space, belief.added(), options,
                          now.key.fold("search").fold(static_cast<std::uint64_t>(i)));
    if (i + 1 < now.size) belief.add(out.row(i));
  }
  return out;
}

Matrix expected_improvement(const Situation& now) {
  const Timer timer(now.seconds.maximise);
  return greedy_batch(now, belief_of(now),
                      [best = best_mean(now)](const Belief& belief) { return log_expected_improvement(belief, best); });
}

Matrix augmented_improvement(const Situation& now) {
  const Timer timer(now.seconds.maximise);
  return greedy_batch(now, belief_of(now),
                      [best = best_mean(now)](const Belief& belief) { return log_augmented_improvement(belief, best); });
}

Matrix local_penalisation(const Situation& now) {
  const Timer timer(now.seconds.maximise);
  Belief belief = belief_of(now);
  const double lipschitz = steepest(belief, now);
  return greedy_batch(now, std::move(belief),
                      [&, best = best_mean(now)](const Belief& at) { return log_penalised_improvement(at, best, lipschitz); });
}

Matrix batch_improvement(const Situation& now) {
  const Timer timer(now.seconds.maximise);
  return greedy_batch(now, belief_of(now), [&, best = best_mean(now)](const Belief& belief) {
    return batch_improvement_score(belief, best, kImprovementDraws, now.key.fold("draws"));
  });
}

}  // namespace salvo

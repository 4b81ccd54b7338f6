#pragma once
#include <salvo/encoding.h>
#include <salvo/method.h>
#include <salvo/study.h>

#include <functional>

#include "acquire/belief.h"
#include "acquire/success.h"
#include "math/timer.h"

namespace salvo {

// What a method may look at when it chooses a batch. All is in the model's units: the unit cube, larger y is better.
struct Situation {
  const Encoding& space;
  Eigen::Map<const Matrix> X;                 // [n,d] every observation
  const Vector& y;                            // [n]
  const Matrix& newest;                       // [k,d] the newest of them, by trial: of what one ask can afford to look at
  const std::vector<std::int64_t>& by_trial;  // [n] rows of X in the order of the trials, for what goes by it (turbo, scouts)
  const std::vector<bool>& chosen;  // [n] in that order: by a model, not by the design or somebody else; for turbo alone
  const SparseGp& gp;               // of all of them; Z = X's distinct rows for a method that wants the exact GP
  const ModelOptions& model;
  const Matrix& taken;  // [k,d] pending points, and those of this ask: none of them may be chosen
  int size;             // points to choose
  int batch;            // how many are usual
  Key key;
  Seconds& seconds;                  // where the time goes
  const Success* success = nullptr;  // none: nothing is known to fail
};

// [size,d] valid encoded points, distinct from each other and from the rows of `taken`.
[[nodiscard]] Matrix acquire(Method method, const Situation& situation);

// One function per method; acquire() leads to them.
[[nodiscard]] Matrix thompson(const Situation& situation);  // also of the exact GP: the model is what differs
[[nodiscard]] Matrix thompson_grid(const Situation& situation);
[[nodiscard]] Matrix thompson_features(const Situation& situation);
[[nodiscard]] Matrix expected_improvement(const Situation& situation);
[[nodiscard]] Matrix augmented_improvement(const Situation& situation);
[[nodiscard]] Matrix gibbon(const Situation& situation);
[[nodiscard]] Matrix local_penalisation(const Situation& situation);
[[nodiscard]] Matrix batch_improvement(const Situation& situation);
[[nodiscard]] Matrix trust_region(const Situation& situation);

// What the situation's model believes.
[[nodiscard]] Belief belief_of(const Situation& situation);

// One point after another by a criterion that sees those before it, pending ones first.
[[nodiscard]] Matrix greedy_batch(const Situation& situation, Belief belief, const std::function<Score(const Belief&)>& score);

}  // namespace salvo

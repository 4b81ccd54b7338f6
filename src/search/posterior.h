#pragma once
#include <salvo/method.h>

#include <algorithm>

#include "search/learned.h"

namespace salvo {

// The sparse GP given what was learned and every observation. The observations learned from are conditioned on as one
// block and those told since as a second one, from a copy of the first state, each by trial id: the result depends on
// the recorded trials alone, whether it was kept in memory or built afresh.
class Posterior {
 public:
  // Chooses M where that is left to the model.
  Posterior(SpaceLearned learned, const Observations& data, const ModelOptions& model, const Trend& trend = {});
  // O(m²) for each observation told since learning; while they are no more than num_inducing, Z = X and O(n³) in all.
  void update(const Observations& data);

  [[nodiscard]] const SpaceLearned& learned() const { return learned_; }
  [[nodiscard]] KnownNoise known_noise(const Observations& data) const;  // as it was learned with
  // Z is all observations: the model is the exact GP.
  [[nodiscard]] bool exact() const { return learned_.Z.rows() > 0 && num_rows_ <= std::max(learned_.num_inducing, exact_until_); }
  [[nodiscard]] const SparseGp& learned_gp() const { return base_; }  // given the observations learned from
  [[nodiscard]] const SparseGp& gp() const { return num_rows_ == learned_.num_observations ? base_ : updated_; }

 private:
  SpaceLearned learned_;
  int exact_until_ = 0;
  SparseGp base_, updated_;
  std::int64_t num_rows_ = 0;
};

// The model's options as an ask uses them: automatic sizes and α in numbers. `step` is the number of the batch, from 1.
[[nodiscard]] ModelOptions resolved(const ModelOptions& model, Method method, const Posterior& posterior, double step);

}  // namespace salvo

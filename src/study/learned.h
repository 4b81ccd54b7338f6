#pragma once
#include <salvo/study.h>

#include <cstdint>
#include <optional>
#include <string>

#include "study/observations.h"

namespace salvo {

// What an ask has learned and later asks use. It is stored with the ask, so that a resumed study goes on alike.
struct Learned {
  std::int64_t ask = -1;              // the ask that learned it
  std::int64_t sequence = 0;          // of the last observation learned from
  std::int64_t num_observations = 0;  // that Z was chosen from: the first ones told
  std::int64_t num_fitted = 0;        // that the hyperparameters were fitted to
  std::string settings{};             // the options it depends on
  Anchor anchor{};
  Hyperparameters hyper{};  // in the anchor's units
  Matrix Z{};               // no rows: inducing features
  int num_inducing = 0;     // m
  int num_features = 0;     // M; 0: not chosen yet
  FitSummary fit{};
  std::string sizes{};                // how automatic sizes and a k-DPP's points were found, in words
  std::optional<PoolLearned> pool{};  // instead of hyper and Z, in a study over a pool
  [[nodiscard]] bool same_as(const Learned& other) const;
};

// The data has grown by the share since.
[[nodiscard]] bool grown(std::int64_t before, std::int64_t now, double share);
// Z = X, the exact GP: every distinct point.
[[nodiscard]] Matrix all_points(const Hyperparameters& hyper, const Block& all);
// The options that learning depends on, as text.
[[nodiscard]] std::string learning_settings(const StudyOptions& options);
// Recorded trials and options decide, never the clock: nothing was learned yet, the options changed, or the data has
// grown by the share `growth` since.
[[nodiscard]] bool must_learn(const StudyOptions& options, const Observations& data, const Learned* learned, double growth);
// Bounds and effort of a fit, in the anchor's units.
[[nodiscard]] FitOptions fit_options(const StudyOptions& options, bool warm_start);
// Throws std::invalid_argument when eigenfunctions are asked for in a space with too many coordinates for them.
void check_eigenfunctions(const StudyOptions& options);
// Z and hyperparameters from all data, warm-started from `previous` when there is one.
[[nodiscard]] Learned learn(const StudyOptions& options, const Observations& data, const Learned* previous, Key key);

// The sparse GP given what was learned and every observation. The observations learned from are conditioned on as one
// block and those told since as a second one, from a copy of the first state, each by trial id: the result depends on
// the recorded trials alone, whether it was kept in memory or built afresh.
class Posterior {
 public:
  // Chooses M where that is left to the model.
  Posterior(Learned learned, const Observations& data, const ModelOptions& model);
  // O(m²) for each observation told since learning; while they are no more than num_inducing, Z = X and O(n³) in all.
  void update(const Observations& data);

  [[nodiscard]] const Learned& learned() const { return learned_; }
  // Z is all observations: the model is the exact GP.
  [[nodiscard]] bool exact() const { return learned_.Z.rows() > 0 && num_rows_ <= std::max(learned_.num_inducing, exact_until_); }
  [[nodiscard]] const SparseGp& gp() const { return num_rows_ == learned_.num_observations ? base_ : updated_; }

 private:
  Learned learned_;
  int exact_until_ = 0;
  SparseGp base_, updated_;
  std::int64_t num_rows_ = 0;
};

// The model's options as an ask uses them: automatic sizes and α in numbers. `step` is the number of the batch, from 1.
[[nodiscard]] ModelOptions resolved(const ModelOptions& model, Method method, const Posterior& posterior, double step);

}  // namespace salvo

#pragma once
#include <salvo/study.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace salvo {

// The values of a study in the order they were told, encoded, with the direction folded in: larger is better.
class Observations {
 public:
  explicit Observations(int num_dims) : num_dims_(num_dims) {}
  void add(std::int64_t id, std::int64_t sequence, const Vector& x, double y);

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(y_.size()); }
  [[nodiscard]] std::int64_t last_sequence() const { return last_sequence_; }  // 0: nothing told yet
  [[nodiscard]] std::int64_t id(std::int64_t row) const { return ids_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] double y(std::int64_t row) const { return y_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] Eigen::Map<const Matrix> X() const { return {x_.data(), size(), num_dims_}; }
  // Rows begin … end−1 by trial id: sums over them do not depend on who finished first.
  [[nodiscard]] std::vector<std::int64_t> by_id(std::int64_t begin, std::int64_t end) const;

 private:
  int num_dims_;
  std::int64_t last_sequence_ = 0;
  std::vector<std::int64_t> ids_;
  std::vector<double> x_;  // [n,d]
  std::vector<double> y_;
};

// The model's units: (y − centre) / scale. Anchored in the first trials (by id: the initial design, whoever finished
// first), because an optimiser's later data are ever more alike, and a scale that follows them makes the model forget
// how much the objective can vary. Values far worse than all of these (a penalty for a crash, say) count as `lowest`:
// how bad a bad point is says nothing about where the good ones are, and would drown all that does.
struct Anchor {
  double centre = 0, scale = 1;
  double lowest = std::numeric_limits<double>::lowest();
  [[nodiscard]] double to_model(double y) const;
  [[nodiscard]] double from_model(double y) const { return y * scale + centre; }
};
[[nodiscard]] Anchor anchor(const Observations& data, std::int64_t num_initial);
[[nodiscard]] std::int64_t num_anchored(const StudyOptions& options);  // first trials that the units are anchored in

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
  [[nodiscard]] const SparseGp& gp() const { return num_rows_ == learned_.num_observations ? base_ : updated_; }

 private:
  Learned learned_;
  int exact_until_ = 0;
  SparseGp base_, updated_;
  std::int64_t num_rows_ = 0;
};

// The model's options as an ask uses them: automatic sizes and α in numbers. `step` is the number of the batch, from 1.
[[nodiscard]] ModelOptions resolved(const ModelOptions& model, const Posterior& posterior, double step);

}  // namespace salvo

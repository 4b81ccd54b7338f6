#pragma once
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/local_model.h"
#include "search/posterior.h"
#include "search/seen_output.h"

namespace salvo {

// One of several outputs: its values, what is known of it everywhere, and around the places that a search looks at. Values are
// turned so that larger is better, or of a constraint with one bound safer; so are its bounds.
class OutputModel {
 public:
  OutputModel(Output output, const Encoding& space);

  [[nodiscard]] const SeenOutput& seen() const { return seen_; }
  [[nodiscard]] const Output& output() const { return seen_.output(); }
  [[nodiscard]] bool is_constraint() const { return seen_.is_constraint(); }
  [[nodiscard]] double sign() const { return seen_.sign(); }
  // What a value misses of the bounds, as the model of everything sees it; 0: they hold.
  [[nodiscard]] double missed(double value) const { return seen_.missed(value, posterior_->learned().anchor); }

  void observe(const Record& record, const Vector& x, double value);               // NaN: it was not measured
  [[nodiscard]] const Observations& data() const { return data_; }                 // as the models see them
  [[nodiscard]] double value(std::int64_t row) const { return seen_.value(row); }  // turned
  [[nodiscard]] std::int64_t row(std::int64_t id) const;                           // of a trial; −1: it was not measured there
  [[nodiscard]] bool empty() const { return data_.size() == 0; }

  // The model of everything, as SpaceSearcher has it of its one output.
  void learn(const Learning& learning, const SpaceLearned* known, std::int64_t ask, Key key);
  void take(SpaceLearned known, const Learning& learning);
  void update() { posterior_->update(data_); }
  [[nodiscard]] bool learned() const { return posterior_.has_value(); }
  [[nodiscard]] const Posterior& posterior() const { return *posterior_; }

  // How the values vary around these trials, by id: learned from those that the model of everything was learned from.
  void learn_around(std::span<const std::int64_t> ids, const ModelOptions& model);
  [[nodiscard]] bool knows_shape() const { return shape_.scales.size() > 0; }
  [[nodiscard]] const LocalShape& shape() const { return shape_; }
  // The exact model of these trials, with that shape.
  void look_around(std::span<const std::int64_t> ids, std::int64_t centre);
  [[nodiscard]] const std::optional<LocalModel>& local() const { return local_; }

  // What the values say of their noise; quiet: a value tells as much as any model.
  void look_at_noise() { see_noise(data_.size()); }
  [[nodiscard]] bool noise_free() const { return noise_free_; }
  [[nodiscard]] bool quiet() const { return quiet_; }

  // Means and deviations without the noise, turned, at the points of these trials [n] with coordinates X. At first values are
  // taken for what they say; then by the model as it was learned; now by all that is known.
  enum class When { first, then, now };
  struct Estimates {
    Vector mean, sd;
    Vector holds;  // the probability that it keeps to its bounds; of a test that it would be passed again
  };
  [[nodiscard]] Estimates estimates(std::span<const std::int64_t> ids, const Matrix& X, When when) const;
  [[nodiscard]] Estimates estimates(const Matrix& X) const;  // at any points, by the model of everything

 private:
  void see_noise(std::int64_t num_rows);
  void doubt_that_there_is_none(std::span<const std::int64_t> near, const ModelOptions& model, std::int64_t num_rows);
  void choose_warp(std::int64_t num_rows);
  void compare_models();
  [[nodiscard]] Estimates by_model(const SparseGp& gp, const Matrix& X) const;
  [[nodiscard]] bool is_hidden(std::int64_t row) const;
  void set_estimate(Estimates& out, Eigen::Index i, const Anchor& units, double mean, double variance, double apart) const;
  [[nodiscard]] double noisy_sd(double variance, double apart) const;
  void see_locally(Estimates& out, std::span<const std::int64_t> ids) const;
  SeenOutput seen_;
  Encoding space_;
  Observations data_;
  std::unordered_map<std::int64_t, std::int64_t> rows_;
  std::optional<Posterior> posterior_;
  LocalShape shape_;
  std::optional<LocalModel> local_;
  bool noise_free_ = false, quiet_ = false;
  bool repeats_tell_ = false;     // values of a point that was evaluated more than once say how large the noise is
  bool local_is_better_ = false;  // where it looks
  double likely_noise_ = 0;       // of the values' variance, where the shape has none and nobody knows
  double least_noise_ = 0;        // deviation, in the values' own units
};

}  // namespace salvo

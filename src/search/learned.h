#pragma once
#include <salvo/encoding.h>
#include <salvo/model_options.h>
#include <salvo/sparse_gp.h>

#include <cstdint>
#include <optional>
#include <string>

#include "search/observations.h"
#include "text/learned.h"

namespace salvo {

// What learning over a space goes by.
struct Learning {
  Encoding space;
  ModelOptions model;
  std::int64_t num_anchored = 16;
  double min_noise = FitOptions{}.min_noise, max_noise = FitOptions{}.max_noise;  // in the model's units
  Trend trend{};                                                                  // what is expected beforehand
  std::string also{};                                                             // what else learning depends on, in words
  // The options that learning depends on, as text.
  [[nodiscard]] std::string settings() const;
};

// What an ask has learned over a space.
struct SpaceLearned {
  std::int64_t ask = -1;              // the ask that learned it
  std::int64_t sequence = 0;          // of the last observation learned from
  std::int64_t num_observations = 0;  // that Z was chosen from: the first ones told
  std::int64_t num_fitted = 0;        // that the hyperparameters were fitted to
  std::string settings{};             // the options it depends on
  Anchor anchor{};
  Hyperparameters hyper{};        // in the anchor's units
  std::optional<double> slope{};  // of the trend in the prior mean, where there is one
  Matrix Z{};                     // no rows: inducing features
  int num_inducing = 0;           // m
  int num_features = 0;           // M; 0: not chosen yet
  FitSummary fit{};
  std::string sizes{};  // how automatic sizes and a k-DPP's points were found, in words

  [[nodiscard]] Learned stored() const;
  // Throws std::logic_error when it cannot have been learned, in a space of so many coordinates, from so many values.
  static SpaceLearned from(const Learned& stored, int num_dims, std::int64_t num_known);
};

// Z = X, the exact GP: every distinct point.
[[nodiscard]] Matrix all_points(const Hyperparameters& hyper, const Block& all);
// Recorded trials and options decide, never the clock: nothing was learned yet, the options changed, or the data has
// grown by the share `growth` since.
[[nodiscard]] bool must_learn(const Learning& learning, const Observations& data, const SpaceLearned* learned, double growth);
// Bounds and effort of a fit, in the anchor's units.
[[nodiscard]] FitOptions fit_options(const Learning& learning, bool warm_start);
// Throws std::invalid_argument when eigenfunctions are asked for in a space with too many coordinates for them.
void check_eigenfunctions(const Learning& learning);
// Z and hyperparameters from all data, warm-started from `previous` when there is one.
[[nodiscard]] SpaceLearned learn(const Learning& learning, const Observations& data, const SpaceLearned* previous, Key key);

}  // namespace salvo

#pragma once
#include <salvo/options.h>

#include <cstdint>
#include <vector>

namespace salvo {

// What a run will cost besides its evaluations, on this machine (docs/theory.md, "What a run will cost"). The study is rehearsed
// in memory with made-up values, from its beginning; where that would take too long, at a few larger sizes, and the rest follows.
struct ForecastOptions {
  std::int64_t evaluations = 5000;
  double seconds = 8;  // about so long it may measure
};

// An ask that was really made.
struct MeasuredAsk {
  enum class Kind { plain, points, fit };  // what it learned: nothing, inducing points, hyperparameters too
  Kind kind = Kind::plain;
  std::int64_t observations = 0;
  double learning = 0, choosing = 0;  // seconds
};

struct Forecast {
  std::int64_t evaluations = 0, batches = 0;
  int batch = 1;
  // Seconds.
  double learning = 0, choosing = 0;  // of all asks
  double storing = 0;                 // a batch at a time
  double storing_one_by_one = 0;      // where outcomes come so, which is while others are evaluated
  double mean_batch = 0, longest_batch = 0;
  [[nodiscard]] double seconds() const { return learning + choosing + storing; }
  std::int64_t num_fits = 0;  // of hyperparameters
  // Bytes.
  double memory = 0, disk = 0;
  double base_memory = 0;                         // of the process, before there was a study
  double bytes_per_trial = 0, learned_bytes = 0;  // on disk
  // What it rests on.
  std::vector<MeasuredAsk> measured{};
  std::int64_t rehearsed = 0, largest = 0;  // evaluations from the beginning; the largest number of observations
  double measuring = 0;                     // seconds
  // The model in the end of it, of made-up values.
  std::int64_t model_observations = 0;
  int num_inducing = 0, num_features = 0;  // m and M
  double theta_over_tau = 0;
  [[nodiscard]] bool whole() const { return rehearsed >= evaluations; }  // nothing was extrapolated
};

// Throws std::invalid_argument where the options are none of a study, or there are no evaluations.
[[nodiscard]] Forecast forecast(const StudyOptions& study, const ForecastOptions& options);

}  // namespace salvo

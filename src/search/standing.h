#pragma once
#include <optional>
#include <span>
#include <vector>

#include "search/output_model.h"

namespace salvo {

// What is known of one output at every trial, turned (docs/math.md §19).
struct OutputColumn {
  const SeenOutput* seen;
  bool learned = false;          // somebody has measured it; else nothing below
  double unit = 1;               // of its values
  Vector mean{}, sd{};           // [n] without the noise
  Vector holds{}, missed{};      // [n] the chance that its bounds hold, and what the mean misses of them
  std::vector<bool> measured{};  // [n]
};

// Trials with values, compared: which keep to the constraints, and which of these are the best (docs/math.md §19).
struct Standing {
  std::vector<std::int64_t> ids;  // ascending
  std::vector<Source> sources;
  Matrix X;                        // [n,d], of a space
  Matrix mean, sd;                 // [n,outputs] without the noise, turned: see OutputModel
  Vector feasible;                 // [n] the probability that every constraint holds
  std::vector<bool> allowed;       // each with the probability it asks for
  Vector missed;                   // [n] what the means miss of the constraints, in the models' units; 0: they hold
  std::vector<bool> complete;      // every objective was measured
  std::vector<Eigen::Index> best;  // of those that hold: no other is better in every objective; else that which misses least
  bool holds = false;              // the best do
  Vector ideal, worst;             // of the best, of each objective
  Vector reference;                // of each objective: told, or a tenth of what the best span below the worst of them
  std::vector<std::optional<double>> told{};  // of each objective, turned: the reference, where it was told
  std::vector<double> signs{};                // of each output: what turns it

  [[nodiscard]] Eigen::Index size() const { return mean.rows(); }
  [[nodiscard]] int num_objectives() const { return static_cast<int>(told.size()); }
};

// X is the caller's matter.
[[nodiscard]] Standing stand(std::span<const OutputColumn> outputs, std::vector<std::int64_t> ids, std::vector<Source> sources);
// Of the trials `rows` of `points`, which has them all.
[[nodiscard]] Standing stand(std::span<const OutputModel> outputs, const Observations& points, std::int64_t num_rows,
                             OutputModel::When when);

// What the best span in an objective; the values may lie as far apart as numbers can.
[[nodiscard]] double span_of(const Standing& all, Eigen::Index k);

// The rows among them that no other of them is better than in every objective, by the first objective, best first.
[[nodiscard]] std::vector<Eigen::Index> best_among(const Standing& all, std::span<const Eigen::Index> rows, int num_objectives);

// Those of the rows that are better than every reference that was told; all of them where none is.
[[nodiscard]] std::vector<Eigen::Index> worth_something(const Standing& all, std::span<const Eigen::Index> rows);

// As one number for each trial, larger is better, for what needs an order: of one objective its value (rows of `values`: the
// means, or what was seen), of several the least share of what the best span; of those that do not hold how little they miss,
// which is worse than any other.
[[nodiscard]] Vector order_of(const Standing& all, const Matrix& values, int num_objectives);

}  // namespace salvo

#pragma once
#include <salvo/bench.h>
#include <salvo/matrix.h>
#include <salvo/problems.h>
#include <salvo/study.h>

#include <map>
#include <optional>
#include <vector>

#include "run/command.h"

namespace salvo::benching {

// A constraint may be broken by so much of its bound: rounding, on the edge where optima lie. By nothing where the bound is 0.
inline constexpr double kBoundTolerance = 1e-6;
[[nodiscard]] bool truly_holds(const std::vector<Output>& outputs, const std::vector<double>& values);

// How far a study is from the best there is, by values without noise: the built-in problem's, or what the user's
// objective.truth prints; without one the observed values, which are the true ones where the command has no noise. Of one
// objective that is a regret, infinite where a constraint is broken; of several what the hypervolume lacks.
class Truth {
 public:
  Truth(const BenchCase& which, const StudyFile& file);

  void tried(const Trial& trial);
  [[nodiscard]] std::optional<double> recommended(Study& study);   // none: there is no recommendation yet
  [[nodiscard]] double queried() const;                            // of the best that was tried; NaN where it costs a command
  [[nodiscard]] double cumulative() const { return cumulative_; }  // of one output: all regrets so far

 private:
  [[nodiscard]] bool several() const { return reference_.size() > 1; }
  [[nodiscard]] std::optional<std::vector<double>> values(const Trial& trial) const;  // known without running anything
  [[nodiscard]] std::optional<std::vector<double>> true_values(const Trial& trial);   // runs objective.truth, once for a trial
  [[nodiscard]] std::vector<double> run(const Trial& trial) const;
  [[nodiscard]] double regret(const std::optional<std::vector<double>>& values) const;
  [[nodiscard]] double short_of_best(const std::vector<std::vector<double>>& points) const;

  double optimum_, best_hypervolume_, sign_;
  StudyOptions study_;
  std::optional<Problem> problem_{};
  std::vector<Output> outputs_;                          // what the values are judged by
  Vector reference_{};                                   // of each objective, larger is better; of one: empty
  ObjectiveOptions objective_;                           // command: the truth; empty: none
  std::optional<runner::Evaluation> evaluation_{};       // of objective_ in study_
  std::map<std::int64_t, std::vector<double>> known_{};  // what it printed, by trial
  double queried_, cumulative_ = 0;
  std::vector<std::vector<double>> allowed_{};  // of several objectives: what was tried
};

}  // namespace salvo::benching

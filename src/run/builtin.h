#pragma once
#include <salvo/problems.h>
#include <salvo/random.h>
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <vector>

namespace salvo::runner {

// A built-in problem as an objective: its values plus Gaussian noise that depends on the study's seed and the trial
// alone, so that an interrupted run sees the same numbers again.
class Builtin {
 public:
  // Throws std::invalid_argument when the study's parameters are not the problem's, or it has an output that the problem has not.
  Builtin(const ObjectiveOptions& objective, const StudyOptions& study);
  [[nodiscard]] Values operator()(const Trial& trial) const;
  [[nodiscard]] std::vector<double> true_values(const Params& params) const;  // of the study's outputs, in its order

 private:
  Problem problem_;
  std::vector<std::size_t> which_;  // of the problem's outputs, for each of the study's
  std::vector<double> noise_stddev_;
  Key noise_;
};

}  // namespace salvo::runner

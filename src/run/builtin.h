#pragma once
#include <salvo/problems.h>
#include <salvo/random.h>
#include <salvo/study.h>
#include <salvo/study_file.h>

namespace salvo::runner {

// A built-in problem as an objective: its value plus Gaussian noise that depends on the study's seed and the trial
// alone, so that an interrupted run sees the same numbers again.
class Builtin {
 public:
  // Throws std::invalid_argument when the study's parameters are not the problem's.
  Builtin(const ObjectiveOptions& objective, const StudyOptions& study);
  [[nodiscard]] double operator()(const Trial& trial) const;

 private:
  Problem problem_;
  double noise_stddev_;
  Key noise_;
};

}  // namespace salvo::runner

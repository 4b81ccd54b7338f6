#pragma once
#include <salvo/problems.h>
#include <salvo/study.h>

namespace salvo {

// A study over branin's box with a model small enough that asking takes milliseconds.
inline StudyOptions small_study(std::uint64_t seed = 7) {
  StudyOptions options;
  options.name = "small";
  options.space = problem("branin").space;
  options.direction = Direction::minimize;
  options.seed = seed;
  options.batch = 5;
  options.model.num_inducing = 20;
  options.model.num_features = 50;
  options.model.num_starts = 1;
  options.model.num_candidates = 50;
  return options;
}

}  // namespace salvo

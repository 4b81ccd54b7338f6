#pragma once
#include <salvo/matrix.h>
#include <salvo/random.h>

#include <vector>

namespace salvo::experiments {

[[nodiscard]] double now();  // seconds of a clock that never goes back
[[nodiscard]] double median(std::vector<double> values);

struct Data {
  Matrix X;
  Vector y;
};
[[nodiscard]] Matrix uniform(Eigen::Index n, Eigen::Index d, Key key);

}  // namespace salvo::experiments

#pragma once
#include <salvo/study.h>

#include <vector>

#include "plot/data.h"

namespace salvo::app::plot {

// The posterior along one parameter, the others as recommended but for those that follow from them.
struct Slice {
  int parameter = 0;
  bool levels = false;               // a few separate levels rather than a line
  std::vector<Value> values;         // where
  std::vector<double> mean, stddev;  // NaN where the space's conditions do not hold
};

// Of the most important parameters; none before the first value.
[[nodiscard]] std::vector<Slice> posterior_slices(const Data& data, Study& study);

}  // namespace salvo::app::plot

#pragma once
#include <salvo/sparse_gp.h>

#include "search/results.h"

namespace salvo {

// How far from the better third of the values a model is that has not seen them, on average, in the values' own units. `there`
// is what it says at them, given all; y are the values in the model's units, r their noise over `noise` (empty: 1 for all).
[[nodiscard]] double left_out_error(const Prediction& there, const Vector& y, double noise, const Vector& r, const Anchor& units,
                                    const Vector& values);

}  // namespace salvo

#pragma once
#include <salvo/sparse_gp.h>

namespace salvo {

// How much of a trend the values show: their prior mean is c₀ + slope · t(x).
struct TrendFit {
  double mean = 0;  // c₀
  double slope = 0;
};
// From the trend's values t and the observations y at X, for the kernel and noise given (r as in fit()). O(n³): for some of many.
// The slope is expected to be about 1, and goes to 0 where the values are better explained without the trend.
[[nodiscard]] TrendFit fit_trend(const Hyperparameters& hyper, const Matrix& X, const Vector& t, const Vector& y,
                                 const Vector& r = {});

}  // namespace salvo

#include "search/first_guess.h"

#include <algorithm>
#include <cmath>

#include "search/few_levels.h"

namespace salvo {
namespace {

// Distances in the unit box grow with √d: in more than 6 dimensions length-scales do, too.
double dimension_factor(int num_dims) { return std::max(1.0, std::sqrt(num_dims / 6.0)); }

constexpr double kDiscreteCap = 3.0;  // two choices then correlate by 0.85

}  // namespace

Hyperparameters first_guess(const Learning& learning, KernelType type) {
  const int d = learning.space.num_dims();
  const FitOptions bounds = fit_options(learning, false);
  const double wide = is_additive(type) ? 1 : dimension_factor(d);  // one parameter is no farther than in one dimension
  Vector lengthscales = Vector::Constant(d, std::min(0.3, learning.model.max_lengthscale) * wide);
  for (const auto& discrete : learning.space.discretes())
    if (discrete.width > 1) lengthscales.segment(discrete.offset, discrete.width).setOnes();
  lengthscales = lengthscales.cwiseMax(bounds.min_lengthscales).cwiseMin(bounds.max_lengthscales);
  return {.kernel = {.type = type, .variance = 1, .lengthscales = lengthscales}, .noise = 0.3, .mean = 0};
}

FitOptions fit_options(const Learning& learning, bool warm_start) {
  const int d = learning.space.num_dims();
  FitOptions out{.max_evaluations = warm_start ? 15 : 50, .min_noise = learning.min_noise, .max_noise = learning.max_noise};
  out.min_lengthscales = Vector::Constant(d, out.min_lengthscale);
  out.max_lengthscales = Vector::Constant(d, learning.model.max_lengthscale * dimension_factor(d));
  for (const auto& discrete : learning.space.discretes()) {
    if (discrete.num_levels > kManyLevels && discrete.width == 1) continue;  // as good as continuous
    // Far below the distance of two levels the bound is flat, and a fit that went there never comes back; the cap that
    // keeps an optimiser curious along a continuous coordinate would make any two choices strangers.
    const double spacing = discrete.width > 1 ? 1.4 : 1.0 / static_cast<double>(discrete.num_levels - 1);
    auto low = out.min_lengthscales.segment(discrete.offset, discrete.width);
    auto high = out.max_lengthscales.segment(discrete.offset, discrete.width);
    low = low.cwiseMax(0.3 * spacing);
    high = high.cwiseMax(kDiscreteCap);
  }
  return out;
}

}  // namespace salvo

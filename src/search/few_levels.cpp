#include "search/few_levels.h"

#include <algorithm>

namespace salvo {

bool few_levels(const Encoding& space) {
  const auto few = [](const Encoding::Discrete& each) { return each.is_one_hot() || each.num_levels <= kManyLevels; };
  return space.continuous_dims().empty() && std::all_of(space.discretes().begin(), space.discretes().end(), few);
}

// With a few dozen values of many combinations nearly every point is unknown, and the top of a full sample is one of those: a
// batch of them is hardly better than a random one. Around 100 values the model knows enough to say how sure it may be.
double early_alpha(const Encoding& space, std::int64_t num_values) {
  constexpr double kEarly = 0.3, kFew = 50, kEnough = 100;
  if (!few_levels(space)) return 1;
  return kEarly + (1 - kEarly) * std::clamp((static_cast<double>(num_values) - kFew) / (kEnough - kFew), 0.0, 1.0);
}

}  // namespace salvo

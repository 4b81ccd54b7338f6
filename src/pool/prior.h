#pragma once
#include "compute/pool_prior.h"

namespace salvo {

// M random features of the kernel's prior, a function of the seed.
[[nodiscard]] compute::PriorFeatures draw_prior(const compute::RowKernel& kernel, int num_features, std::uint64_t seed);

}  // namespace salvo

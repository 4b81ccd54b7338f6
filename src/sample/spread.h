#pragma once
#include <vector>

#include "sample/summits.h"

namespace salvo {

// Top-two sampling for a batch (docs/math.md §6): where more than options.max_share of the batch, pending points counted
// in, wants the same basin, the rest take their paths' best summits elsewhere, if these are not hopeless.
void spread(const Paths& paths, const Encoding& space, const Matrix& C, const Matrix& pending, const MaximiseOptions& options,
            std::vector<Summits>& found);

}  // namespace salvo

#pragma once
#include <salvo/paths.h>

#include <vector>

#include "sample/summits.h"

namespace salvo {

// Top-two sampling for a batch (docs/math.md §6): where more than options.max_share of the batch, pending points counted
// in, wants the same basin, the rest take their functions' best summits elsewhere, if these are not hopeless.
void spread(const Functions& functions, const Encoding& space, const Matrix& C, const Matrix& pending,
            const MaximiseOptions& options, std::vector<Summits>& found);

}  // namespace salvo

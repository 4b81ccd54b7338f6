#pragma once
#include <limits>
#include <vector>

#include "search/observations.h"

namespace salvo {

// How a search goes that looks both everywhere and around its best point: a function of the record alone, so that a resumed
// study goes on alike.
struct Progress {
  double length = 0.8;       // of the sides of the region around the best point, in the unit cube
  double local_share = 0.5;  // of a batch that goes there: who found the better points of late decides
};

// Looks at what the search chose `batch` trials at a time, but at no fewer than there are dimensions. `rows` are those of the
// data in the order of the trials. What a design or somebody else handed in is only what must be beaten.
// Values below `counted` say nothing of how near a batch came: of trials that keep to no constraint, say.
[[nodiscard]] Progress replay_progress(const Observations& data, const std::vector<std::int64_t>& rows, int batch, int num_dims,
                                       double counted = std::numeric_limits<double>::lowest());

}  // namespace salvo

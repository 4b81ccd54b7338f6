#pragma once
#include "acquire/acquire.h"

namespace salvo {

// How many of a batch are scouts: each member with a chance of `share`.
[[nodiscard]] int num_scouts(double share, int batch, Key key);

// Members of a batch that go by another model: one of the places that were looked at little, which knows nothing of the wells
// that the search has settled in, and whose length-scale is not that of these wells (docs/math.md §6). [k,d], at most
// num_scouts; none before the search has settled somewhere, and none when hardly a place is left.
[[nodiscard]] Matrix scouts(const Situation& now);

}  // namespace salvo

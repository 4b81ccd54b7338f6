#pragma once
#include "acquire/acquire.h"

namespace salvo {

// Members of a batch that are sent to choices of a category other than the best point's, the one that was looked at least first:
// the model of everything, settled on what it has found with one choice, thinks too little of the others (docs/math.md §6).
// [k,d]; none where there is no category.
[[nodiscard]] Matrix other_choices(const Situation& now);
[[nodiscard]] bool has_choices(const Encoding& space);

}  // namespace salvo

#pragma once
#include <salvo/encoding.h>

#include <cstdint>

namespace salvo {

// Nothing but choices, and whole numbers of few levels: from one to the next the objective may jump.
[[nodiscard]] bool few_levels(const Encoding& space);

// α where nobody has set it, while the model is exact: 1, but in a space of few levels less as long as there are few values.
[[nodiscard]] double early_alpha(const Encoding& space, std::int64_t num_values);

}  // namespace salvo

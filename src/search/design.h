#pragma once
#include <salvo/encoding.h>
#include <salvo/kinds.h>
#include <salvo/random.h>

#include <cstdint>
#include <span>

namespace salvo {

// Points first … first+count−1 of the initial design, encoded: [count,d]. They are distinct from each other and from
// `taken`; where a finite space repeats itself, a point moves to the next free one. Throws std::invalid_argument when
// the space has too few points left.
[[nodiscard]] Matrix initial_design(const Encoding& space, Initial how, int first, int count, std::span<const Params> taken,
                                    Key key);

}  // namespace salvo

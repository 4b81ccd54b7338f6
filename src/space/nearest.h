#pragma once
#include <salvo/matrix.h>

namespace salvo {

// The point of the unit cube nearest to x with G z >= least: [d]. Where there is none, one that lacks some of them. lambda [k]:
// how hard each row presses.
[[nodiscard]] Vector nearest_within(const Vector& x, const Matrix& G, const Vector& least, Vector& lambda);

}  // namespace salvo

#pragma once
#include <salvo/matrix.h>

namespace salvo {

// What a search has seen of the curvature of f: its last steps and how the gradient of −f changed along each, oldest
// first. A later search of nearly the same function begins with it, and so with steps of the right length.
struct Curvature {
  Matrix steps{}, changes{};  // [k,d]
};

}  // namespace salvo

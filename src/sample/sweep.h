#pragma once
#include <vector>

#include "sample/functions.h"

namespace salvo {

// Moves one continuous coordinate after another to the best of the places along it, up and down the whole range: a function that
// is a sum over coordinates has its summit where each of them has its own, and more lower ones than climbs could begin at.
// Row k belongs to function index[k]. low, high [rows,d]: where each row may go; coordinates where they agree stay.
void sweep(const Functions& functions, const std::vector<int>& index, const Matrix& low, const Matrix& high, Matrix& X);

}  // namespace salvo

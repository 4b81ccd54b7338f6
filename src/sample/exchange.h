#pragma once
#include <vector>

#include "sample/functions.h"

namespace salvo {

// Moves discrete coordinates by exchange: tries every change of one discrete parameter (all its levels when they are
// few or have no order, steps of 1, 2, 4, … otherwise) and takes the best one, until nothing improves.
// Row k belongs to function index[k]; f holds its value. Returns which rows moved.
std::vector<bool> exchange(const Functions& functions, const Encoding& space, const std::vector<int>& index, Matrix& X,
                           Vector& f);

}  // namespace salvo

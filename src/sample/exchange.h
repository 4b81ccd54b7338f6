#pragma once
#include <salvo/paths.h>

#include <vector>

namespace salvo {

// Moves discrete coordinates by exchange: tries every change of one discrete parameter (all its levels when they are
// few, steps of 1, 2, 4, … when they are many) and takes the best one, until nothing improves. All rows in lock-step.
// Row k belongs to path index[k]; f holds its value. Returns which rows moved.
std::vector<bool> exchange(const Paths& paths, const Space& space, const std::vector<int>& index, Matrix& X, Vector& f);

}  // namespace salvo

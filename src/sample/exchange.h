#pragma once
#include <vector>

#include "sample/functions.h"
#include "sample/taken.h"

namespace salvo {

// Moves discrete coordinates by exchange: tries every change of one discrete parameter (all its levels when they are
// few or have no order, steps of 1, 2, 4, … otherwise) and takes the best one, until nothing improves.
// Row k belongs to function index[k]; f holds its value. Returns which rows moved.
std::vector<bool> exchange(const Functions& functions, const Encoding& space, const std::vector<int>& index, Matrix& X,
                           Vector& f);

// Puts every row on a valid point. Where floats are on grids that is the best of those beside it, and f its value; otherwise f
// stays.
void settle(const Functions& functions, const Encoding& space, const std::vector<int>& index, Matrix& X, Vector& f);

// Several members of a batch may want one point of a grid. Takes the free one that is reached first when, from x, always the best
// point that lies beside those seen is seen next. False where no float is on a grid, or hundreds around x are taken.
bool take_beside(const Functions& functions, const Encoding& space, int function, const Eigen::RowVectorXd& x, Taken& taken,
                 Eigen::Ref<Eigen::RowVectorXd> out);

}  // namespace salvo

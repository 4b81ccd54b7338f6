#pragma once
#include <salvo/random.h>

#include "sample/functions.h"

namespace salvo {

// Of the members of a batch that are in the basin of `centre`, the best point known, a share is taken around it instead of at
// the top of its function (docs/math.md §6): tops lie where the model is unsure, and points on all sides say best where the
// summit is. The batch stays distinct in itself and from `taken`.
void look_around(const Functions& functions, const Encoding& space, const Eigen::RowVectorXd& centre, double share,
                 const Matrix& taken, Matrix& batch, Key key);

}  // namespace salvo

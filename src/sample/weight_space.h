#pragma once
#include <salvo/paths.h>

namespace salvo {

// Sample paths of Bayesian linear regression in M random features, without the update of rule (5): O(nM² + M³).
// What the features cannot express they take for certain, so far from the data variance starves as n nears M.
[[nodiscard]] Paths draw_weight_space(const Hyperparameters& hyper, const Matrix& X, const Vector& y, const PathOptions& options,
                                      Key key);

}  // namespace salvo

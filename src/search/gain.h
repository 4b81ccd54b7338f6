#pragma once
#include <salvo/encoding.h>
#include <salvo/model_options.h>
#include <salvo/sparse_gp.h>

#include "acquire/success.h"
#include "search/results.h"

namespace salvo {

// How much better than at the point `at` the objective is expected to be at the best point there is, in the user's units
// (docs/math.md §20): the mean of max f̃ − f̃(at) over paths of the model, each climbed to its top. No number of evaluations can be
// expected to bring more.
[[nodiscard]] double expected_gain(const SparseGp& gp, const Encoding& space, const ModelOptions& model, const Matrix& at,
                                   const Success* success, const Anchor& units, Key key);

}  // namespace salvo

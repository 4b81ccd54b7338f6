#pragma once
#include <salvo/encoding.h>
#include <salvo/random.h>

#include "acquire/belief.h"
#include "sample/taken.h"

namespace salvo {

// The point of the space with the best score that is not taken [1,d]; it is then. The paper's way: the best of 500 random
// points per dimension, then one local search by L-BFGS; discrete parameters by exchange. Small finite spaces are
// searched whole.
[[nodiscard]] Matrix best_point(const Belief& belief, const Score& score, const Encoding& space, Taken& taken, int num_candidates,
                                Key key);

// Some point that is not taken [1,d], at random where there is room; it is then.
[[nodiscard]] Matrix free_point(const Encoding& space, Taken& taken, Key key);

}  // namespace salvo

#pragma once
#include "acquire/acquire.h"

namespace salvo {

// How many of a batch go to the top of the mean: each member with a chance of `share`.
[[nodiscard]] int num_summits(double share, int batch, Key key);

// Members of a batch that go to the tops of the posterior mean (docs/math.md §6): samples end all around them, and a study
// recommends what was tried. [k,d], k ≤ most, each on a hill of its own, none
// of them taken; fewer where the mean has fewer hills that are free.
[[nodiscard]] Matrix summits_of_mean(const Situation& now, const Matrix& taken, int most);

}  // namespace salvo

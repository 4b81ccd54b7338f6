#pragma once
#include <salvo/sparse_gp.h>

#include <memory>

#include "sample/limit.h"

namespace salvo {

// Where evaluations have values, +1, and where they fail, −1 (docs/math.md §17). Each member of a batch goes where its own path
// of it is above a level of its own. Higher levels fail less, and come nearer to an edge more slowly.
struct Success {
  SparseGp gp;
  double least = 0.8, most = 1.0;  // levels
  double weight = 1;               // of the limit: 0 where failures have nothing to do with the place
};

// Of each of `count` members; one of 25 has none, the lowest number there is.
[[nodiscard]] Vector draw_levels(double least, double most, int count, Key key);
// The limit of `count` functions that vary by `spread`; none where nothing is known to fail.
[[nodiscard]] std::unique_ptr<Limit> draw_limit(const Success* success, int count, double spread, Key key);
// The same for the mean of the objective, by that of success.
[[nodiscard]] std::unique_ptr<Limit> mean_limit(const Success* success, double spread);

}  // namespace salvo

#pragma once
#include <salvo/random.h>
#include <salvo/sparse_gp.h>

#include "acquire/frame.h"
#include "acquire/success.h"
#include "sample/taken.h"

namespace salvo {

// A box in the coordinates of a frame, around a point of the cube; and the model that is searched there.
struct Region {
  const Encoding& space;
  const SparseGp& gp;  // in the frame's coordinates
  const Frame& frame;
  Eigen::RowVectorXd centre;         // [d] a valid point
  Eigen::RowVectorXd half;           // [d] of its sides, in the frame; discrete coordinates are not bound by it
  const Success* success = nullptr;  // in the cube's coordinates; see Situation
};

// The maximisers of `size` sample paths of the model inside the region and the cube: distinct valid points, none of them taken;
// they are then.
[[nodiscard]] Matrix search_region(const Region& region, int size, int num_features, double alpha, Taken& taken, Key key);

}  // namespace salvo

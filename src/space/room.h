#pragma once
#include <vector>

namespace salvo {

struct HalfSpace {  // of·x <= most
  std::vector<double> of;
  double most = 0;
};

// The radius of the largest ball in the unit cube that keeps all of them: 0 where they leave a point or a plane, below 0 where
// they leave nothing.
[[nodiscard]] double room_for_a_ball(const std::vector<HalfSpace>& half_spaces, int num_dims);

}  // namespace salvo

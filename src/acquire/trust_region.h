#pragma once
#include <salvo/matrix.h>

#include <vector>

namespace salvo {

// TuRBO-1 (Eriksson et al. 2019): a box around the best point that doubles after `kSuccesses` batches that brought a
// better value and halves after as many batches without one as it takes to see d points. When it has become too small the
// search starts again elsewhere.
struct TrustRegion {
  static constexpr double kFirst = 0.8, kSmallest = 0.0078125 /* 2⁻⁷ */, kLargest = 1.6;
  static constexpr int kSuccesses = 3;

  double length = kFirst;  // of its sides, in the unit box, before they are weighted by the length-scales
  Eigen::Index begin = 0;  // the first observation since the last start
};

// The region after the observations y (larger is better), in the order of their trials: a function of the record alone, so that
// a resumed study goes on alike. Those that were chosen count, `batch` at a time; what a design or somebody else handed in is
// only what they must be better than.
[[nodiscard]] TrustRegion replay(const Vector& y, const std::vector<bool>& chosen, int batch, int num_dims);

}  // namespace salvo

#pragma once
#include <salvo/sparse_gp.h>

namespace salvo {

// What a GP would predict of each value it was conditioned on, had it not seen that one, from what it predicts there: of the
// residual y − mean a share v/τr was hidden by the value itself (docs/math.md §3a).
[[nodiscard]] inline Vector left_out_means(const Prediction& there, const Vector& y, double noise, const Vector& r = {}) {
  Vector hidden = there.variance / noise;
  if (r.size() > 0) hidden = hidden.cwiseQuotient(r);
  hidden = hidden.cwiseMin(0.99);  // a sparse model's may be more
  return y.array() - (y - there.mean).array() / (1 - hidden.array());
}

}  // namespace salvo

#pragma once
#include <salvo/paths.h>

namespace salvo {

// The variance at the rows of X of the paths that rule (5) draws from gp (α = 1) with the prior features of `paths`, over
// all draws of the weights and of u: no sampling error.
struct PathVariance {
  Vector posterior;  // [n] ‖Φ(x) − Φ_Zᵀ Kzz⁻¹ k_Zx‖² + ‖R⁻¹L⁻¹k_Zx‖²
  Vector prior;      // [n] ‖Φ(x)‖², which stands for k(x,x)
};
[[nodiscard]] PathVariance path_variance(const SparseGp& gp, const Paths& paths, const Matrix& X);

}  // namespace salvo

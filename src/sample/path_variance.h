#pragma once
#include <salvo/paths.h>

namespace salvo {

// The variance at the rows of X of the paths that draw_paths draws from gp (α = 1) with the prior features of `paths`, over
// all draws of the weights and of u: no sampling error.
struct PathVariance {
  Vector posterior;  // [n] rule (5): ‖Φ(x) − Φ_Zᵀ Kzz⁻¹ k_Zx‖² + ‖R⁻¹L⁻¹k_Zx‖²; rule (6): Σ_{j>m} Φ_j(x)² + ‖R⁻¹Φ_{≤m}(x)‖²
  Vector prior;      // [n] ‖Φ(x)‖², which stands for k(x,x)
};
[[nodiscard]] PathVariance path_variance(const SparseGp& gp, const Paths& paths, const Matrix& X);

}  // namespace salvo

#include "sample/path_variance.h"

#include <algorithm>
#include <cmath>

#include "math/linalg.h"
#include "sample/features.h"

namespace salvo {

PathVariance path_variance(const SparseGp& gp, const Paths& paths, const Matrix& X) {
  constexpr Eigen::Index kRows = 256;
  const Kernel& kernel = gp.hyper().kernel;
  const FourierFeatures features{paths.W, paths.b, std::sqrt(2 * kernel.variance / static_cast<double>(paths.W.rows()))};
  Matrix V = features.cosines(gp.Z()) * features.scale;  // L⁻¹Φ_Z [m,M]
  solve_lower(gp.L(), Trans::no, V);
  PathVariance out{Vector(X.rows()), Vector(X.rows())};
  for (Eigen::Index begin = 0; begin < X.rows(); begin += kRows) {
    const Eigen::Index rows = std::min(kRows, X.rows() - begin);
    Matrix Phi = features.cosines(X.middleRows(begin, rows)) * features.scale;  // [rows,M]
    out.prior.segment(begin, rows) = Phi.rowwise().squaredNorm();
    Matrix T = gram(kernel, X.middleRows(begin, rows), gp.Z());
    solve_rows(gp.L(), T.data(), rows);  // (L⁻¹k_Zx)ᵀ [rows,m]
    gemm(-1.0, T, Trans::no, V, Trans::no, 1.0, Phi);
    solve_rows(gp.R(), T.data(), rows);
    out.posterior.segment(begin, rows) = Phi.rowwise().squaredNorm() + T.rowwise().squaredNorm();
  }
  return out;
}

}  // namespace salvo

#include "sample/path_variance.h"

#include <salvo/fourier.h>

#include <algorithm>
#include <cmath>

#include "math/linalg.h"

namespace salvo {
namespace {

// Φ(X) [n,M], whichever kind the paths have.
Matrix prior_features(const Paths& paths, const Matrix& X) {
  if (paths.e.cols() > 0) return paths.eigen.features(X);
  const double scale = std::sqrt(2 * paths.kernel.variance / static_cast<double>(paths.W.rows()));
  return FourierFeatures{paths.W, paths.b, scale}.cosines(X) * scale;
}

}  // namespace

PathVariance path_variance(const SparseGp& gp, const Paths& paths, const Matrix& X) {
  constexpr Eigen::Index kRows = 256;
  const bool rule6 = gp.eigenfunctions().has_value();
  Matrix V;  // rule (5): L⁻¹Φ_Z [m,M]
  if (!rule6) {
    V = prior_features(paths, gp.Z());
    solve_lower(gp.L(), Trans::no, V);
  }
  PathVariance out{Vector(X.rows()), Vector(X.rows())};
  for (Eigen::Index begin = 0; begin < X.rows(); begin += kRows) {
    const Eigen::Index rows = std::min(kRows, X.rows() - begin);
    const Matrix at = X.middleRows(begin, rows);
    Matrix Phi = prior_features(paths, at), T;  // [rows,M], [rows,m]
    out.prior.segment(begin, rows) = Phi.rowwise().squaredNorm();
    if (rule6) {  // the first m weights are q(u)'s, the others the prior's
      T = Phi.leftCols(gp.num_inducing());
      Phi.leftCols(gp.num_inducing()).setZero();
    } else {
      T = gram(paths.kernel, at, gp.Z());
      solve_rows(gp.L(), T.data(), rows);  // (L⁻¹k_Zx)ᵀ
      gemm(-1.0, T, Trans::no, V, Trans::no, 1.0, Phi);
    }
    solve_rows(gp.R(), T.data(), rows);
    out.posterior.segment(begin, rows) = Phi.rowwise().squaredNorm() + T.rowwise().squaredNorm();
  }
  return out;
}

}  // namespace salvo

// Inducing points that look at the values: moved uphill on the bound, and the quality of the points observed.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/lbfgs.h"
#include "model/bound.h"
#include "model/selection.h"

namespace salvo {

Matrix optimise_inducing(const Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y, int max_evaluations) {
  const Eigen::Index m = Z.rows(), d = Z.cols();
  // One row of m·d coordinates, in units of the length-scales.
  const Eigen::RowVectorXd ell = hyper.kernel.lengthscales.transpose();
  const auto flat = [&](const Matrix& points) {
    Matrix scaled = points.array().rowwise() / ell.array();
    return Matrix(Eigen::Map<const Matrix>(scaled.data(), 1, m * d));
  };
  const auto points = [&](const Matrix& row) {
    return Matrix(Eigen::Map<const Matrix>(row.data(), m, d).array().rowwise() * ell.array());
  };
  const auto evaluate = [&](const Matrix& P, const std::vector<int>&, Vector& f, Matrix& G) {
    f.resize(1);
    G.setZero(1, m * d);
    try {
      Matrix by_Z;
      f(0) = bound_gradient(hyper, points(P), X, y, &by_Z).bound;
      by_Z.array().rowwise() *= ell.array();
      G = Eigen::Map<const Matrix>(by_Z.data(), 1, m * d);
    } catch (const std::runtime_error&) {  // two points met: the search steps back
      f(0) = std::nan("");
    }
  };
  const Matrix low = Eigen::RowVectorXd(X.colwise().minCoeff()).replicate(m, 1);
  const Matrix high = Eigen::RowVectorXd(X.colwise().maxCoeff()).replicate(m, 1);
  const LbfgsResult result = lbfgs_maximise(evaluate, flat(Z), flat(low), flat(high),
                                            {.max_evaluations = max_evaluations, .tolerance = 0.02, .first_step = 1.0});
  return points(result.X);
}

Vector expected_improvement(const Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y) {
  SparseGp gp(hyper, Z);
  gp.condition(X, y);
  const Prediction p = gp.predict(X);
  const double best = p.mean.maxCoeff();
  Vector out(X.rows());
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    const double s = std::sqrt(std::max(p.variance(i), 1e-12 * hyper.kernel.variance)), z = (p.mean(i) - best) / s;
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
    out(i) = std::max(0.0, s * (z * 0.5 * std::erfc(-z / std::numbers::sqrt2) + density));
  }
  return out;
}

}  // namespace salvo

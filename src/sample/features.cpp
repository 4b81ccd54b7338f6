#include <fmt/core.h>
#include <salvo/fourier.h>

#include <Eigen/QR>
#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "compute/rows.h"
#include "compute/smoothness.h"
#include "math/parallel.h"
#include "math/sobol.h"

namespace salvo {
namespace {

// Rows of N(0, I), one after another.
Matrix normal_rows(Eigen::Index rows, Eigen::Index d, Key key) {
  Matrix out(rows, d);
  key.fill_normal({out.data(), static_cast<std::size_t>(out.size())});
  return out;
}

// Each block of d rows is orthogonal, each row by itself N(0, I) (Yu et al. 2016).
Matrix orthogonal_rows(Eigen::Index rows, Eigen::Index d, Key key) {
  Matrix out = normal_rows(rows, d, key.fold("lengths"));
  const Vector lengths = out.rowwise().norm();
  for (Eigen::Index begin = 0; begin < rows; begin += d) {
    const Eigen::Index count = std::min(d, rows - begin);
    const Matrix G = normal_rows(d, d, key.fold("directions").fold(static_cast<std::uint64_t>(begin)));
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(G);
    Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(d, d);
    for (Eigen::Index j = 0; j < d; ++j)  // uniform over all rotations only with the signs of R's diagonal
      if (qr.matrixQR()(j, j) < 0) Q.col(j) *= -1;
    out.middleRows(begin, count) = lengths.segment(begin, count).asDiagonal() * Q.topRows(count);
  }
  return out;
}

double standard_normal(double u) { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * std::clamp(u, 1e-15, 1 - 1e-15)); }

// χ² with `dof` degrees of freedom, divided by them, per row.
Vector chi_squared(Eigen::Index rows, int dof, Key key) {
  return normal_rows(rows, dof, key.fold("chi-squared")).rowwise().squaredNorm() / dof;
}

Matrix frequencies(const Kernel& kernel, FeatureType type, Eigen::Index rows, Key key);

// Of an additive kernel: each row moves along one input, each input has as many, or one more.
Matrix frequencies_by_input(const Kernel& kernel, FeatureType type, Eigen::Index rows, Key key) {
  const Eigen::Index d = kernel.lengthscales.size();
  const Kernel one{joint(kernel.type), 1.0, Vector::Ones(1)};
  Matrix W = Matrix::Zero(rows, d);
  for (Eigen::Index e = 0; e < d; ++e) {
    const Eigen::Index begin = e * rows / d, end = (e + 1) * rows / d;
    if (begin < end)
      W.block(begin, e, end - begin, 1) =
          frequencies(one, type, end - begin, key.fold("input").fold(static_cast<std::uint64_t>(e)));
  }
  return W;
}

// Frequencies of unit length-scales: a row of a Matérn kernel is one multivariate t with 2ν degrees of freedom, one χ²
// shared by all its coordinates.
Matrix frequencies(const Kernel& kernel, FeatureType type, Eigen::Index rows, Key key) {
  const Eigen::Index d = kernel.lengthscales.size();
  const int dof = twice_nu(kernel.type);
  if (is_additive(kernel.type)) return frequencies_by_input(kernel, type, rows, key);
  if (type == FeatureType::quasi_random) {
    if (d >= kMaxSobolDims)
      throw std::invalid_argument(
          fmt::format("features: \"quasi-random\" works in fewer than {} coordinates, got {}; "
                      "\"orthogonal\" works in any number",
                      kMaxSobolDims, d));
    const Matrix U = sobol(0, static_cast<int>(rows), static_cast<int>(d) + (dof > 0 ? 1 : 0), key.fold("frequencies"));
    Matrix W = U.leftCols(d).unaryExpr([](double u) { return standard_normal(u); });
    for (Eigen::Index i = 0; dof > 0 && i < rows; ++i)
      W.row(i) /= std::sqrt(2 * boost::math::gamma_p_inv(0.5 * dof, std::max(U(i, d), 1e-15)) / dof);
    return W;
  }
  Matrix W = type == FeatureType::orthogonal ? orthogonal_rows(rows, d, key) : normal_rows(rows, d, key.fold("frequencies"));
  if (dof > 0) W.array().colwise() /= chi_squared(rows, dof, key).array().sqrt();
  return W;
}

}  // namespace

FourierFeatures fourier_features(const Kernel& kernel, int num_features, Key key, FeatureType type) {
  kernel.validate();
  if (num_features < 1) throw std::invalid_argument(fmt::format("fourier_features: expected at least 1, got {}", num_features));
  if (type == FeatureType::eigen)
    throw std::invalid_argument("fourier_features: eigenfunctions are no Fourier features; see eigenfunctions()");
  const Eigen::Index M = num_features, d = is_additive(kernel.type) ? 1 : kernel.lengthscales.size();
  // Quasi-random frequencies have the least error at equal M in every dimension tried; beyond some 10 coordinates all are
  // alike, and Sobol numbers cost more.
  if (type == FeatureType::automatic) type = d <= 32 ? FeatureType::quasi_random : FeatureType::orthogonal;
  FourierFeatures out{Matrix(M, kernel.lengthscales.size()), Vector(M),
                      std::sqrt(2.0 * kernel.variance / static_cast<double>(M))};
  key.fold("phases").fill_uniform({out.b.data(), static_cast<std::size_t>(M)});
  out.b *= 2.0 * std::numbers::pi;
  if (type == FeatureType::fourier) {
    out.W = frequencies(kernel, type, M, key);
  } else {  // cosine and sine of each frequency; of an odd number the last one is alone, with a random phase
    const Matrix W = frequencies(kernel, type, (M + 1) / 2, key);
    for (Eigen::Index i = 0; i < M; ++i) {
      out.W.row(i) = W.row(i / 2);
      if (i + 1 < M || M % 2 == 0) out.b(i) = i % 2 == 0 ? 0.0 : -0.5 * std::numbers::pi;
    }
  }
  out.W.array().rowwise() /= kernel.lengthscales.transpose().array();
  return out;
}

Matrix FourierFeatures::cosines(const Matrix& X) const {
  const ScaledPoints<double> frequencies(W, Vector::Ones(W.cols()));
  Matrix out(X.rows(), W.rows());
  parallel_blocks(X.rows(), 32, [&](Eigen::Index a, Eigen::Index b_end) {
    Vector phase(W.rows());
    for (Eigen::Index i = a; i < b_end; ++i) {
      phases(X.row(i).data(), frequencies, b.data(), phase.data());
      salvo::cosines(phase.data(), static_cast<int>(W.rows()), out.row(i).data());
    }
  });
  return out;
}

Matrix FourierFeatures::features(const Matrix& X) const { return scale * cosines(X); }

}  // namespace salvo

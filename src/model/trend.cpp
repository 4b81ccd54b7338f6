#include <salvo/trend.h>

#include <cmath>
#include <vector>

#include "compute/rows.h"
#include "math/linalg.h"
#include "math/parallel.h"
#include "model/check.h"
#include "model/jitter.h"
#include "model/trend_fit.h"

namespace salvo {

Trend Trend::through(const Kernel& kernel, const Matrix& Z, const Vector& values) {
  check_data("Trend::through", Z, values, Z.cols());
  const Matrix L = cholesky(gram(kernel, Z, Z), kernel.variance, kJitter).L;
  Trend out{kernel, Z, values};
  solve_lower(L, Trans::no, out.weights);
  solve_lower(L, Trans::yes, out.weights);
  return out;
}

Vector Trend::values(const Matrix& X) const {
  Vector out = Vector::Zero(X.rows());
  add_to(X, out, nullptr);
  return out;
}

void Trend::add_to(const Matrix& X, Vector& values, Matrix* gradients) const {
  if (empty()) return;
  const Eigen::ArrayXd ell = kernel.lengthscales.array();
  const ScaledPoints<double> points(Z, kernel.lengthscales);
  parallel_blocks(X.rows(), 64, [&](Eigen::Index begin, Eigen::Index end) {
    std::vector<double> k(static_cast<std::size_t>(Z.rows())), g(num_slopes(kernel.type, points));
    Eigen::ArrayXd x(X.cols()), part(X.cols());
    for (Eigen::Index i = begin; i < end; ++i) {
      x = X.row(i).transpose().array() / ell;
      kernel_row(kernel.type, kernel.variance, x.data(), points, k.data(), gradients ? g.data() : nullptr);
      values(i) +=
          kernel_sum(kernel.type, x.data(), points, weights.data(), k.data(), g.data(), gradients ? part.data() : nullptr);
      if (gradients) gradients->row(i).array() += (part / ell).transpose();
    }
  });
}

Trend Trend::times(double slope) const { return {kernel, Z, slope * weights}; }

// docs/math.md §16: y ~ N(c₀ + b t, K + τI), flat in c₀; b is 0, or N(1, 1), which is thought three times as likely,
// and the other way round a third as likely.
TrendFit fit_trend(const Hyperparameters& hyper, const Matrix& X, const Vector& t, const Vector& y, const Vector& r) {
  constexpr double kExpected = 1, kPrecision = 1;  // of the slope, in units in which both functions vary by about 1
  constexpr double kOdds = 3;
  Matrix K = gram(hyper.kernel, X, X);
  K.diagonal() += hyper.noise * (r.size() == 0 ? Vector::Ones(X.rows()) : r);
  Matrix A(X.rows(), 3);  // 1, t, y
  A << Vector::Ones(X.rows()), t, y;
  solve_lower(cholesky(K, hyper.kernel.variance, kJitter).L, Trans::no, A);
  const Eigen::Matrix3d G = A.transpose() * A;
  const double precision = G(1, 1) - G(0, 1) * G(0, 1) / G(0, 0) + kPrecision;  // of b given y, c₀ being free
  const double slope = (G(1, 2) - G(0, 1) * G(0, 2) / G(0, 0) + kPrecision * kExpected) / precision;
  // The logarithm of how much more likely the values are with it than without.
  const double gain = 0.5 * (slope * slope * precision - kExpected * kExpected * kPrecision + std::log(kPrecision / precision)) +
                      (slope > 0 ? std::log(kOdds) : -std::log(kOdds));
  TrendFit out{.slope = slope / (1 + std::exp(-gain))};  // the mean of both
  out.mean = (G(0, 2) - out.slope * G(0, 1)) / G(0, 0);
  return out;
}

}  // namespace salvo

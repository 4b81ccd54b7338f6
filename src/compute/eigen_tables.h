#pragma once
#include <salvo/features.h>

#include <cmath>
#include <vector>

namespace salvo {

// The one-dimensional squared exponential under N(0, s²) (Rasmussen & Williams 2006, §4.3):
// λ_k = √(2a/A) B^k, φ_k(x) = (c/a)^¼ exp(−(c − a)x²) H_k(√(2c) x)/√(2^k k!).
class Hermite {
 public:
  Hermite(double lengthscale, double deviation)
      : a(1 / (4 * deviation * deviation)),
        b(1 / (2 * lengthscale * lengthscale)),
        c(std::sqrt(a * a + 2 * a * b)),
        A(a + b + c) {}
  [[nodiscard]] double ratio() const { return b / A; }  // B
  [[nodiscard]] double log_eigenvalue(int k) const { return 0.5 * std::log(2 * a / A) + k * std::log(b / A); }
  [[nodiscard]] double log_eigenvalue_gradient(int k) const {  // by log ℓ
    const double slope = -(2 * b + 2 * a * b / c) / A;         // of log A
    return -0.5 * slope + k * (-2 - slope);
  }
  double a, b, c, A;
};

enum class Derivative { none, by_x, by_log_lengthscale };

// The one-dimensional functions of every coordinate at one point, and their products.
class EigenTables {
 public:
  explicit EigenTables(const Eigenfunctions& functions);
  void at(const double* x, Derivative derivative);
  [[nodiscard]] double product(Eigen::Index j) const {  // φ_j
    double p = 1;
    for (Eigen::Index d = 0; d < dims_; ++d) p *= value_[place(j, d)];
    return p;
  }
  [[nodiscard]] double product_derivative(Eigen::Index j, Eigen::Index by) const {
    double p = slope_[place(j, by)];
    for (Eigen::Index d = 0; d < dims_; ++d)
      if (d != by) p *= value_[place(j, d)];
    return p;
  }

  // Σ_j w[j] Φ_j(x), and its gradient [d] where it is given.
  [[nodiscard]] double sum(const double* x, const double* w, double* gradient);

 private:
  [[nodiscard]] std::size_t place(Eigen::Index j, Eigen::Index d) const {
    return static_cast<std::size_t>(offset_[static_cast<std::size_t>(d)]) + static_cast<std::size_t>(functions_.index(j, d));
  }
  void sines(Eigen::Index d, double x, Derivative derivative);
  void hermites(Eigen::Index d, double x, Derivative derivative);

  const Eigenfunctions& functions_;
  Eigen::Index dims_;
  std::vector<int> count_, offset_;  // functions of each coordinate, and where they begin
  std::vector<double> value_, slope_;
};

}  // namespace salvo

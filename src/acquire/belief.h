#pragma once
#include <salvo/sparse_gp.h>

#include <functional>

namespace salvo {

// The posterior at one point x, and its covariances with p other points (pending, or already in the batch).
struct Local {
  const double* x;  // [d]
  double mean;
  double variance;       // of f(x)
  const double* shared;  // [p] cov(f(x), f(x_i))
};
struct Moments {
  Vector mean, variance;  // [n]
  Matrix shared;          // [n,p]
};
// Derivatives of a score with respect to the same quantities; x beyond what acts through the others.
struct Slope {
  double mean = 0;
  double variance = 0;
  Vector shared;  // [p]
  Vector x;       // [d]
};
// A criterion: its value at a point and, where asked for, its derivatives (given as zeros of the right sizes).
using Score = std::function<double(const Local& local, Slope* slope)>;

// What a GP believes, and how scores of it are computed and differentiated at any point. Points may be added whose values
// are still to come: criteria then see how much they share with each of them.
class Belief {
 public:
  // exact: the model's Z are its observations, each of them once. That costs less, and moments() a quarter.
  explicit Belief(const SparseGp& gp, bool exact = false);

  void add(const Matrix& points);                                // [k,d]
  [[nodiscard]] const Matrix& added() const { return added_; }   // [p,d]
  [[nodiscard]] const Matrix& covariance() const { return C_; }  // [p,p] of f at the added points
  [[nodiscard]] const Vector& mean() const { return mean_; }     // [p]
  [[nodiscard]] double noise() const { return gp_.hyper().noise; }
  [[nodiscard]] const Kernel& kernel() const { return gp_.hyper().kernel; }
  [[nodiscard]] double signal() const { return kernel().variance; }

  // The score at every row of X and, where asked for, its gradients [n,d]. O(m²) a row.
  void evaluate(const Score& score, const Matrix& X, Vector& values, Matrix* gradients) const;
  // Mean, variance and covariances at every row of X, in single precision where the model is exact: to find the points that
  // are worth evaluating.
  [[nodiscard]] Moments moments(const Matrix& X) const;
  // Norms of the gradient of the posterior mean at the rows of X.
  [[nodiscard]] Vector slopes_of_mean(const Matrix& X) const;

 private:
  struct Products {
    Matrix K, Q, shared;  // [b,m] k_xZ, and k_xZ P; [b,p] k_xa − k_xZ P k_Za
  };
  [[nodiscard]] Products products(const Matrix& X) const;
  void add_single(const Matrix& X, Eigen::Index begin, Eigen::Index end, Moments& out) const;

  const SparseGp& gp_;
  Matrix P_;        // [m,m] var(x) = k(x,x) − k_xZ P k_Zx
  MatrixF root_;    // [m,m] lower triangular with rootᵀ root = P; empty unless the model is exact
  Vector weights_;  // [m] mean(x) = c₀ + t(x) + k_xZ weights
  Matrix added_;
  Matrix Kza_, W_;  // [m,p] k(Z, added) and P times it
  Matrix C_;
  Vector mean_;
};

}  // namespace salvo

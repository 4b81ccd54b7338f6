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
  explicit Belief(const SparseGp& gp);

  void add(const Matrix& points);                                // [k,d]
  [[nodiscard]] const Matrix& added() const { return added_; }   // [p,d]
  [[nodiscard]] const Matrix& covariance() const { return C_; }  // [p,p] of f at the added points
  [[nodiscard]] const Vector& mean() const { return mean_; }     // [p]
  [[nodiscard]] double noise() const { return gp_.hyper().noise; }
  [[nodiscard]] double signal() const { return gp_.hyper().kernel.variance; }

  // The score at every row of X and, where asked for, its gradients [n,d]. O(m²) a row.
  void evaluate(const Score& score, const Matrix& X, Vector& values, Matrix* gradients) const;
  // Norms of the gradient of the posterior mean at the rows of X.
  [[nodiscard]] Vector slopes_of_mean(const Matrix& X) const;

 private:
  const SparseGp& gp_;
  Matrix P_;        // [m,m] var(x) = k(x,x) − k_xZ P k_Zx
  Vector weights_;  // [m] mean(x) = c₀ + k_xZ weights
  Matrix added_;
  Matrix Kza_, W_;  // [m,p] k(Z, added) and P times it
  Matrix C_;
  Vector mean_;
};

}  // namespace salvo

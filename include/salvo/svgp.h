#pragma once
#include <salvo/sparse_gp.h>

namespace salvo {

// The sparse GP with a free Gaussian q(u), for mini-batches (Hensman et al. 2013; docs/math.md §3). Whitened: u = Lv and
// q(v) = N(m, S), kept as precision Λ = S⁻¹ and Λm. The best q(u) is the collapsed one.
class Svgp {
 public:
  Svgp(Hyperparameters hyper, Matrix Z);  // q(v) = N(0, I): the prior

  // One natural-gradient step of length ρ in (0, 1] on rows that stand for num_observations. The whole data and ρ = 1 land
  // on the optimum. r, here and below: as in fit().
  void natural_step(const Matrix& X, const Vector& y, std::int64_t num_observations, double rho, const Vector& r = {});
  // Unbiased estimates of the bound and its gradient with respect to (log ℓ [d], log σ², log τ, c₀) at fixed q(v), from
  // rows that stand for num_observations; exact from all rows.
  [[nodiscard]] BoundGradient bound_gradient(const Matrix& X, const Vector& y, std::int64_t num_observations,
                                             const Vector& r = {}) const;
  [[nodiscard]] Prediction predict(const Matrix& X) const;

  [[nodiscard]] const Hyperparameters& hyper() const { return hyper_; }
  void set_hyper(const Hyperparameters& hyper);  // q(v) stays

 private:
  Hyperparameters hyper_;
  Matrix Z_, Linv_;
  double jitter_ = 0;
  Matrix Lambda_, S_;    // [m,m] precision and covariance of v
  Vector eta_, mean_v_;  // [m] Λm and m
  double log_det_ = 0;   // of Λ
  void refresh();
};

// The paper's schedule: Adam with rate 0.1, halved when ten steps bring nothing, stopped when a hundred
// gain less than 0.1 nats, 10,000 at most; mini-batches scatter, so there means over fifty and two hundred decide.
struct StochasticOptions {
  int batch_size = 1000;
  int max_steps = 10000;
  double learning_rate = 0.1;
  double natural_step = 0.3;  // at first, then smaller as the learning rate is; 1 when a batch is all there is
  void validate() const;      // throws std::invalid_argument
};

// Learns hyper inside the bounds of `bounds` from mini-batches: O(batch·m² + m³) a step, whatever n. Where the batch is
// all data it is the collapsed bound that is climbed.
FitSummary fit_stochastic(Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y, const FitOptions& bounds,
                          const StochasticOptions& options, Key key, const Vector& r = {});

}  // namespace salvo

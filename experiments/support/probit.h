#pragma once
#include <salvo/sparse_gp.h>

namespace salvo::experiments {

// A Gaussian process f behind labels s = ±1 that are +1 with the chance Φ(f(x)). What the labels say of f is approximated by
// expectation propagation (Minka 2001; Rasmussen & Williams 2006, §3.6): each counts as a Gaussian observation of its own, of
// precision S_i and precision times value ν_i, such that with it f(x_i) has the mean and variance that the label itself and all
// others give it. Exact algebra, O(n³).
class Probit {
 public:
  // hyper.noise is not used: chance is what Φ is for. `start`: a model of the same labels, whose observations are begun with.
  Probit(Hyperparameters hyper, Matrix X, Vector s, const Probit* start = nullptr);

  [[nodiscard]] Prediction predict(const Matrix& X) const;  // of f
  [[nodiscard]] Vector chance(const Matrix& X) const;       // of +1
  [[nodiscard]] Vector chance_left_out() const;             // of +1 at its own places, each by the others' labels

  [[nodiscard]] double evidence() const { return evidence_; }         // approximates log P(s)
  [[nodiscard]] const Vector& gradient() const { return gradient_; }  // of it, in (log ℓ [d], log σ², c₀)
  [[nodiscard]] const Hyperparameters& hyper() const { return hyper_; }
  [[nodiscard]] const Vector& precisions() const { return S_; }  // S
  [[nodiscard]] const Vector& shifts() const { return nu_; }     // ν

 private:
  double sweep();
  void condition();
  void weigh();
  Hyperparameters hyper_;
  Matrix X_;              // [n,d]
  Vector s_, S_, nu_;     // [n]
  Matrix K_, L_, Sigma_;  // [n,n] Kxx; chol(I + √S Kxx √S); the covariance of f(X)
  Vector mean_;           // [n] of f(X) − c₀
  Vector weights_;        // [n] mean(x) = c₀ + k_xX weights
  Vector left_out_;       // [n] z of each label by the others, but for its sign
  Vector gradient_;
  double evidence_ = 0;
};

// With the hyperparameters that maximise its evidence, from `start`, inside the bounds of `options` on ℓ, σ² and how far c₀ may
// go from its start.
[[nodiscard]] Probit fitted_probit(const Hyperparameters& start, const Matrix& X, const Vector& s, const FitOptions& options);

}  // namespace salvo::experiments

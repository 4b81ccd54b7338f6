#pragma once
#include <salvo/sparse_gp.h>

namespace salvo {

// The exact GP, O(n³) time and O(n²) memory: what the sparse one is measured against.
class ExactGp {
 public:
  ExactGp(Hyperparameters hyper, Matrix X, const Vector& y, const Vector& r = {});  // r as in fit()
  [[nodiscard]] Prediction predict(const Matrix& X) const;
  [[nodiscard]] double evidence() const { return evidence_; }  // log p(y)
  [[nodiscard]] double jitter() const { return jitter_; }      // 0: none was needed

 private:
  Hyperparameters hyper_;
  Matrix X_, L_;    // [n,d], chol(Kxx + τI)
  Vector weights_;  // (Kxx + τI)⁻¹(y − c₀)
  double evidence_ = 0, jitter_ = 0;
};

}  // namespace salvo

#pragma once
#include <salvo/sparse_gp.h>

#include <functional>

namespace salvo {

// (log ℓ [d], log σ², log τ, c₀) and back.
[[nodiscard]] Vector pack(const Hyperparameters& hyper);
[[nodiscard]] Hyperparameters unpack(const Vector& p, KernelType type);

// The box that FitOptions allow for them. Throws std::invalid_argument.
struct ParameterBox {
  ParameterBox(const FitOptions& options, Eigen::Index d);
  [[nodiscard]] Vector clamp(const Vector& p) const { return p.cwiseMax(low).cwiseMin(high); }
  Vector low, high;  // [d+3]
};

// Maximises a bound over the hyperparameters inside the options' box by L-BFGS, starting from hyper.
FitSummary maximise_bound(Hyperparameters& hyper, const FitOptions& options,
                          const std::function<BoundGradient(const Hyperparameters&)>& bound);

}  // namespace salvo

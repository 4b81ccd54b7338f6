#pragma once
#include <salvo/sparse_gp.h>

#include <cstdint>
#include <span>
#include <vector>

#include "compute/pool_rows.h"
#include "pool/scales.h"

namespace salvo {

// The collapsed sparse GP (docs/math.md §3) whose points are rows of a pool. Its sums over the data are taken with a
// kernel of variance 1 and without noise or mean, so that σ², τ and c₀ can change without another pass over the data:
// with Ã = L⁻¹K̃zx it keeps ÃÃᵀ, Ãy and Ã1.
class PoolGp {
 public:
  PoolGp(compute::RowKernel kernel, std::vector<std::int64_t> inducing);

  // r: the noise of each value over τ; empty: 1 for all.
  void add(std::span<const std::int64_t> rows, const Vector& y, const Vector& r = {});

  using Scales = PoolScales;
  // σ², τ, c₀ that maximise the bound inside the box: no pass over the data.
  [[nodiscard]] BestScales best_scales(const PoolScaleBounds& bounds, const Scales& start) const;
  void set_scales(const Scales& scales);  // factors D: what follows needs it

  [[nodiscard]] double bound() const;
  [[nodiscard]] double theta() const;  // Tr(Kxx − Qxx), each row over its r
  [[nodiscard]] Prediction predict(std::span<const std::int64_t> rows) const;

  // Rule (5) with k = σ²k̃: the weights of k̃(x, Z) of B samples [B,m]. prior [m,B] holds α times each one's prior draw at Z
  // (c₀ left out), eps [m,B] standard normals.
  [[nodiscard]] Matrix update_weights(double alpha, Matrix eps, Matrix prior) const;
  [[nodiscard]] Vector mean_weights() const;  // [m], of k̃(x, Z)

  [[nodiscard]] const compute::RowKernel& kernel() const { return kernel_; }
  [[nodiscard]] const compute::PreparedRows& prepared() const { return Z_; }
  [[nodiscard]] const std::vector<std::int64_t>& inducing() const { return inducing_; }
  [[nodiscard]] const Scales& scales() const { return scales_; }
  [[nodiscard]] std::int64_t num_observations() const { return full_.n + static_cast<std::int64_t>(tail_rows_.size()); }
  [[nodiscard]] double jitter() const { return jitter_; }

 private:
  struct Sums {
    Matrix AAt;     // ÃÃᵀ, lower triangle
    Vector Ay, A1;  // Ãy, Ã1
    double yy = 0, y = 0;
    std::int64_t n = 0;
    double weight = 0;  // Σ 1/rᵢ: n, where noise does not differ
    double log_ratios = 0;
  };
  static void add_block(const PoolGp& gp, std::span<const std::int64_t> rows, const double* y, const double* r, Sums& sums);

  compute::RowKernel kernel_;
  std::vector<std::int64_t> inducing_;
  compute::PreparedRows Z_;
  Matrix L_, Linv_;
  double jitter_ = 0;
  // Blocks of kBlock observations, counted from the first, are summed one after the other; what does not fill a block
  // waits in the tail. So the sums have the same bits however the data were handed over.
  Sums full_, all_;  // all_ = full_ and the tail
  std::vector<std::int64_t> tail_rows_;
  std::vector<double> tail_y_, tail_r_;
  Scales scales_;
  Matrix R_;  // chol(I + ρÃÃᵀ)
  Vector c_;
};

}  // namespace salvo

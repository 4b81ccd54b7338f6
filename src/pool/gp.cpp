#include "pool/gp.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "math/linalg.h"
#include "math/parallel.h"
#include "model/jitter.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr std::size_t kBlock = 1024;

}  // namespace

PoolGp::PoolGp(RowKernel kernel, std::vector<std::int64_t> inducing)
    : kernel_(std::move(kernel)), inducing_(std::move(inducing)), Z_(kernel_, inducing_) {
  const auto m = static_cast<Index>(inducing_.size());
  Matrix Kzz(m, m);
  kernel_block(kernel_, inducing_, Z_, Kzz.data());
  Cholesky chol = cholesky(Kzz, 1.0, kJitter);
  L_ = std::move(chol.L);
  jitter_ = chol.jitter;
  Linv_ = invert_lower(L_);
  full_ = {Matrix::Zero(m, m), Vector::Zero(m), Vector::Zero(m), 0, 0, 0};
  all_ = full_;
  set_scales({});
}

void PoolGp::add_block(const PoolGp& gp, std::span<const std::int64_t> rows, const double* y, Sums& sums) {
  const auto n = static_cast<Index>(rows.size()), m = sums.Ay.size();
  Matrix A(n, m);  // Ãᵀ
  kernel_block(gp.kernel_, rows, gp.Z_, A.data());
  parallel_blocks(n, 128, [&](Index a, Index b) { multiply_rows(gp.Linv_, 1.0, A.data() + a * m, b - a); });
  add_gram(1.0, A, n, sums.AAt);
  const Vector values = Eigen::Map<const Vector>(y, n);
  sums.Ay += A.transpose() * values;
  sums.A1 += A.colwise().sum().transpose();
  sums.yy += values.squaredNorm();
  sums.y += values.sum();
  sums.n += n;
}

void PoolGp::add(std::span<const std::int64_t> rows, const Vector& y) {
  tail_rows_.insert(tail_rows_.end(), rows.begin(), rows.end());
  tail_y_.insert(tail_y_.end(), y.begin(), y.end());
  std::size_t begin = 0;
  for (; tail_rows_.size() - begin >= kBlock; begin += kBlock)
    add_block(*this, {tail_rows_.data() + begin, kBlock}, tail_y_.data() + begin, full_);
  tail_rows_.erase(tail_rows_.begin(), tail_rows_.begin() + static_cast<std::ptrdiff_t>(begin));
  tail_y_.erase(tail_y_.begin(), tail_y_.begin() + static_cast<std::ptrdiff_t>(begin));
  all_ = full_;
  if (!tail_rows_.empty()) add_block(*this, tail_rows_, tail_y_.data(), all_);
  set_scales(scales_);
}

// With D = I + ρÃÃᵀ and y − c₀ for y: −2F = n log 2πτ + log|D| + (yᵀy − ρ(Ãy)ᵀD⁻¹Ãy)/τ + ρ(n − Tr ÃÃᵀ).
PoolGp::Profile PoolGp::profile(double ratio, const Bounds& bounds) const {
  Matrix R = ratio * all_.AAt;
  R.diagonal().array() += 1.0;
  if (!cholesky_in_place(R)) return {-std::numeric_limits<double>::infinity(), 1, 0};
  Vector a = all_.Ay, b = all_.A1;
  solve_lower(R, Trans::no, a);
  solve_lower(R, Trans::no, b);
  const double n = static_cast<double>(all_.n);
  const double yy = all_.yy - ratio * a.squaredNorm(), y1 = all_.y - ratio * a.dot(b), one = n - ratio * b.squaredNorm();
  const double mean = one > 0 ? std::clamp(y1 / one, -bounds.max_mean, bounds.max_mean) : 0.0;
  const double rest = std::max(yy - 2 * mean * y1 + mean * mean * one, 0.0);
  const double low = std::max(bounds.min_noise, bounds.min_variance / ratio);
  const double high = std::min(bounds.max_noise, bounds.max_variance / ratio);
  const double noise = std::clamp(rest / std::max(n, 1.0), low, std::max(low, high));
  const double theta = std::max(n - all_.AAt.trace(), 0.0);
  return {-0.5 * n * std::log(2 * std::numbers::pi * noise) - log_diagonal(R) - 0.5 * rest / noise - 0.5 * ratio * theta, noise,
          mean};
}

PoolGp::Best PoolGp::best_scales(const Bounds& bounds, const Scales& start) const {
  Best best;
  double at = 0;  // log ρ of the best so far
  const double low = std::log(bounds.min_variance / bounds.max_noise), high = std::log(bounds.max_variance / bounds.min_noise);
  const auto consider = [&](double log_ratio) {
    const Profile p = profile(std::exp(log_ratio), bounds);
    if (best.num_evaluations++ == 0 || p.bound > best.bound) {
      best.bound = p.bound;
      at = log_ratio;
      best.scales = {std::exp(log_ratio) * p.noise, p.noise, p.mean};
    }
    return p.bound;
  };
  // Steps that grow while they help and shrink when they do not, from the last optimum: the profile has one peak wherever
  // it was looked at, and a factor of 1.03 in ρ is far below what the data can tell.
  double step = 1.0;
  consider(std::clamp(std::log(start.variance / start.noise), low, high));
  while (step > 0.03 && best.num_evaluations < 60) {
    const double here = at, before = best.bound;
    for (const double sign : {1.0, -1.0}) {
      const double to = std::clamp(here + sign * step, low, high);
      if (to != here) consider(to);
      if (best.bound > before) break;
    }
    step *= best.bound > before ? 1.6 : 0.4;
  }
  return best;
}

void PoolGp::set_scales(const Scales& scales) {
  const double ratio = scales.variance / scales.noise;
  Matrix R = ratio * all_.AAt;
  R.diagonal().array() += 1.0;
  if (!cholesky_in_place(R))
    throw std::runtime_error("PoolGp: I + AAᵀ is not positive definite; the data hold values far too large");
  R_ = std::move(R);
  scales_ = scales;
  c_ = (all_.Ay - scales.mean * all_.A1) * (std::sqrt(ratio) / std::sqrt(scales.noise));
  solve_lower(R_, Trans::no, c_);
}

double PoolGp::theta() const { return scales_.variance * std::max(static_cast<double>(all_.n) - all_.AAt.trace(), 0.0); }

double PoolGp::bound() const {
  const double n = static_cast<double>(all_.n), tau = scales_.noise, c0 = scales_.mean;
  const double yy = all_.yy - 2 * c0 * all_.y + c0 * c0 * n;
  return -0.5 * n * std::log(2 * std::numbers::pi * tau) - log_diagonal(R_) - yy / (2 * tau) + 0.5 * c_.squaredNorm() -
         theta() / (2 * tau);
}

Vector PoolGp::mean_weights() const {  // σ L⁻ᵀR⁻ᵀc
  Vector w = c_;
  solve_lower(R_, Trans::yes, w);
  solve_lower(L_, Trans::yes, w);
  return w * std::sqrt(scales_.variance);
}

// σ²v of rule (5): σ L⁻ᵀR⁻ᵀ(c + αε) − K̃zz⁻¹ α Φ_Z w.
Matrix PoolGp::update_weights(double alpha, Matrix eps, Matrix prior) const {
  eps *= alpha;
  eps.colwise() += c_;
  solve_lower(R_, Trans::yes, eps);
  eps *= std::sqrt(scales_.variance);
  solve_lower(L_, Trans::no, prior);
  eps -= prior;
  solve_lower(L_, Trans::yes, eps);
  return eps.transpose();
}

Prediction PoolGp::predict(std::span<const std::int64_t> rows) const {
  const auto n = static_cast<Index>(rows.size()), m = static_cast<Index>(inducing_.size());
  const Vector weights = mean_weights();
  Prediction out{Vector(n), Vector(n)};
  parallel_blocks(n, 128, [&](Index a, Index b) {
    Matrix T(b - a, m);
    for (Index i = a; i < b; ++i) kernel_row(kernel_, rows[static_cast<std::size_t>(i)], Z_, T.row(i - a).data());
    out.mean.segment(a, b - a) = T * weights;
    multiply_rows(Linv_, 1.0, T.data(), T.rows());
    Vector variance = 1.0 - T.rowwise().squaredNorm().array();
    solve_rows(R_, T.data(), T.rows());
    variance += T.rowwise().squaredNorm();
    out.variance.segment(a, b - a) = scales_.variance * variance.cwiseMax(0.0);
  });
  out.mean.array() += scales_.mean;
  return out;
}

}  // namespace salvo

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

PoolGp::PoolGp(compute::RowKernel kernel, std::vector<std::int64_t> inducing)
    : kernel_(std::move(kernel)), inducing_(std::move(inducing)), Z_(kernel_, inducing_) {
  const auto m = static_cast<Index>(inducing_.size());
  Matrix Kzz(m, m);
  kernel_block(kernel_, inducing_, Z_, Kzz.data());
  Cholesky chol = cholesky(Kzz, 1.0, kJitter);
  L_ = std::move(chol.L);
  jitter_ = chol.jitter;
  Linv_ = invert_lower(L_);
  full_ = {.AAt = Matrix::Zero(m, m), .Ay = Vector::Zero(m), .A1 = Vector::Zero(m)};
  all_ = full_;
  set_scales({});
}

void PoolGp::add_block(const PoolGp& gp, std::span<const std::int64_t> rows, const double* y, const double* r, Sums& sums) {
  const auto n = static_cast<Index>(rows.size()), m = sums.Ay.size();
  Matrix A(n, m);  // Ãᵀ
  kernel_block(gp.kernel_, rows, gp.Z_, A.data());
  parallel_blocks(n, 128, [&](Index a, Index b) { multiply_rows(gp.Linv_, 1.0, A.data() + a * m, b - a); });
  // Where noise differs, rows are weighed by it; a block of equal noise has the same bits as without any r.
  const Eigen::Map<const Vector> ratios(r, n);
  const bool equal = (ratios.array() == 1).all();
  const Vector scale = ratios.cwiseSqrt().cwiseInverse();
  if (!equal) A.array().colwise() *= scale.array();
  add_gram(1.0, A, n, sums.AAt);
  const Vector values = Eigen::Map<const Vector>(y, n).cwiseProduct(scale);
  sums.Ay += A.transpose() * values;
  sums.A1 += equal ? Vector(A.colwise().sum()) : Vector(A.transpose() * scale);
  sums.yy += values.squaredNorm();
  sums.y += equal ? values.sum() : values.dot(scale);
  sums.n += n;
  sums.weight += equal ? static_cast<double>(n) : scale.squaredNorm();
  sums.log_ratios += ratios.array().log().sum();
}

void PoolGp::add(std::span<const std::int64_t> rows, const Vector& y, const Vector& r) {
  tail_rows_.insert(tail_rows_.end(), rows.begin(), rows.end());
  tail_y_.insert(tail_y_.end(), y.begin(), y.end());
  if (r.size() > 0)
    tail_r_.insert(tail_r_.end(), r.begin(), r.end());
  else
    tail_r_.resize(tail_rows_.size(), 1.0);
  std::size_t begin = 0;
  for (; tail_rows_.size() - begin >= kBlock; begin += kBlock)
    add_block(*this, {tail_rows_.data() + begin, kBlock}, tail_y_.data() + begin, tail_r_.data() + begin, full_);
  const auto done = static_cast<std::ptrdiff_t>(begin);
  tail_rows_.erase(tail_rows_.begin(), tail_rows_.begin() + done);
  tail_y_.erase(tail_y_.begin(), tail_y_.begin() + done);
  tail_r_.erase(tail_r_.begin(), tail_r_.begin() + done);
  all_ = full_;
  if (!tail_rows_.empty()) add_block(*this, tail_rows_, tail_y_.data(), tail_r_.data(), all_);
  set_scales(scales_);
}

// D = I + ρÃÃᵀ, and by Woodbury its counterpart of size n: yᵀy − ρ(Ãy)ᵀD⁻¹Ãy.
BestScales PoolGp::best_scales(const PoolScaleBounds& bounds, const Scales& start) const {
  Matrix R;
  const auto terms = [&](double ratio) -> std::optional<EvidenceTerms> {
    R = ratio * all_.AAt;
    R.diagonal().array() += 1.0;
    if (!cholesky_in_place(R)) return {};
    Vector a = all_.Ay, b = all_.A1;
    solve_lower(R, Trans::no, a);
    solve_lower(R, Trans::no, b);
    return EvidenceTerms{.n = all_.n,
                         .yy = all_.yy - ratio * a.squaredNorm(),
                         .y1 = all_.y - ratio * a.dot(b),
                         .one = all_.weight - ratio * b.squaredNorm(),
                         .half_log_det = log_diagonal(R) + 0.5 * all_.log_ratios,
                         .theta = std::max(all_.weight - all_.AAt.trace(), 0.0)};
  };
  return salvo::best_scales(terms, bounds, start, 0.03);  // a factor of 1.03 in ρ is far below what the data can tell
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

double PoolGp::theta() const { return scales_.variance * std::max(all_.weight - all_.AAt.trace(), 0.0); }

double PoolGp::bound() const {
  const double n = static_cast<double>(all_.n), tau = scales_.noise, c0 = scales_.mean;
  const double yy = all_.yy - 2 * c0 * all_.y + c0 * c0 * all_.weight;
  return -0.5 * n * std::log(2 * std::numbers::pi * tau) - log_diagonal(R_) - yy / (2 * tau) + 0.5 * c_.squaredNorm() -
         theta() / (2 * tau) - 0.5 * all_.log_ratios;
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

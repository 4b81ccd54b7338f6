// Scores in 8 bits with a bound on their error (docs/math.md §12).
//
// Features and weights are rounded with a dither that is known and taken off again: q = ⌊x + u⌋ stands for x as q − u + ½,
// and over the draw of u its error is uniform on [−½, ½], whatever x is, and independent from one feature to the next. A
// weighted sum of such errors is sub-Gaussian with the variance it has, Σ a²/12, so that all N·B sums at once are within
// √(2 log(4NB/δ)) standard deviations but for a chance of δ. The dithers are shared by all rows and all samples, so they
// cost one vector each.
//
// In 8 bits is only by how much a sample differs from the mean, which single precision adds: with a small α that is little, and
// so is its rounding. And before all samples are scored, some that nobody asked for, the probes, tell how widely samples are
// spread at each row: a row so far below all floors that no sample can be there is left out.
#include <dlfcn.h>
#include <fmt/core.h>
#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "compute/cpu/pool_loops.h"
#include "compute/cpu/screen.h"

namespace salvo::compute {
namespace {

using Index = Eigen::Index;
constexpr double kChance = 1e-12;  // δ, of one pass over the pool
constexpr int kLimbs = 3;          // columns that hold a shared vector of fixed-point numbers
constexpr double kLimbUnit = 0x1p-23;
constexpr int kSampled = 256;  // rows whose mean is the centre of the features
static_assert(kNumProbes + kLimbs == 64);
constexpr double kStray = 1e-16;  // the chance, over the draw of probes and samples, that a sample is above the bound anywhere

// Without VNNI oneDNN adds pairs of products in 16 bits, which hold 2·127·127 and no more.
int largest_level() {
  return (dnnl_get_effective_cpu_isa() & dnnl_cpu_isa_avx512_core_vnni) == dnnl_cpu_isa_avx512_core_vnni ? 255 : 127;
}

// Our blocks are the parallelism: the OpenMP that oneDNN brings, if it does, keeps its number of threads for each caller.
bool one_thread() {
  using Setter = void(int);
  if (auto* const set = reinterpret_cast<Setter*>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"))) set(1);
  return true;
}

// C [rows, columns] = A [rows, inner] B, B with `stride` numbers from one row to the next.
void multiply(const std::uint8_t* A, const std::int8_t* B, Index stride, Index rows, Index columns, Index inner,
              std::int32_t* C) {
  static thread_local const bool once = one_thread();
  static_cast<void>(once);
  const std::int32_t zero = 0;
  const dnnl_status_t status =
      dnnl_gemm_u8s8s32('N', 'N', 'F', rows, columns, inner, 1.0F, A, inner, 0, B, stride, 0, 0.0F, C, columns, &zero);
  if (status != dnnl_success) throw std::runtime_error("oneDNN: the 8-bit matrix product failed");
}

// How many root mean squares of r probes a sample of the same Gaussian stays below, but for a chance of ε: Student's t with r
// degrees of freedom, P(T > t) ≤ ½ (1 + t²/r)^(−r/2).
double stray(int r, double epsilon) { return std::sqrt(r * (std::pow(2 * epsilon, -2.0 / r) - 1)); }

// At least the largest singular value of A, and at most a tenth more for 64 rows: the 64th root of Tr (AAᵀ)³².
double largest_singular_value(const Matrix& A) {
  Eigen::MatrixXd power = A * A.transpose();
  double log_scale = 0;  // of power itself
  for (int squaring = 0;; ++squaring) {
    const double trace = power.trace();
    if (!(trace > 0)) return 0;
    log_scale = squaring == 0 ? std::log(trace) : 2 * log_scale + std::log(trace);
    power /= trace;
    if (squaring == 5) return std::exp(0.5 * std::ldexp(log_scale, -squaring));
    power = (power * power).eval();
  }
}

bool are_the_mean(const Samples& samples) {
  return samples.w.isZero(0) && (samples.offset.array() == samples.mean_offset).all() &&
         samples.v == samples.mean_weights.transpose().replicate(samples.size(), 1);
}

class ByteScreen : public Screen {
 public:
  ByteScreen(const Samples& samples, const Samples* probes, Key key);
  int score(std::span<std::int64_t> rows, double bar, float* scores, float* factors) const override;
  void ranges(std::span<const std::int64_t> rows, double* lowest, double* highest) const override;

 private:
  // What is known of a row before its samples are scored.
  struct Row {
    float mean, shared, factor;
  };
  float levels(std::int64_t row, std::uint8_t* out) const;  // [K]; returns the mean's value
  Row row_of(float mean, const std::uint8_t* Q, const std::int32_t* limbs) const;
  double reach(const Row& row, const std::int32_t* products) const;
  void set_weights(const Matrix& G, Key key);

  // Columns of the product: probes, limbs, samples.
  const Samples& samples_;
  bool knows_spread_;  // of the samples at a row: by the probes, or there is none
  Index M_, m_, K_, B_, R_, columns_;
  int top_;                          // largest level
  std::uint8_t bit_ = 1;             // level of a feature that is a bit
  float low_;                        // the smallest that k̃ can be
  std::vector<float> mean_weights_;  // [m]
  float mean_offset_;                // of the mean
  double mean_error_, stray_;
  double probe_slope_ = 0, probe_constant_ = 0;
  std::vector<float> dither_;         // [K] of the features, 0 for bits
  std::vector<std::uint8_t> centre_;  // [K]
  std::vector<std::int8_t> weights_;  // [K, columns]
  std::vector<std::int32_t> centre_products_;
  std::vector<float> scale_, base_;  // [columns], the limbs' unused
};

ByteScreen::ByteScreen(const Samples& samples, const Samples* probes, Key key)
    : samples_(samples),
      knows_spread_(probes || are_the_mean(samples)),
      m_(samples.v.cols()),
      B_(samples.size()),
      R_(probes ? kNumProbes : 0),
      columns_(R_ + kLimbs + B_),
      top_(largest_level()) {
  if (probes && probes->size() != kNumProbes)
    throw std::invalid_argument(fmt::format("score_pool: probes: expected {}, got {}", kNumProbes, probes->size()));
  const RowKernel& kernel = *samples.kernel;
  const bool bits = kernel.rows.are_bits();
  const std::int64_t N = kernel.rows.size();
  M_ = bits ? 64 * Index{samples.prior->words} : samples.w.cols();
  K_ = (M_ + m_ + 63) / 64 * 64;
  low_ = bits && kernel.over_bits == BitKernel::arccosine ? 0.5F : 0.0F;
  stray_ = R_ > 0 ? stray(kNumProbes, kStray / static_cast<double>(N)) : 0;

  // The mean, and what single precision may do to it.
  const Vector& mean = samples.mean_weights;
  const double single = single_error(kernel), centre = samples.mean_offset;
  mean_weights_.assign(mean.begin(), mean.end());
  mean_offset_ = static_cast<float>(centre);
  mean_error_ = 1.001 * (single + 0x1p-18 + 0x1p-21) * mean.cwiseAbs().sum() + 1e-6 * (1 + std::abs(centre));

  // Differences from it, with features as shares κ in [0, 1]: f̃ − μ = offset + Σ W κ.
  Matrix W = Matrix::Zero(columns_, K_);
  Vector offset = Vector::Zero(columns_);
  const auto place = [&](const Samples& from, Index at) {
    const Index n = from.size();
    const double low = static_cast<double>(low_);
    const Matrix v = from.v.rowwise() - mean.transpose();
    W.block(at, 0, n, from.w.cols()) = 2.0 * from.w;  // φ = 2κ − 1
    W.block(at, M_, n, m_) = (1.0 - low) * v;
    offset.segment(at, n) = (from.offset - from.w.rowwise().sum() + low * v.rowwise().sum()).array() - centre;
  };
  if (probes) place(*probes, 0);
  place(samples, R_ + kLimbs);

  // Levels of the features, and what a level of each is worth: G.
  const double largest_prior = W.leftCols(M_).cwiseAbs().maxCoeff(), largest_update = W.rightCols(K_ - M_).cwiseAbs().maxCoeff();
  Vector unit = Vector::Constant(K_, top_);
  if (bits) {
    const double wanted = largest_update > 0 ? top_ * largest_prior / largest_update : top_;
    bit_ = static_cast<std::uint8_t>(std::clamp(std::ceil(wanted), 1.0, static_cast<double>(top_)));
    unit.head(M_).setConstant(bit_);
  }
  std::vector<double> draws(static_cast<std::size_t>(K_));
  key.fold("features").fill_uniform(draws);
  dither_.assign(static_cast<std::size_t>(K_), 0.0F);
  for (Index j = bits ? M_ : 0; j < M_ + m_; ++j) {
    const auto at = static_cast<std::size_t>(j);
    dither_[at] = std::min(static_cast<float>(draws[at]), kLargestDither);
    offset += W.col(j) * ((0.5 - static_cast<double>(dither_[at])) / top_);
  }
  const Matrix G = W.array().rowwise() / unit.transpose().array();

  // Any centre will do for the bound; the mean of some rows makes it small.
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(K_));
  std::vector<std::uint8_t> row(static_cast<std::size_t>(K_));
  for (std::uint64_t i = 0; i < kSampled; ++i) {
    levels(static_cast<std::int64_t>(key.fold("centre").at(i).below(static_cast<std::uint64_t>(N))), row.data());
    for (std::size_t j = 0; j < row.size(); ++j) sums[j] += row[j];
  }
  for (const std::uint32_t sum : sums) centre_.push_back(static_cast<std::uint8_t>((sum + kSampled / 2) / kSampled));
  for (Index c = 0; c < columns_; ++c) {
    double at_centre = offset(c);
    for (Index j = 0; j < K_; ++j) at_centre += G(c, j) * centre_[static_cast<std::size_t>(j)];
    base_.push_back(static_cast<float>(at_centre));
  }
  set_weights(G, key.fold("weights"));

  // The errors: of the weights Σ (G − Ĝ)(Q − Q̄), of the features Σ W (κ − κ̂), and what single precision adds to both.
  const auto rounded = W.rightCols(K_ - (bits ? M_ : 0));  // weights of rounded features
  const double pairs = static_cast<double>(N) * static_cast<double>(R_ + B_);
  const double deviations = std::sqrt(2.0 * std::log(4.0 * pairs / kChance) / 12.0);
  const auto slope = [&](Index c) { return 1.0001 * deviations * static_cast<double>(scale_[static_cast<std::size_t>(c)]); };
  const auto rounding = [&](Index c) {  // κ may stretch k̃ to twice its size
    const auto at = static_cast<std::size_t>(c);
    return 2 * single * W.row(c).cwiseAbs().sum() + 1e-6 * std::abs(static_cast<double>(base_[at])) +
           4.0 * static_cast<double>(scale_[at]);
  };
  for (Index c = R_ + kLimbs; c < columns_; ++c) {
    const double features = deviations * rounded.row(c).norm() / top_;
    slope_.push_back(static_cast<float>(slope(c)));
    constant_.push_back(static_cast<float>(1.0001 * (features + rounding(c)) + mean_error_));
  }
  if (R_ == 0) return;
  // Of the probes' root mean square, which is a norm of the features' errors: near its mean, as a Lipschitz function of them is.
  for (Index c = 0; c < R_; ++c) {
    probe_slope_ = std::max(probe_slope_, slope(c));
    probe_constant_ = std::max(probe_constant_, rounding(c));
  }
  const Matrix P = rounded.topRows(R_) / std::sqrt(static_cast<double>(R_));
  const double apart = std::sqrt(2.0 * std::log(static_cast<double>(N) / kChance) / (2.0 * std::numbers::pi));
  probe_constant_ += 1.0001 * (P.norm() / std::sqrt(12.0) + apart * largest_singular_value(P)) / top_;
}

void ByteScreen::set_weights(const Matrix& G, Key key) {
  std::vector<double> dither(static_cast<std::size_t>(K_));
  key.fill_uniform(dither);
  // The dither as a whole number of units, so that its limbs are exact.
  std::vector<std::int32_t> shared(static_cast<std::size_t>(K_));  // ½ − d
  for (std::size_t j = 0; j < shared.size(); ++j) {
    shared[j] = static_cast<std::int32_t>(std::lround((0.5 - dither[j]) / kLimbUnit));
    dither[j] = 0.5 - shared[j] * kLimbUnit;
  }
  weights_.assign(static_cast<std::size_t>(K_ * columns_), 0);
  for (Index c = 0; c < columns_; ++c) {
    const float scale = static_cast<float>(std::max(G.row(c).cwiseAbs().maxCoeff() / 126.0, 1e-30));
    scale_.push_back(scale);
    for (Index j = 0; j < K_; ++j)
      weights_[static_cast<std::size_t>(j * columns_ + c)] =
          static_cast<std::int8_t>(std::floor(G(c, j) / static_cast<double>(scale) + dither[static_cast<std::size_t>(j)]));
  }
  for (Index j = 0; j < K_; ++j) {
    std::int32_t rest = shared[static_cast<std::size_t>(j)];
    for (int limb = 0; limb < kLimbs; ++limb) {
      const auto low = static_cast<std::int8_t>(rest & 0xff);
      weights_[static_cast<std::size_t>(j * columns_ + R_ + limb)] = low;
      rest = (rest - low) / 256;
    }
  }
  centre_products_.resize(static_cast<std::size_t>(columns_));
  for (Index c = 0; c < columns_; ++c)
    for (Index j = 0; j < K_; ++j)
      centre_products_[static_cast<std::size_t>(c)] +=
          static_cast<std::int32_t>(centre_[static_cast<std::size_t>(j)]) * weights_[static_cast<std::size_t>(j * columns_ + c)];
}

float ByteScreen::levels(std::int64_t row, std::uint8_t* out) const {
  const RowKernel& kernel = *samples_.kernel;
  const auto top = static_cast<float>(top_);
  static thread_local std::vector<float> values;
  values.resize(static_cast<std::size_t>(std::max(M_, m_)));
  if (!kernel.rows.are_bits()) {
    feature_row(*samples_.prior, kernel.rows, row, values.data());
    levels_of(values.data(), 1.0F, 0.5F, top, dither_.data(), static_cast<int>(M_), out);
  } else {
    static thread_local std::vector<std::uint64_t> features;
    const std::uint64_t* bits = samples_.bits(row);
    if (!bits) {
      features.resize(static_cast<std::size_t>(samples_.prior->words));
      feature_bits(*samples_.prior, kernel.rows, row, row + 1, features.data());
      bits = features.data();
    }
    expand_bits(bits, samples_.prior->words, bit_, out);
  }
  kernel_row(kernel, row, *samples_.inducing, values.data());
  levels_of(values.data(), -low_, 1.0F / (1.0F - low_), top, dither_.data() + M_, static_cast<int>(m_), out + M_);
  std::fill(out + M_ + m_, out + K_, std::uint8_t{0});
  return mean_offset_ + static_cast<float>(blocked_dot(values.data(), mean_weights_.data(), static_cast<int>(m_)));
}

ByteScreen::Row ByteScreen::row_of(float mean, const std::uint8_t* Q, const std::int32_t* limbs) const {
  double shared = 0;
  for (int limb = kLimbs; limb-- > 0;)
    shared = 256.0 * shared + (limbs[limb] - centre_products_[static_cast<std::size_t>(R_ + limb)]);
  return {mean, static_cast<float>(shared * kLimbUnit),
          std::sqrt(static_cast<float>(squared_distance(Q, centre_.data(), static_cast<int>(K_))))};
}

// How far any sample at this row lies from the mean as it is known, at most.
double ByteScreen::reach(const Row& row, const std::int32_t* products) const {
  if (R_ == 0) return mean_error_;
  float probes[kNumProbes];
  scale_products(products, centre_products_.data(), scale_.data(), base_.data(), row.shared, 0.0F, kNumProbes, probes);
  const double spread = std::sqrt(static_cast<double>(sum_of_squares(probes, kNumProbes)) / kNumProbes);
  return mean_error_ + 1.0001 * stray_ * (spread + probe_slope_ * static_cast<double>(row.factor) + probe_constant_);
}

int ByteScreen::score(std::span<std::int64_t> rows, double bar, float* scores, float* factors) const {
  static thread_local std::vector<std::uint8_t> Q;
  static thread_local std::vector<std::int32_t> C;
  static thread_local std::vector<float> means;
  static thread_local std::vector<Row> known;
  const auto n = std::ssize(rows);
  if (n == 0) return 0;
  Q.resize(static_cast<std::size_t>(n * K_));
  C.resize(static_cast<std::size_t>(n * columns_));
  means.resize(rows.size());
  known.resize(rows.size());
  for (Index i = 0; i < n; ++i) means[static_cast<std::size_t>(i)] = levels(rows[static_cast<std::size_t>(i)], Q.data() + i * K_);

  const bool looks = knows_spread_ && bar > -std::numeric_limits<double>::infinity();
  Index kept = n, stride = kLimbs + B_;  // of the products, the samples' after the limbs' or on their own
  if (looks) {
    const Index first = R_ + kLimbs;
    multiply(Q.data(), weights_.data(), columns_, n, first, K_, C.data());
    kept = 0;
    for (Index i = 0; i < n; ++i) {
      const std::int32_t* products = C.data() + i * first;
      const Row row = row_of(means[static_cast<std::size_t>(i)], Q.data() + i * K_, products + R_);
      if (static_cast<double>(row.mean) + reach(row, products) < bar) continue;
      if (kept < i) std::copy_n(Q.data() + i * K_, K_, Q.data() + kept * K_);
      rows[static_cast<std::size_t>(kept)] = rows[static_cast<std::size_t>(i)];
      known[static_cast<std::size_t>(kept++)] = row;
    }
    if (kept == 0) return 0;
    stride = B_;
    multiply(Q.data(), weights_.data() + first, columns_, kept, B_, K_, C.data());
  } else {
    multiply(Q.data(), weights_.data() + R_, columns_, n, stride, K_, C.data());
  }
  const auto first_sample = static_cast<std::size_t>(R_ + kLimbs);
  for (Index i = 0; i < kept; ++i) {
    const std::int32_t* products = C.data() + i * stride;
    Row& row = known[static_cast<std::size_t>(i)];
    if (!looks) {
      row = row_of(means[static_cast<std::size_t>(i)], Q.data() + i * K_, products);
      products += kLimbs;
    }
    scale_products(products, centre_products_.data() + first_sample, scale_.data() + first_sample, base_.data() + first_sample,
                   row.shared, row.mean, static_cast<int>(B_), scores + i * B_);
    factors[i] = row.factor;
  }
  return static_cast<int>(kept);
}

void ByteScreen::ranges(std::span<const std::int64_t> rows, double* lowest, double* highest) const {
  if (!knows_spread_) return Screen::ranges(rows, lowest, highest);
  static thread_local std::vector<std::uint8_t> Q;
  static thread_local std::vector<std::int32_t> C;
  static thread_local std::vector<float> means;
  const auto n = std::ssize(rows);
  const Index first = R_ + kLimbs;
  Q.resize(static_cast<std::size_t>(n * K_));
  C.resize(static_cast<std::size_t>(n * first));
  means.resize(rows.size());
  for (Index i = 0; i < n; ++i) means[static_cast<std::size_t>(i)] = levels(rows[static_cast<std::size_t>(i)], Q.data() + i * K_);
  multiply(Q.data(), weights_.data(), columns_, n, first, K_, C.data());
  for (Index i = 0; i < n; ++i) {
    const std::int32_t* products = C.data() + i * first;
    const Row row = row_of(means[static_cast<std::size_t>(i)], Q.data() + i * K_, products + R_);
    const double mean = static_cast<double>(row.mean), off = reach(row, products);
    lowest[i] = mean - off;
    highest[i] = mean + off;
  }
}

}  // namespace

std::unique_ptr<Screen> byte_screen(const Samples& samples, const Samples* probes, Key key) {
  return std::make_unique<ByteScreen>(samples, probes, key);
}

}  // namespace salvo::compute

// Scores in 8 bits with a bound on their error (docs/math.md §12).
//
// Features and weights are rounded with a dither that is known and taken off again: q = ⌊x + u⌋ stands for x as q − u + ½,
// and over the draw of u its error is uniform on [−½, ½], whatever x is, and independent from one feature to the next. A
// weighted sum of such errors is sub-Gaussian with the variance it has, Σ a²/12, so that all N·B sums at once are within
// √(2 log(2NB/δ)) standard deviations but for a chance of δ. The dithers are shared by all rows and all paths, so they
// cost one vector each.
#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "pool/counts.h"
#include "pool/loops.h"
#include "pool/screen.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kChance = 1e-12;  // δ, of one pass over the pool
constexpr int kLimbs = 3;          // columns that hold a shared vector of fixed-point numbers
constexpr double kLimbUnit = 0x1p-23;
constexpr int kSampled = 256;  // rows whose mean is the centre of the features

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

void multiply(const std::uint8_t* A, const std::int8_t* B, Index rows, Index columns, Index inner, std::int32_t* C) {
  static thread_local const bool once = one_thread();
  static_cast<void>(once);
  const std::int32_t zero = 0;
  const dnnl_status_t status =
      dnnl_gemm_u8s8s32('N', 'N', 'F', rows, columns, inner, 1.0F, A, inner, 0, B, columns, 0, 0.0F, C, columns, &zero);
  if (status != dnnl_success) throw std::runtime_error("oneDNN: the 8-bit matrix product failed");
}

class ByteScreen : public Screen {
 public:
  ByteScreen(const PoolPaths& paths, Key key);
  void score(std::int64_t begin, std::int64_t end, float* scores, float* factors) const override;

 private:
  void levels(std::int64_t row, std::uint8_t* out) const;  // [K]
  void set_weights(const Matrix& G, Key key);

  const PoolPaths& paths_;
  Index M_, m_, K_, B_;
  int top_;                           // largest level
  std::uint8_t bit_ = 1;              // level of a feature that is a bit
  std::vector<float> dither_;         // [K] of the features, 0 for bits
  std::vector<std::uint8_t> centre_;  // [K]
  std::vector<std::int8_t> weights_;  // [K, B + kLimbs]
  std::vector<std::int32_t> centre_products_;
  std::vector<float> scale_, base_;
};

ByteScreen::ByteScreen(const PoolPaths& paths, Key key)
    : paths_(paths), m_(paths.v.cols()), B_(paths.size()), top_(largest_level()) {
  const RowKernel& kernel = paths.gp->kernel();
  const bool bits = kernel.pool.kind() == PoolKind::bits;
  M_ = bits ? 64 * Index{paths.prior->words} : paths.w.cols();
  K_ = (M_ + m_ + 63) / 64 * 64;

  // As shares κ in [0, 1]: f̃ = offset + Σ W κ.
  const double low = kernel.type == PoolKernelType::arccosine ? 0.5 : 0.0;  // the smallest that k̃ can be
  Matrix W = Matrix::Zero(B_, K_);
  W.leftCols(paths.w.cols()) = 2.0 * paths.w;  // φ = 2κ − 1
  W.middleCols(M_, m_) = (1.0 - low) * paths.v;
  Vector offset = paths.offset - paths.w.rowwise().sum() + low * paths.v.rowwise().sum();

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
    dither_[at] = std::min(static_cast<float>(draws[at]), 0x1.fffffep-1F);
    offset += W.col(j) * ((0.5 - static_cast<double>(dither_[at])) / top_);
  }
  Matrix G = W.array().rowwise() / unit.transpose().array();

  // Any centre will do for the bound; the mean of some rows makes it small.
  const std::int64_t N = kernel.pool.size();
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(K_));
  std::vector<std::uint8_t> row(static_cast<std::size_t>(K_));
  for (std::uint64_t i = 0; i < kSampled; ++i) {
    levels(static_cast<std::int64_t>(key.fold("centre").below(static_cast<std::uint64_t>(N), i)), row.data());
    for (std::size_t j = 0; j < row.size(); ++j) sums[j] += row[j];
  }
  for (const std::uint32_t sum : sums) centre_.push_back(static_cast<std::uint8_t>((sum + kSampled / 2) / kSampled));
  base_.resize(static_cast<std::size_t>(B_));
  for (Index b = 0; b < B_; ++b) {
    double at_centre = offset(b);
    for (Index j = 0; j < K_; ++j) at_centre += G(b, j) * centre_[static_cast<std::size_t>(j)];
    base_[static_cast<std::size_t>(b)] = static_cast<float>(at_centre);
  }
  set_weights(G, key.fold("weights"));

  // The errors: of the weights Σ (G − Ĝ)(Q − Q̄), of the features Σ W (κ − κ̂), and what single precision adds to both.
  const double pairs = static_cast<double>(N) * static_cast<double>(B_);
  const double deviations = std::sqrt(2.0 * std::log(4.0 * pairs / kChance) / 12.0);
  const double single = 2 * single_error(kernel);  // κ may stretch k̃ to twice its size
  for (Index b = 0; b < B_; ++b) {
    const auto at = static_cast<std::size_t>(b);
    slope_.push_back(static_cast<float>(1.0001 * deviations * static_cast<double>(scale_[at])));
    const double features = deviations * W.row(b).tail(K_ - (bits ? M_ : 0)).norm() / top_;
    const double rounding = single * W.row(b).cwiseAbs().sum() + 1e-6 * std::abs(static_cast<double>(base_[at])) +
                            4.0 * static_cast<double>(scale_[at]);
    constant_.push_back(static_cast<float>(1.0001 * (features + rounding)));
  }
}

void ByteScreen::set_weights(const Matrix& G, Key key) {
  const Index columns = B_ + kLimbs;
  std::vector<double> dither(static_cast<std::size_t>(K_));
  key.fill_uniform(dither);
  // The dither as a whole number of units, so that its limbs are exact.
  std::vector<std::int32_t> shared(static_cast<std::size_t>(K_));  // ½ − d
  for (std::size_t j = 0; j < shared.size(); ++j) {
    shared[j] = static_cast<std::int32_t>(std::lround((0.5 - dither[j]) / kLimbUnit));
    dither[j] = 0.5 - shared[j] * kLimbUnit;
  }
  weights_.assign(static_cast<std::size_t>(K_ * columns), 0);
  for (Index b = 0; b < B_; ++b) {
    const double scale = std::max(G.row(b).cwiseAbs().maxCoeff() / 126.0, 1e-30);
    const float rounded = static_cast<float>(scale);
    scale_.push_back(rounded);
    for (Index j = 0; j < K_; ++j)
      weights_[static_cast<std::size_t>(j * columns + b)] =
          static_cast<std::int8_t>(std::floor(G(b, j) / static_cast<double>(rounded) + dither[static_cast<std::size_t>(j)]));
  }
  for (Index j = 0; j < K_; ++j) {
    std::int32_t rest = shared[static_cast<std::size_t>(j)];
    for (int limb = 0; limb < kLimbs; ++limb) {
      const auto low = static_cast<std::int8_t>(rest & 0xff);
      weights_[static_cast<std::size_t>(j * columns + B_ + limb)] = low;
      rest = (rest - low) / 256;
    }
  }
  centre_products_.resize(static_cast<std::size_t>(columns));
  for (Index c = 0; c < columns; ++c)
    for (Index j = 0; j < K_; ++j)
      centre_products_[static_cast<std::size_t>(c)] +=
          static_cast<std::int32_t>(centre_[static_cast<std::size_t>(j)]) * weights_[static_cast<std::size_t>(j * columns + c)];
}

void ByteScreen::levels(std::int64_t row, std::uint8_t* out) const {
  const RowKernel& kernel = paths_.gp->kernel();
  const PreparedRows& Z = paths_.gp->prepared();
  const Pool& pool = kernel.pool;
  const float top = static_cast<float>(top_);
  std::fill(out + M_ + m_, out + K_, std::uint8_t{0});
  std::uint8_t* k = out + M_;
  const float* dither = dither_.data() + M_;
  if (pool.kind() == PoolKind::numbers) {
    static thread_local std::vector<float> values;
    values.resize(static_cast<std::size_t>(std::max(M_, m_)));
    feature_row(*paths_.prior, pool, row, values.data());
    plain_levels(values.data(), 1.0F, 0.5F, top, dither_.data(), static_cast<int>(M_), out);
    kernel_row(kernel, row, Z, values.data());
    plain_levels(values.data(), 0.0F, 1.0F, top, dither, Z.size, k);
    return;
  }
  const int words = pool.words_per_row();
  static thread_local std::vector<std::uint64_t> features;
  const std::uint64_t* bits = paths_.bits(row);
  if (!bits) {
    features.resize(static_cast<std::size_t>(paths_.prior->words));
    feature_bits(*paths_.prior, pool, row, row + 1, features.data());
    bits = features.data();
  }
  expand_bits(bits, paths_.prior->words, bit_, out);
  static thread_local std::vector<std::uint32_t> counts;
  counts.resize(static_cast<std::size_t>(Z.size));
  const std::uint64_t* x = pool.bits(row);
  intersections(x, Z.words.data(), words, Z.size, counts.data());
  const float ones = static_cast<float>(count_ones(x, words)), b2 = static_cast<float>(kernel.bias * kernel.bias);
  const bool empty = ones == 0 && (kernel.type == PoolKernelType::tanimoto || b2 == 0);
  if (empty) {
    for (int j = 0; j < Z.size; ++j)
      k[j] = static_cast<std::uint8_t>((Z.ones[static_cast<std::size_t>(j)] == 0 ? top : 0.0F) + dither[j]);
  } else if (kernel.type == PoolKernelType::tanimoto) {
    tanimoto_levels(counts.data(), ones, Z.ones_f.data(), kernel.power, top, dither, Z.size, k);
  } else {
    arccosine_levels(counts.data(), 1.0F / std::sqrt(ones + b2), Z.inverse_norms.data(), b2, Z.gap, top, dither, Z.size, k);
  }
}

void ByteScreen::score(std::int64_t begin, std::int64_t end, float* scores, float* factors) const {
  const auto rows = static_cast<Index>(end - begin), columns = B_ + kLimbs;
  static thread_local std::vector<std::uint8_t> Q;
  static thread_local std::vector<std::int32_t> C;
  Q.resize(static_cast<std::size_t>(rows * K_));
  C.resize(static_cast<std::size_t>(rows * columns));
  for (Index i = 0; i < rows; ++i) levels(begin + i, Q.data() + i * K_);
  multiply(Q.data(), weights_.data(), rows, columns, K_, C.data());
  for (Index i = 0; i < rows; ++i) {
    const std::int32_t* products = C.data() + i * columns;
    double shared = 0;
    for (int limb = kLimbs; limb-- > 0;)
      shared = 256.0 * shared + (products[B_ + limb] - centre_products_[static_cast<std::size_t>(B_ + limb)]);
    scale_products(products, centre_products_.data(), scale_.data(), base_.data(), static_cast<float>(shared * kLimbUnit),
                   static_cast<int>(B_), scores + i * B_);
    factors[i] = std::sqrt(static_cast<float>(squared_distance(Q.data() + i * K_, centre_.data(), static_cast<int>(K_))));
  }
}

}  // namespace

std::unique_ptr<Screen> byte_screen(const PoolPaths& paths, Key key) { return std::make_unique<ByteScreen>(paths, key); }

}  // namespace salvo

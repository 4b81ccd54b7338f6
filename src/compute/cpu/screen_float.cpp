#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "compute/cpu/pool_loops.h"
#include "compute/cpu/screen.h"

namespace salvo::compute {
namespace {

constexpr double kRounding = 0x1p-24;

class FloatScreen : public Screen {
 public:
  explicit FloatScreen(const FloatSamples& samples) : samples_(samples) {
    // A sum of K products in any order is wrong by at most K u/(1 − K u) of the sum of their sizes.
    const double K = static_cast<double>(samples.W.cols()) + 2, share = K * kRounding / (1 - K * kRounding);
    for (std::size_t b = 0; b < samples.errors.size(); ++b) {
      slope_.push_back(0.0F);
      constant_.push_back(static_cast<float>(1.001 * (samples.errors[b] + share * samples.sizes[b])));
    }
  }

  int score(std::span<std::int64_t> rows, double /*bar*/, float* scores, float* factors) const override {
    const auto n = static_cast<int>(rows.size()), B = static_cast<int>(samples_.W.rows()),
               K = static_cast<int>(samples_.W.cols());
    const Vector& offset = samples_.samples.offset;
    MatrixF F(n, K);
    for (int i = 0; i < n; ++i) {
      samples_.features(rows[static_cast<std::size_t>(i)], F.row(i).data());
      std::transform(offset.begin(), offset.end(), scores + static_cast<std::ptrdiff_t>(i) * B,
                     [](double value) { return static_cast<float>(value); });
    }
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, B, K, 1.0F, F.data(), K, samples_.W.data(), K, 1.0F, scores, B);
    std::fill(factors, factors + n, 0.0F);
    return n;
  }

 private:
  const FloatSamples& samples_;
};

}  // namespace

FloatSamples::FloatSamples(const Samples& given) : samples(given), W(given.size(), given.width()) {
  W.leftCols(given.w.cols()) = given.w.cast<float>();
  W.rightCols(given.v.cols()) = given.v.cast<float>();
  // Each weight is rounded once and each feature is wrong by no more than this; blocked_dot adds 2⁻¹⁸.
  const double share = kRounding + std::max(single_error(*given.kernel), 4e-6) + 0x1p-18;
  for (Eigen::Index b = 0; b < W.rows(); ++b) {
    const double size = given.w.row(b).cwiseAbs().sum() + given.v.row(b).cwiseAbs().sum();
    sizes.push_back(size + std::abs(given.offset(b)));
    errors.push_back(1.001 * share * size + 1e-6 * (1 + std::abs(given.offset(b))));
  }
}

void FloatSamples::features(std::int64_t row, float* out) const {
  feature_row(*samples.prior, samples.kernel->rows, row, out, samples.bits(row));
  kernel_row(*samples.kernel, row, *samples.inducing, out + samples.w.cols());
}

double FloatSamples::value(int sample, const float* features) const {
  return samples.offset(sample) + blocked_dot(W.row(sample).data(), features, static_cast<int>(W.cols()));
}

std::unique_ptr<Screen> float_screen(const FloatSamples& samples) { return std::make_unique<FloatScreen>(samples); }

}  // namespace salvo::compute

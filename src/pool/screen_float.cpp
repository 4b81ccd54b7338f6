#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "pool/loops.h"
#include "pool/screen.h"

namespace salvo {
namespace {

constexpr double kRounding = 0x1p-24;

class FloatScreen : public Screen {
 public:
  explicit FloatScreen(const FloatPaths& paths) : paths_(paths) {
    // A sum of K products in any order is wrong by at most K u/(1 − K u) of the sum of their sizes.
    const double K = static_cast<double>(paths.W.cols()) + 2, share = K * kRounding / (1 - K * kRounding);
    for (std::size_t b = 0; b < paths.errors.size(); ++b) {
      slope_.push_back(0.0F);
      constant_.push_back(paths.errors[b] + static_cast<float>(1.001 * share) * paths.sizes[b]);
    }
  }

  void score(std::int64_t begin, std::int64_t end, float* scores, float* factors) const override {
    const auto rows = static_cast<int>(end - begin), B = static_cast<int>(paths_.W.rows()), K = static_cast<int>(paths_.W.cols());
    MatrixF F(rows, K);
    for (int i = 0; i < rows; ++i) {
      paths_.features(begin + i, F.row(i).data());
      std::transform(paths_.offset.begin(), paths_.offset.end(), scores + static_cast<std::ptrdiff_t>(i) * B,
                     [](double value) { return static_cast<float>(value); });
    }
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, B, K, 1.0F, F.data(), K, paths_.W.data(), K, 1.0F, scores, B);
    std::fill(factors, factors + rows, 0.0F);
  }

 private:
  const FloatPaths& paths_;
};

}  // namespace

FloatPaths::FloatPaths(const PoolPaths& given)
    : paths(given), W(given.size(), given.width()), offset(given.offset.begin(), given.offset.end()) {
  const Eigen::Index M = given.w.cols();
  W.leftCols(M) = given.w.cast<float>();
  W.rightCols(given.v.cols()) = given.v.cast<float>();
  // Each weight is rounded once and each feature is wrong by no more than this; blocked_dot adds 2⁻¹⁸.
  const double share = kRounding + std::max(single_error(given.gp->kernel()), 4e-6) + 0x1p-18;
  for (Eigen::Index b = 0; b < W.rows(); ++b) {
    const double size = given.w.row(b).cwiseAbs().sum() + given.v.row(b).cwiseAbs().sum();
    sizes.push_back(static_cast<float>(1.001 * (size + std::abs(given.offset(b)))));
    errors.push_back(static_cast<float>(1.001 * share * size + 1e-6 * (1 + std::abs(given.offset(b)))));
  }
}

void FloatPaths::features(std::int64_t row, float* out) const {
  feature_row(*paths.prior, paths.gp->kernel().pool, row, out, paths.bits(row));
  kernel_row(paths.gp->kernel(), row, paths.gp->prepared(), out + paths.w.cols());
}

double FloatPaths::value(int path, const float* features) const {
  return offset[static_cast<std::size_t>(path)] + blocked_dot(W.row(path).data(), features, static_cast<int>(W.cols()));
}

std::unique_ptr<Screen> float_screen(const FloatPaths& paths) { return std::make_unique<FloatScreen>(paths); }

}  // namespace salvo

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "compute/rows.h"
#include "pool/screen.h"

namespace salvo {
namespace {

class FloatScreen : public Screen {
 public:
  explicit FloatScreen(const PoolPaths& paths) : paths_(paths), W_(paths.size(), paths.width()) {
    const Eigen::Index M = paths.w.cols(), B = paths.size();
    W_.leftCols(M) = paths.w.cast<float>();
    W_.rightCols(paths.v.cols()) = paths.v.cast<float>();
    offset_ = paths.offset.cast<float>();
    // Every factor is rounded once, every feature is at most 1 in size and wrong by at most kFeatureError, and a sum of
    // K products in any order is wrong by at most K u/(1 − K u) of the sum of their sizes.
    constexpr double u = 0x1p-24, kFeatureError = 4e-6;
    const double K = static_cast<double>(paths.width()) + 2;
    const double share = K * u / (1 - K * u) + u + kFeatureError;
    slope_.assign(static_cast<std::size_t>(B), 0.0F);
    for (Eigen::Index b = 0; b < B; ++b) {
      const double sizes = paths.w.row(b).cwiseAbs().sum() + paths.v.row(b).cwiseAbs().sum() + std::abs(paths.offset(b));
      constant_.push_back(static_cast<float>(1.0001 * share * sizes));
    }
  }

  void score(std::int64_t begin, std::int64_t end, float* scores, float* factors) const override {
    const auto rows = static_cast<Eigen::Index>(end - begin);
    const Eigen::Index M = paths_.w.cols(), width = paths_.width(), B = paths_.size();
    MatrixF F(rows, width);
    std::vector<double> features(static_cast<std::size_t>(width));
    for (Eigen::Index i = 0; i < rows; ++i) {
      path_features(paths_, begin + i, features.data());
      for (Eigen::Index j = 0; j < width; ++j) F(i, j) = static_cast<float>(features[static_cast<std::size_t>(j)]);
    }
    static_cast<void>(M);
    for (Eigen::Index i = 0; i < rows; ++i) std::copy(offset_.begin(), offset_.end(), scores + i * B);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(rows), static_cast<int>(B), static_cast<int>(width),
                1.0F, F.data(), static_cast<int>(width), W_.data(), static_cast<int>(width), 1.0F, scores, static_cast<int>(B));
    std::fill(factors, factors + rows, 0.0F);
  }

 private:
  const PoolPaths& paths_;
  MatrixF W_;  // [B, M+m]
  Eigen::VectorXf offset_;
};

}  // namespace

std::unique_ptr<Screen> float_screen(const PoolPaths& paths) { return std::make_unique<FloatScreen>(paths); }

}  // namespace salvo

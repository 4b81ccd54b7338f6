#pragma once
#include <salvo/matrix.h>

#include <algorithm>
#include <cmath>

namespace salvo {

// Values whose noise differs (docs/math.md §3): that of value i has the variance τ rᵢ. With the rows of Kxz and of y divided by
// √rᵢ every formula for equal noise holds, but for n where it counts rows: of those it is Σ 1/rᵢ. No r at all: 1 for all.
class RowScales {
 public:
  explicit RowScales(const Vector& r) : log_(r.size() == 0 ? 0 : r.array().log().sum()) {
    if (r.size() > 0) scale_ = r.cwiseSqrt().cwiseInverse();
  }
  [[nodiscard]] const Vector& scale() const { return scale_; }  // 1/√r [n], or empty
  [[nodiscard]] Vector of(const Vector& y) const { return scale_.size() == 0 ? y : y.cwiseProduct(scale_); }
  [[nodiscard]] double sum(const Vector& y) const { return scale_.size() == 0 ? y.sum() : y.dot(scale_); }
  [[nodiscard]] double weight(Eigen::Index n) const { return scale_.size() == 0 ? static_cast<double>(n) : scale_.squaredNorm(); }
  [[nodiscard]] double log_ratios() const { return log_; }  // Σ log rᵢ

 private:
  Vector scale_;
  double log_;
};

// Standard errors of few repeats are wrong by as much, as a factor of their variance, and what a model smooths is noise to it:
// so far τ may be from what was told of it.
inline constexpr double kBelieved = 9;
struct NoiseBounds {
  double least, most;
};
[[nodiscard]] inline NoiseBounds believed(double noise, NoiseBounds otherwise) {
  constexpr double kMostNoise = 1e3;  // in a model's units
  const double least = std::clamp(noise / kBelieved, otherwise.least, kMostNoise);
  return {least, std::clamp(noise * kBelieved, least, std::max(otherwise.most, kMostNoise))};
}

}  // namespace salvo

#pragma once
#include <salvo/kernel.h>

#include <vector>

namespace salvo {

// Points divided by the length-scales, coordinate by coordinate (each coordinate contiguous), so that loops over
// points vectorise whatever d is.
template <class T>
struct ScaledPoints {
  ScaledPoints() = default;
  ScaledPoints(const Matrix& Z, const Vector& lengthscales);
  int size = 0, dims = 0;
  std::vector<T> data;  // [d][size]
  [[nodiscard]] const T* dim(int d) const { return data.data() + static_cast<std::ptrdiff_t>(d) * size; }
};

extern template struct ScaledPoints<double>;
extern template struct ScaledPoints<float>;

// The innermost loops. x is one point divided by the length-scales; differences are taken directly, so that equal
// points have distance exactly 0. Compiled for several instruction sets and chosen at run time.

// k[j] = k(x, z_j) and, where g is given, g[j] with ∂k/∂log ℓ_d = g (x_d − z_d)²/ℓ_d² and ∂k/∂x_d = −g (x_d − z_d)/ℓ_d².
// An additive kernel has a g for each input: g[d·Z.size + j]. num_slopes() says for how many numbers g must have room.
[[nodiscard]] inline std::size_t num_slopes(KernelType type, const ScaledPoints<double>& Z) {
  return static_cast<std::size_t>(Z.size) * static_cast<std::size_t>(is_additive(type) ? Z.dims : 1);
}
void kernel_row(KernelType type, double variance, const double* x, const ScaledPoints<double>& Z, double* k, double* g);
void kernel_row(KernelType type, double variance, const float* x, const ScaledPoints<float>& Z, float* k);

// The nearest z_j: its index and squared distance, in scaled units. `scratch` holds Z.size numbers.
struct Nearest {
  int index = 0;
  double squared_distance = 0;
};
Nearest nearest(const double* x, const ScaledPoints<double>& Z, double* scratch);

// out[d] += Σ_j h[j] g[j] (x_d − z_jd)², in scaled units.
void squared_differences(KernelType type, const double* x, const ScaledPoints<double>& Z, const double* h, const double* g,
                         double* out);

// Σ_j v[j] k[j], and grad[d] = −Σ_j v[j] g[j] (x_d − z_jd), in scaled units.
double kernel_sum(KernelType type, const double* x, const ScaledPoints<double>& Z, const double* v, const double* k,
                  const double* g, double* grad);

// k[j] += what input d adds to an additive kernel, of variance `variance` in all, where x_d is at: its share of k(x, z_j).
// `scratch` holds Z.size numbers.
void add_input(KernelType type, double variance, double at, const ScaledPoints<double>& Z, int d, double* scratch, double* k);

// phase = b + Wᵀx with W [d][M]; then cos, and for gradients sin. One loop each: sin and cos in one become scalar.
void phases(const double* x, const ScaledPoints<double>& W, const double* b, double* phase);
void cosines(const double* phase, int size, double* out);
void sines(const double* phase, int size, double* out);
void cosine_row(const float* x, const ScaledPoints<float>& W, const float* b, float* out);
double weighted_sum(const double* w, const double* c, int size);
// grad[d] = −Σ_i w[i] s[i] W[d][i]
void frequency_sum(const ScaledPoints<double>& W, const double* w, const double* s, double* scratch, double* grad);

}  // namespace salvo

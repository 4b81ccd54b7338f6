// Built with -ffast-math (see CMakeLists.txt): without it exp and cos stay scalar. Nothing here looks for NaN.
#include "compute/rows.h"

#include <cmath>

#include "compute/clones.h"

#define SALVO_INLINE inline __attribute__((always_inline))

namespace salvo {
namespace {

template <class T>
SALVO_INLINE void squared_distances(const T* x, const T* Z, int dims, int size, T* r2) {
  for (int j = 0; j < size; ++j) {
    const T t = Z[j] - x[0];
    r2[j] = t * t;
  }
  for (int d = 1; d < dims; ++d) {
    const T* z = Z + static_cast<std::ptrdiff_t>(d) * size;
    const T xd = x[d];
    for (int j = 0; j < size; ++j) {
      const T t = z[j] - xd;
      r2[j] += t * t;
    }
  }
}

template <class T>
SALVO_INLINE void apply_kernel(KernelType type, T variance, int size, T* k, T* g) {  // k holds r² and becomes k
  const T sqrt3 = T(1.7320508075688772), sqrt5 = T(2.2360679774997897), third = T(1) / T(3), five_thirds = T(5) / T(3);
  switch (joint(type)) {
    case KernelType::se:
      for (int j = 0; j < size; ++j) k[j] = variance * std::exp(T(-0.5) * k[j]);
      if (g)
        for (int j = 0; j < size; ++j) g[j] = k[j];
      return;
    case KernelType::matern12:
      if (g) {
        for (int j = 0; j < size; ++j) {
          const T r = std::sqrt(k[j]);
          k[j] = variance * std::exp(-r);
          g[j] = k[j] / (r + T(1e-12));  // only ever multiplied by a difference that is 0 where r is
        }
        return;
      }
      for (int j = 0; j < size; ++j) k[j] = variance * std::exp(-std::sqrt(k[j]));
      return;
    case KernelType::matern32:
      if (g) {
        for (int j = 0; j < size; ++j) {
          const T s = sqrt3 * std::sqrt(k[j]), e = variance * std::exp(-s);
          g[j] = T(3) * e;
          k[j] = (T(1) + s) * e;
        }
        return;
      }
      for (int j = 0; j < size; ++j) {
        const T s = sqrt3 * std::sqrt(k[j]);
        k[j] = variance * (T(1) + s) * std::exp(-s);
      }
      return;
    default:  // Matérn 5/2
      if (g) {
        for (int j = 0; j < size; ++j) {
          const T s = sqrt5 * std::sqrt(k[j]), e = variance * std::exp(-s);
          g[j] = five_thirds * (T(1) + s) * e;
          k[j] = (T(1) + s + third * s * s) * e;
        }
        return;
      }
      for (int j = 0; j < size; ++j) {
        const T s = sqrt5 * std::sqrt(k[j]);
        k[j] = variance * (T(1) + s + third * s * s) * std::exp(-s);
      }
      return;
  }
}

// One input after another, some points at a time, which stay in the cache.
template <class T>
SALVO_INLINE void additive_row(KernelType type, T variance, const T* x, const T* Z, int dims, int size, T* k, T* g) {
  constexpr int kPart = 128;
  const T each = variance / T(dims);
  T part[kPart], slope[kPart];
  for (int begin = 0; begin < size; begin += kPart) {
    const int count = size - begin < kPart ? size - begin : kPart;
    for (int j = 0; j < count; ++j) k[begin + j] = T(0);
    for (int d = 0; d < dims; ++d) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(d) * size + begin;
      squared_distances(x + d, Z + at, 1, count, part);
      apply_kernel(type, each, count, part, g ? slope : nullptr);
      for (int j = 0; j < count; ++j) k[begin + j] += part[j];
      if (g)
        for (int j = 0; j < count; ++j) g[at + j] = slope[j];
    }
  }
}

SALVO_CLONES void add_input_impl(KernelType type, double each, double at, const double* z, int size, double* __restrict part,
                                 double* __restrict k) {
  squared_distances(&at, z, 1, size, part);
  apply_kernel<double>(type, each, size, part, nullptr);
  for (int j = 0; j < size; ++j) k[j] += part[j];
}

SALVO_CLONES void kernel_row_double(KernelType type, double variance, const double* x, const double* Z, int dims, int size,
                                    double* __restrict k, double* __restrict g) {
  if (is_additive(type)) return additive_row(type, variance, x, Z, dims, size, k, g);
  squared_distances(x, Z, dims, size, k);
  apply_kernel(type, variance, size, k, g);
}

SALVO_CLONES void kernel_row_float(KernelType type, float variance, const float* x, const float* Z, int dims, int size,
                                   float* __restrict k) {
  if (is_additive(type)) return additive_row<float>(type, variance, x, Z, dims, size, k, nullptr);
  squared_distances(x, Z, dims, size, k);
  apply_kernel<float>(type, variance, size, k, nullptr);
}

SALVO_CLONES void squared_differences_impl(const double* x, const double* Z, int dims, int size, const double* __restrict h,
                                           const double* __restrict g, int stride, double* out) {
  for (int d = 0; d < dims; ++d, g += stride) {
    const double* z = Z + static_cast<std::ptrdiff_t>(d) * size;
    const double xd = x[d];
    double sum = 0;
    for (int j = 0; j < size; ++j) {
      const double t = z[j] - xd;
      sum += h[j] * g[j] * t * t;
    }
    out[d] += sum;
  }
}

SALVO_CLONES double kernel_sum_impl(const double* x, const double* Z, int dims, int size, const double* v, const double* k,
                                    const double* g, int stride, double* grad) {
  double value = 0;
  for (int j = 0; j < size; ++j) value += v[j] * k[j];
  if (grad)
    for (int d = 0; d < dims; ++d, g += stride) {
      const double* z = Z + static_cast<std::ptrdiff_t>(d) * size;
      const double xd = x[d];
      double sum = 0;
      for (int j = 0; j < size; ++j) sum += v[j] * g[j] * (z[j] - xd);
      grad[d] = sum;
    }
  return value;
}

// The smallest of r2, block by block: a vectorised minimum first, then a look inside the best block.
SALVO_CLONES int index_of_smallest(const double* x, const double* Z, int dims, int size, double* __restrict r2) {
  constexpr int kBlock = 64;
  squared_distances(x, Z, dims, size, r2);
  int best_block = 0;
  double best = r2[0];
  for (int begin = 0; begin < size; begin += kBlock) {
    const int end = begin + kBlock < size ? begin + kBlock : size;
    double least = r2[begin];
    for (int j = begin; j < end; ++j) least = r2[j] < least ? r2[j] : least;
    if (least < best) {
      best = least;
      best_block = begin;
    }
  }
  int j = best_block;
  while (r2[j] > best) ++j;
  return j;
}

template <class T>
SALVO_INLINE void phases_inline(const T* x, const T* W, int dims, int size, const T* b, T* __restrict phase) {
  for (int i = 0; i < size; ++i) phase[i] = b[i] + W[i] * x[0];
  for (int d = 1; d < dims; ++d) {
    const T* w = W + static_cast<std::ptrdiff_t>(d) * size;
    const T xd = x[d];
    for (int i = 0; i < size; ++i) phase[i] += w[i] * xd;
  }
}

SALVO_CLONES void phases_double(const double* x, const double* W, int dims, int size, const double* b, double* phase) {
  phases_inline(x, W, dims, size, b, phase);
}

SALVO_CLONES void cosines_impl(const double* phase, int size, double* __restrict out) {
  for (int i = 0; i < size; ++i) out[i] = std::cos(phase[i]);
}

SALVO_CLONES void sines_impl(const double* phase, int size, double* __restrict out) {
  for (int i = 0; i < size; ++i) out[i] = std::sin(phase[i]);
}

SALVO_CLONES void cosine_row_impl(const float* x, const float* W, int dims, int size, const float* b, float* __restrict out) {
  phases_inline(x, W, dims, size, b, out);
  for (int i = 0; i < size; ++i) out[i] = std::cos(out[i]);
}

SALVO_CLONES double weighted_sum_impl(const double* w, const double* c, int size) {
  double sum = 0;
  for (int i = 0; i < size; ++i) sum += w[i] * c[i];
  return sum;
}

SALVO_CLONES void frequency_sum_impl(const double* W, int dims, int size, const double* w, const double* s,
                                     double* __restrict scratch, double* grad) {
  for (int i = 0; i < size; ++i) scratch[i] = w[i] * s[i];
  for (int d = 0; d < dims; ++d) {
    const double* wd = W + static_cast<std::ptrdiff_t>(d) * size;
    double sum = 0;
    for (int i = 0; i < size; ++i) sum += scratch[i] * wd[i];
    grad[d] = -sum;
  }
}

}  // namespace

void kernel_row(KernelType type, double variance, const double* x, const ScaledPoints<double>& Z, double* k, double* g) {
  kernel_row_double(type, variance, x, Z.data.data(), Z.dims, Z.size, k, g);
}
void kernel_row(KernelType type, double variance, const float* x, const ScaledPoints<float>& Z, float* k) {
  kernel_row_float(type, static_cast<float>(variance), x, Z.data.data(), Z.dims, Z.size, k);
}
Nearest nearest(const double* x, const ScaledPoints<double>& Z, double* scratch) {
  const int j = index_of_smallest(x, Z.data.data(), Z.dims, Z.size, scratch);
  return {j, scratch[j]};
}
void squared_differences(KernelType type, const double* x, const ScaledPoints<double>& Z, const double* h, const double* g,
                         double* out) {
  squared_differences_impl(x, Z.data.data(), Z.dims, Z.size, h, g, is_additive(type) ? Z.size : 0, out);
}
double kernel_sum(KernelType type, const double* x, const ScaledPoints<double>& Z, const double* v, const double* k,
                  const double* g, double* grad) {
  return kernel_sum_impl(x, Z.data.data(), Z.dims, Z.size, v, k, g, is_additive(type) ? Z.size : 0, grad);
}
void add_input(KernelType type, double variance, double at, const ScaledPoints<double>& Z, int d, double* scratch, double* k) {
  add_input_impl(type, variance / Z.dims, at, Z.dim(d), Z.size, scratch, k);
}
void phases(const double* x, const ScaledPoints<double>& W, const double* b, double* phase) {
  phases_double(x, W.data.data(), W.dims, W.size, b, phase);
}
void cosines(const double* phase, int size, double* out) { cosines_impl(phase, size, out); }
void sines(const double* phase, int size, double* out) { sines_impl(phase, size, out); }
void cosine_row(const float* x, const ScaledPoints<float>& W, const float* b, float* out) {
  cosine_row_impl(x, W.data.data(), W.dims, W.size, b, out);
}
double weighted_sum(const double* w, const double* c, int size) { return weighted_sum_impl(w, c, size); }
void frequency_sum(const ScaledPoints<double>& W, const double* w, const double* s, double* scratch, double* grad) {
  frequency_sum_impl(W.data.data(), W.dims, W.size, w, s, scratch, grad);
}

}  // namespace salvo

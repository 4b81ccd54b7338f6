#include "pool/paths.h"

#include <algorithm>
#include <cmath>

#include "compute/clones.h"
#include "math/linalg.h"
#include "math/parallel.h"

namespace salvo {
namespace {

// Vectors the compiler keeps in registers: 32 sums side by side, in an order that is the same wherever it is called from.
using Doubles = double __attribute__((vector_size(64), aligned(8), may_alias));

SALVO_CLONES double dot(const double* a, const double* b, std::ptrdiff_t size) {
  Doubles s0{}, s1{}, s2{}, s3{};
  std::ptrdiff_t i = 0;
  for (; i + 32 <= size; i += 32) {
    const auto* x = reinterpret_cast<const Doubles*>(a + i);
    const auto* y = reinterpret_cast<const Doubles*>(b + i);
    s0 += x[0] * y[0];
    s1 += x[1] * y[1];
    s2 += x[2] * y[2];
    s3 += x[3] * y[3];
  }
  const Doubles sums = (s0 + s1) + (s2 + s3);
  double rest = 0;
  for (; i < size; ++i) rest += a[i] * b[i];
  return (((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))) + rest;
}

}  // namespace

PoolPaths draw_pool_paths(const PoolGp& gp, const PriorFeatures& prior, int num_paths, double alpha, Key key) {
  const auto m = static_cast<Eigen::Index>(gp.inducing().size());
  const Eigen::Index B = num_paths, M = prior.num_features;
  const double sigma = std::sqrt(gp.scales().variance);
  PoolPaths paths{&gp, &prior, Vector(B), Matrix(B, M), {}, alpha};
  key.fold("constants").fill_normal({paths.offset.data(), static_cast<std::size_t>(B)});
  paths.offset *= alpha * sigma * prior.constant;
  key.fold("weights").fill_normal({paths.w.data(), static_cast<std::size_t>(paths.w.size())});
  paths.w *= alpha * sigma * prior.scale;
  Matrix Phi(m, M);  // Φ_Z
  parallel_blocks(m, 32, [&](Eigen::Index a, Eigen::Index b) {
    for (Eigen::Index j = a; j < b; ++j)
      feature_row(prior, gp.kernel().pool, gp.inducing()[static_cast<std::size_t>(j)], Phi.row(j).data());
  });
  Matrix at_Z = product(Phi, Trans::no, paths.w, Trans::yes);  // [m,B]
  at_Z.rowwise() += paths.offset.transpose();
  Matrix eps(B, m);
  key.fold("update").fill_normal({eps.data(), static_cast<std::size_t>(eps.size())});
  paths.v = gp.update_weights(alpha, eps.transpose(), std::move(at_Z));
  paths.offset.array() += gp.scales().mean;
  return paths;
}

PoolPaths mean_path(const PoolGp& gp, const PriorFeatures& prior) {
  const Eigen::Index M = prior.num_features;
  return {&gp, &prior, Vector::Constant(1, gp.scales().mean), Matrix::Zero(1, M), gp.mean_weights().transpose()};
}

PoolPaths PoolPaths::only(std::span<const int> which) const {
  const auto B = static_cast<Eigen::Index>(which.size());
  PoolPaths out{gp, prior, Vector(B), Matrix(B, w.cols()), Matrix(B, v.cols()), alpha, feature_table};
  for (Eigen::Index i = 0; i < B; ++i) {
    const int b = which[static_cast<std::size_t>(i)];
    out.offset(i) = offset(b);
    out.w.row(i) = w.row(b);
    out.v.row(i) = v.row(b);
  }
  return out;
}

void path_features(const PoolPaths& paths, std::int64_t row, double* features) {
  feature_row(*paths.prior, paths.gp->kernel().pool, row, features, paths.bits(row));
  kernel_row(paths.gp->kernel(), row, paths.gp->prepared(), features + paths.w.cols());
}

double path_value(const PoolPaths& paths, int path, const double* features) {
  return paths.offset(path) + dot(features, paths.w.row(path).data(), paths.w.cols()) +
         dot(features + paths.w.cols(), paths.v.row(path).data(), paths.v.cols());
}

}  // namespace salvo

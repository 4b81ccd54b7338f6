#include "pool/paths.h"

#include <cmath>

#include "math/linalg.h"
#include "math/parallel.h"

namespace salvo {
namespace {

PoolPaths without_weights(const PoolGp& gp, const compute::PriorFeatures& prior, double alpha) {
  PoolPaths paths;
  paths.kernel = &gp.kernel();
  paths.inducing = &gp.prepared();
  paths.prior = &prior;
  paths.mean_offset = gp.scales().mean;
  paths.mean_weights = gp.mean_weights();
  paths.gp = &gp;
  paths.alpha = alpha;
  return paths;
}

}  // namespace

PoolPaths draw_pool_paths(const PoolGp& gp, const compute::PriorFeatures& prior, int num_paths, double alpha, Key key) {
  const auto m = static_cast<Eigen::Index>(gp.inducing().size());
  const Eigen::Index B = num_paths, M = prior.num_features;
  const double sigma = std::sqrt(gp.scales().variance);
  PoolPaths paths = without_weights(gp, prior, alpha);
  paths.offset.resize(B);
  paths.w.resize(B, M);
  key.fold("constants").fill_normal({paths.offset.data(), static_cast<std::size_t>(B)});
  paths.offset *= alpha * sigma * prior.constant;
  key.fold("weights").fill_normal({paths.w.data(), static_cast<std::size_t>(paths.w.size())});
  paths.w *= alpha * sigma * prior.scale;
  Matrix Phi(m, M);  // Φ_Z
  parallel_blocks(m, 32, [&](Eigen::Index a, Eigen::Index b) {
    for (Eigen::Index j = a; j < b; ++j)
      feature_row(prior, gp.kernel().rows, gp.inducing()[static_cast<std::size_t>(j)], Phi.row(j).data());
  });
  Matrix at_Z = product(Phi, Trans::no, paths.w, Trans::yes);  // [m,B]
  at_Z.rowwise() += paths.offset.transpose();
  Matrix eps(B, m);
  key.fold("update").fill_normal({eps.data(), static_cast<std::size_t>(eps.size())});
  paths.v = gp.update_weights(alpha, eps.transpose(), std::move(at_Z));
  paths.offset.array() += gp.scales().mean;
  return paths;
}

PoolPaths mean_path(const PoolGp& gp, const compute::PriorFeatures& prior) {
  PoolPaths paths = without_weights(gp, prior, 0);
  paths.offset = Vector::Constant(1, paths.mean_offset);
  paths.w = Matrix::Zero(1, prior.num_features);
  paths.v = paths.mean_weights.transpose();
  return paths;
}

PoolPaths PoolPaths::only(std::span<const int> which) const {
  const std::vector<int> rows(which.begin(), which.end());
  PoolPaths out = without_weights(*gp, *prior, alpha);
  out.feature_table = feature_table;
  out.offset = offset(rows);
  out.w = w(rows, Eigen::all);
  out.v = v(rows, Eigen::all);
  return out;
}

}  // namespace salvo

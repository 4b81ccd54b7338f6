#include <salvo/diagnose.h>

#include <algorithm>
#include <cmath>

#include "model/exact_gp.h"
#include "sample/path_variance.h"

namespace salvo {

struct ModelComparison::Impl {
  ExactGp exact;
  SparseGp sparse;
  Paths prior;  // one path, for its features
};

// A trend is the same in all of them: they are compared in what they make of the rest.
ModelComparison::ModelComparison(const SparseGp& gp, const Matrix& X, const Vector& values, PathOptions paths, Key key) {
  const Vector y = values - gp.trend().values(X);
  SparseGp sparse = gp.eigenfunctions() ? SparseGp(gp.hyper(), *gp.eigenfunctions()) : SparseGp(gp.hyper(), gp.Z());
  sparse.condition(X, y);
  paths.num_paths = 1;
  Paths prior = draw_paths(sparse, paths, key);
  impl_ = std::make_unique<Impl>(Impl{ExactGp(gp.hyper(), X, y), std::move(sparse), std::move(prior)});
}
ModelComparison::~ModelComparison() = default;
ModelComparison::ModelComparison(ModelComparison&&) noexcept = default;
ModelComparison& ModelComparison::operator=(ModelComparison&&) noexcept = default;

Comparison ModelComparison::at(const Matrix& X) const {
  Prediction exact = impl_->exact.predict(X), sparse = impl_->sparse.predict(X);
  return {.exact_mean = std::move(exact.mean),
          .exact_stddev = exact.variance.cwiseMax(0.0).cwiseSqrt(),
          .sparse_mean = std::move(sparse.mean),
          .sparse_stddev = sparse.variance.cwiseSqrt(),
          .path_stddev = path_variance(impl_->sparse, impl_->prior, X).posterior.cwiseMax(0.0).cwiseSqrt()};
}

double ModelComparison::theta_over_tau() const { return impl_->sparse.theta() / impl_->sparse.hyper().noise; }
double ModelComparison::jitter() const { return std::max(impl_->sparse.jitter(), impl_->exact.jitter()); }

Vector ModelComparison::lost_variance(const Matrix& X) const {
  const double variance = impl_->sparse.hyper().kernel.variance;
  return 1 - path_variance(impl_->sparse, impl_->prior, X).prior.array() / variance;
}

MeasuredQuality measure(const Comparison& at, double kernel_stddev, double share) {
  const auto largest = [&](Vector values) {
    std::sort(values.begin(), values.end());
    const auto index = static_cast<Eigen::Index>(std::ceil(share * static_cast<double>(values.size()))) - 1;
    return values.size() == 0 ? 0.0 : values(std::clamp<Eigen::Index>(index, 0, values.size() - 1));
  };
  // Below a millionth of the prior's deviation a variance is rounding.
  const double least = 1e-6 * kernel_stddev;
  const Vector exact = at.exact_stddev.cwiseMax(least), sparse = at.sparse_stddev.cwiseMax(least);
  return {.a_low = std::max(1.0, largest(exact.cwiseQuotient(sparse))),
          .a_high = std::max(1.0, largest(sparse.cwiseQuotient(exact))),
          .c = largest((at.sparse_mean - at.exact_mean).cwiseAbs().cwiseQuotient(exact)),
          .epsilon = largest((at.path_stddev - at.sparse_stddev).cwiseAbs()) / kernel_stddev};
}

}  // namespace salvo

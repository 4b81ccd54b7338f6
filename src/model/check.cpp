#include "model/check.h"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

namespace salvo {

void check_hyper(const char* where, const Hyperparameters& hyper, Eigen::Index dims) {
  hyper.kernel.validate();
  if (hyper.kernel.lengthscales.size() != dims)
    throw std::invalid_argument(fmt::format("{}: expected {} length-scales (one per column of Z), got {}", where, dims,
                                            hyper.kernel.lengthscales.size()));
  if (!(hyper.noise > 0) || !std::isfinite(hyper.noise))
    throw std::invalid_argument(fmt::format("{}: noise variance must be positive and finite, got {}", where, hyper.noise));
  if (!std::isfinite(hyper.mean)) throw std::invalid_argument(fmt::format("{}: mean must be finite, got {}", where, hyper.mean));
}

void check_ratios(const char* where, const Vector& r, Eigen::Index n) {
  if (r.size() == 0) return;
  if (r.size() != n) throw std::invalid_argument(fmt::format("{}: expected r for each of {} values, got {}", where, n, r.size()));
  if (!r.allFinite() || !(r.array() > 0).all())
    throw std::invalid_argument(fmt::format("{}: r, the noise of each value over τ, must be positive and finite", where));
}

void check_points(const char* where, const char* name, const Matrix& X, Eigen::Index dims) {
  if (X.cols() != dims)
    throw std::invalid_argument(fmt::format("{}: expected {} with {} columns, got {}", where, name, dims, X.cols()));
  if (!X.allFinite()) throw std::invalid_argument(fmt::format("{}: {} must be finite, but holds NaN or infinity", where, name));
}

void check_data(const char* where, const Matrix& X, const Vector& y, Eigen::Index dims) {
  check_points(where, "X", X, dims);
  if (X.rows() != y.size()) throw std::invalid_argument(fmt::format("{}: X has {} rows but y has {}", where, X.rows(), y.size()));
  if (!y.allFinite()) throw std::invalid_argument(fmt::format("{}: y must be finite, but holds NaN or infinity", where));
}

}  // namespace salvo

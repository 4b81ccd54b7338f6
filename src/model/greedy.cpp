// Greedy conditional variance by blocks (docs/math.md §4). Each pick needs the exact conditional variance of the best
// row only, and variances never grow: so a round keeps the few best rows up to date, picks among them for as long as
// none of the others could be better, and then brings all rows up to date with one product. Same picks as one by one,
// at the speed of matrix products.
#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "compute/rows.h"
#include "math/parallel.h"
#include "model/selection.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kTop = 256;    // rows kept up to date in a round
constexpr Index kPanel = 64;   // picks of a round at most
constexpr Index kBlock = 256;  // rows brought up to date by one task

blasint as_int(Index i) { return static_cast<blasint>(i); }

class Pivoting {
 public:
  Pivoting(const Kernel& kernel, const Matrix& X, const Vector& weights, int m)
      : kernel_(kernel),
        S_(X.array().rowwise() / kernel.lengthscales.transpose().array()),
        weights_(weights),
        m_(m),
        V_(X.rows(), m),
        remaining_(Vector::Constant(X.rows(), kernel.variance)),
        order_(static_cast<std::size_t>(X.rows())),
        in_top_(order_.size(), 0) {
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  std::vector<Index> run() {
    while (round()) catch_up();
    return picks_;
  }

 private:
  [[nodiscard]] double score(Index i) const {
    if (remaining_(i) <= 1e-10 * kernel_.variance) return 0;
    return weights_.size() > 0 ? weights_(i) * remaining_(i) : remaining_(i);
  }
  [[nodiscard]] bool before(Index i, Index j) const {
    const double a = score(i), b = score(j);
    return a != b ? a > b : i < j;
  }

  // Picks among the best rows; false when all is done.
  bool round() {
    const Index n = S_.rows(), top = std::min(kTop, n);
    const auto by_score = [&](Index i, Index j) { return before(i, j); };
    std::nth_element(order_.begin(), order_.begin() + (top - 1), order_.end(), by_score);
    double outside = 0;
    for (auto i = static_cast<std::size_t>(top); i < order_.size(); ++i) outside = std::max(outside, score(order_[i]));
    const std::vector<Index> best(order_.begin(), order_.begin() + top);
    for (const Index i : best) in_top_[static_cast<std::size_t>(i)] = 1;
    const ScaledPoints<double> points(rows_of(S_, best), Vector::Ones(S_.cols()));
    Vector k(top);
    first_ = static_cast<Index>(picks_.size());
    while (static_cast<Index>(picks_.size()) < m_ && static_cast<Index>(picks_.size()) - first_ < kPanel) {
      const Index pick = *std::min_element(best.begin(), best.end(), by_score);
      if (score(pick) <= 0) return false;
      if (score(pick) < outside) break;
      kernel_row(kernel_.type, kernel_.variance, S_.row(pick).data(), points, k.data(), nullptr);
      take(pick, best, k);
    }
    return static_cast<Index>(picks_.size()) < m_;
  }

  // The next column of V, for the best rows.
  void take(Index pick, const std::vector<Index>& best, const Vector& k) {
    const auto j = static_cast<Index>(picks_.size());
    picks_.push_back(pick);
    const double pivot = std::sqrt(remaining_(pick));
    parallel_blocks(static_cast<Index>(best.size()), 128, [&](Index a, Index b) {
      for (Index t = a; t < b; ++t) {
        const Index i = best[static_cast<std::size_t>(t)];
        const double v =
            i == pick ? pivot : (k(t) - weighted_sum(V_.row(i).data(), V_.row(pick).data(), static_cast<int>(j))) / pivot;
        V_(i, j) = v;
        if (i != pick) remaining_(i) = std::max(0.0, remaining_(i) - v * v);
      }
    });
    remaining_(pick) = 0;
  }

  // The columns of this round for all other rows: V₂ = (K − V₁ V₁ₚᵀ) V₂ₚ⁻ᵀ, p the picks.
  void catch_up() {
    const Index first = first_, count = static_cast<Index>(picks_.size()) - first;
    const std::vector<Index> picks(picks_.begin() + first, picks_.end());
    const ScaledPoints<double> points(rows_of(S_, picks), Vector::Ones(S_.cols()));
    Matrix P(count, first), T = Matrix::Zero(count, count);  // V₁ and V₂ at the picks
    for (Index s = 0; s < count; ++s) {
      P.row(s) = V_.row(picks[static_cast<std::size_t>(s)]).head(first);
      T.row(s).head(s + 1) = V_.row(picks[static_cast<std::size_t>(s)]).segment(first, s + 1);
    }
    parallel_blocks(S_.rows(), kBlock, [&](Index a, Index b) {
      static thread_local std::vector<double> buffer;
      const Index rows = b - a;
      buffer.resize(static_cast<std::size_t>(rows * count));
      for (Index i = a; i < b; ++i)
        kernel_row(kernel_.type, kernel_.variance, S_.row(i).data(), points, buffer.data() + (i - a) * count, nullptr);
      if (first > 0)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, as_int(rows), as_int(count), as_int(first), -1.0, V_.data() + a * m_,
                    as_int(m_), P.data(), as_int(first), 1.0, buffer.data(), as_int(count));
      cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, as_int(rows), as_int(count), 1.0, T.data(),
                  as_int(count), buffer.data(), as_int(count));
      for (Index i = a; i < b; ++i) {
        char& up_to_date = in_top_[static_cast<std::size_t>(i)];
        if (!std::exchange(up_to_date, 0)) {
          const auto v = Eigen::Map<const Eigen::RowVectorXd>(buffer.data() + (i - a) * count, count);
          V_.row(i).segment(first, count) = v;
          remaining_(i) = std::max(0.0, remaining_(i) - v.squaredNorm());
        }
      }
    });
  }

  const Kernel& kernel_;
  const Matrix S_;  // [n,d] divided by the length-scales
  const Vector& weights_;
  const Index m_;
  Matrix V_;          // [n,m] the partial Cholesky factor
  Vector remaining_;  // [n] conditional variances
  std::vector<Index> order_, picks_;
  std::vector<char> in_top_;
  Index first_ = 0;  // picks before this round
};

// Sorted numbers of a random subset.
std::vector<Index> random_subset(Index n, Index count, Key key) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::vector<double> tags(order.size());
  key.fill_uniform(tags);
  std::nth_element(order.begin(), order.begin() + count, order.end(),
                   [&](Index i, Index j) { return tags[static_cast<std::size_t>(i)] < tags[static_cast<std::size_t>(j)]; });
  order.resize(static_cast<std::size_t>(count));
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

Matrix uniform_rows(const Matrix& X, int num_rows, Key key) {
  return num_rows >= X.rows() ? X : rows_of(X, random_subset(X.rows(), num_rows, key));
}

std::vector<Index> greedy_rows(const Kernel& kernel, const Matrix& X, const Vector& weights, int m, Key key) {
  constexpr double kWorkspace = 256e6;  // bytes
  const auto limit = std::max<Index>(Index{2} * m, static_cast<Index>(kWorkspace / (8.0 * m)));
  if (X.rows() <= limit) return Pivoting(kernel, X, weights, static_cast<int>(std::min<Index>(m, X.rows()))).run();
  const std::vector<Index> subset = random_subset(X.rows(), limit, key.fold("greedy subset"));
  const Vector theirs = weights.size() > 0 ? Vector(weights(subset)) : weights;
  std::vector<Index> picks = greedy_rows(kernel, rows_of(X, subset), theirs, m, key);
  for (Index& i : picks) i = subset[static_cast<std::size_t>(i)];
  return picks;
}

Matrix greedy_variance(const Kernel& kernel, const Matrix& X, const Vector& weights, int m, Key key) {
  return rows_of(X, greedy_rows(kernel, X, weights, m, key));
}

}  // namespace salvo

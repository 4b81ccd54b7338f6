#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/rows.h"
#include "math/linalg.h"
#include "model/jitter.h"
#include "model/selection.h"

namespace salvo {
namespace {

using Index = Eigen::Index;

// The chain's state: m of n rows, and the inverse of their Gram matrix.
class Chain {
 public:
  Chain(const Kernel& kernel, const Matrix& X, std::vector<Index> state)
      : kernel_(kernel),
        S_(X.array().rowwise() / kernel.lengthscales.transpose().array()),
        state_(std::move(state)),
        inside_(static_cast<std::size_t>(X.rows()), 0) {
    for (const Index i : state_) inside_[static_cast<std::size_t>(i)] = 1;
    for (Index i = 0; i < X.rows(); ++i)
      if (!inside_[static_cast<std::size_t>(i)]) others_.push_back(i);
    invert();
  }

  [[nodiscard]] const std::vector<Index>& state() const { return state_; }

  // Exchanges a random member for a random other with the chance min(1, det after/det before).
  void step(Key key) {
    const auto m = static_cast<Index>(state_.size());
    const auto s = static_cast<Index>(key.at(0).below(static_cast<std::uint64_t>(m)));
    const auto o = static_cast<std::size_t>(key.at(1).below(others_.size()));
    const Index j = others_[o];
    Vector k = kernel_column(j);
    Vector Pk = P_ * k;
    // Given all members but s: the variance of j, and that of s, which is 1/P_ss.
    const double own = kernel_.variance * (1 + kJitter), Pss = P_(s, s);
    const double variance = own - k.dot(Pk) + Pk(s) * Pk(s) / Pss;
    const double ratio = variance * Pss;
    if (!(ratio > 0) || key.uniform(2) >= ratio) return;
    others_[o] = state_[static_cast<std::size_t>(s)];
    state_[static_cast<std::size_t>(s)] = j;
    if (++exchanges_ % kRefresh == 0) return invert();
    replace(s, k, own);
  }

 private:
  static constexpr int kRefresh = 256;  // exchanges after which rounding is swept out

  [[nodiscard]] Vector kernel_column(Index j) {
    Vector k(static_cast<Index>(state_.size()));
    kernel_row(kernel_.type, kernel_.variance, S_.row(j).data(), points_, k.data(), nullptr);
    return k;
  }

  void build_points() {
    Matrix rows(static_cast<Index>(state_.size()), S_.cols());
    for (std::size_t i = 0; i < state_.size(); ++i) rows.row(static_cast<Index>(i)) = S_.row(state_[i]);
    points_ = ScaledPoints<double>(rows, Vector::Ones(S_.cols()));
  }

  void invert() {
    build_points();
    const auto m = static_cast<Index>(state_.size());
    Matrix K(m, m);
    for (Index i = 0; i < m; ++i)
      kernel_row(kernel_.type, kernel_.variance, S_.row(state_[static_cast<std::size_t>(i)]).data(), points_, K.row(i).data(),
                 nullptr);
    P_ = gram_lower(invert_lower(cholesky(K, kernel_.variance, kJitter).L));
  }

  // P without member s, then with the new one in its place: two rank-one updates.
  void replace(Index s, Vector& k, double own) {
    for (int d = 0; d < points_.dims; ++d)
      points_.data[static_cast<std::size_t>(d) * state_.size() + static_cast<std::size_t>(s)] =
          S_(state_[static_cast<std::size_t>(s)], d);
    const Vector column = P_.col(s);
    P_.noalias() -= column * (column.transpose() / column(s));
    P_.row(s).setZero();
    P_.col(s).setZero();
    k(s) = 0;
    Vector b = P_ * k;
    const double inverse = 1.0 / (own - k.dot(b));
    b(s) = -1;
    P_.noalias() += b * (b.transpose() * inverse);
  }

  const Kernel& kernel_;
  const Matrix S_;
  std::vector<Index> state_, others_;
  std::vector<char> inside_;
  ScaledPoints<double> points_;  // the members
  Matrix P_;                     // (K_SS + jitter)⁻¹ [m,m]
  int exchanges_ = 0;
};

}  // namespace

double kdpp_steps(std::int64_t num_rows, int m, double epsilon0) {
  // n m log(1/(P(S₀) ε₀)); greedy reaches the largest determinant up to (m!)², and there are C(n, m) sets.
  const double n = static_cast<double>(num_rows), k = m;
  const double sets = std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
  return n * k * (sets + 2 * std::lgamma(k + 1) - std::log(epsilon0));
}

Matrix kdpp(const Kernel& kernel, const Matrix& X, int m, std::int64_t num_steps, Key key) {
  std::vector<Index> start = greedy_rows(kernel, X, {}, m, key);
  if (static_cast<Index>(start.size()) == X.rows()) return rows_of(X, start);
  Chain chain(kernel, X, std::move(start));
  for (std::int64_t t = 0; t < num_steps; ++t) chain.step(key.fold("exchange").fold(static_cast<std::uint64_t>(t)));
  return rows_of(X, chain.state());
}

}  // namespace salvo

#include "support/lookalike.h"

#include <salvo/matrix.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/linalg.h"
#include "math/parallel.h"

namespace salvo::experiments {
namespace {

constexpr std::int64_t kCounted = 100'000;  // rows are enough for three digits

// Shares of (the first) rows in which two bits are set together; on the diagonal those in which one is.
Matrix together(const Pool& pool) {
  const int bits = pool.num_features();
  const std::int64_t n = std::min(pool.size(), kCounted);
  Matrix out = Matrix::Zero(bits, bits), block;
  constexpr std::int64_t kRows = 4096;
  for (std::int64_t a = 0; a < n; a += kRows) {
    block.resize(std::min(kRows, n - a), bits);
    for (Eigen::Index i = 0; i < block.rows(); ++i)
      for (int j = 0; j < bits; ++j) block(i, j) = static_cast<double>((pool.bits(a + i)[j / 64] >> (j % 64)) & 1U);
    gemm(1, block, Trans::yes, block, Trans::no, 1, out);
  }
  return out / static_cast<double>(n);
}

// t with P(Z > t) = p, by bisection: a few hundred of them.
double threshold(double p) {
  double low = -8, high = 8;
  for (int i = 0; i < 60; ++i) {
    const double t = 0.5 * (low + high);
    (0.5 * std::erfc(t / std::numbers::sqrt2) > p ? low : high) = t;
  }
  return 0.5 * (low + high);
}

// P(Z₁ > s, Z₂ > t) of two Gaussians grows with their correlation r by their density at (s, t): an integral from r = 0, where
// it is the product of the two, gives it.
double density(double s, double t, double r) {
  const double rest = 1 - r * r;
  return std::exp(-(s * s - 2 * r * s * t + t * t) / (2 * rest)) / (2 * std::numbers::pi * std::sqrt(rest));
}

double above_both(double s, double t, double product, double r) {
  constexpr int kSteps = 12;  // of Simpson's rule
  const double h = r / (2 * kSteps);
  double sum = density(s, t, 0) - density(s, t, r);
  for (int i = 1; i <= kSteps; ++i) sum += 4 * density(s, t, (2 * i - 1) * h) + 2 * density(s, t, 2 * i * h);
  return product + sum * h / 3;
}

// The correlation with which both are above their thresholds with probability p.
double correlation_for(double s, double t, double product, double p) {
  constexpr double kMost = 0.98;
  double low = -kMost, high = kMost;
  for (int i = 0; i < 20; ++i) {
    const double r = 0.5 * (low + high);
    (above_both(s, t, product, r) < p ? low : high) = r;
  }
  return 0.5 * (low + high);
}

// Pairs fitted one by one need not make a covariance: directions of negative variance are dropped, and the rest scaled back.
Matrix factor_of(const Matrix& R) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(R);
  Matrix out = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(1e-6).cwiseSqrt().asDiagonal();
  out.rowwise().normalize();
  return out;
}

Matrix correlations(const Matrix& joint) {
  const Vector p = joint.diagonal(), deviation = (p.array() * (1 - p.array())).sqrt().max(1e-9);
  return ((joint - p * p.transpose()).array() / (deviation * deviation.transpose()).array()).matrix();
}

}  // namespace

Pool lookalike(const Pool& sample, std::int64_t size, Key key) {
  const int bits = sample.num_features();
  const Matrix joint = together(sample);
  Vector t(bits);
  for (int j = 0; j < bits; ++j) t(j) = threshold(joint(j, j));
  Matrix R = Matrix::Identity(bits, bits);
  parallel_blocks(bits, 1, [&](std::int64_t a, std::int64_t b) {
    for (std::int64_t i = a; i < b; ++i)
      for (std::int64_t j = 0; j < i; ++j) R(i, j) = correlation_for(t(i), t(j), joint(i, i) * joint(j, j), joint(i, j));
  });
  const Matrix L = factor_of(R.selfadjointView<Eigen::Lower>());

  const auto words = static_cast<std::size_t>((bits + 63) / 64);
  std::vector<std::uint64_t> rows(static_cast<std::size_t>(size) * words);
  constexpr std::int64_t kRows = 512;
  parallel_blocks(size, kRows, [&](std::int64_t a, std::int64_t b) {
    Matrix normal(b - a, bits), z(b - a, bits);
    key.fold("rows").fold(static_cast<std::uint64_t>(a)).fill_normal({normal.data(), static_cast<std::size_t>(normal.size())});
    gemm(1, normal, Trans::no, L, Trans::yes, 0, z);
    for (Eigen::Index i = 0; i < z.rows(); ++i)
      for (int j = 0; j < bits; ++j)
        if (z(i, j) > t(j))
          rows[static_cast<std::size_t>(a + i) * words + static_cast<std::size_t>(j / 64)] |= std::uint64_t{1} << (j % 64);
  });
  return Pool::from_bits(std::move(rows), bits, {});
}

Likeness likeness(const Pool& sample, const Pool& drawn) {
  const Matrix a = together(sample), b = together(drawn);
  const Matrix ca = correlations(a), cb = correlations(b);
  const auto pairs = static_cast<double>(a.rows() * (a.rows() - 1));
  return {.density = std::sqrt((a - b).diagonal().squaredNorm() / static_cast<double>(a.rows())),
          .correlation = std::sqrt((ca - cb).squaredNorm() / pairs),
          .spread = std::sqrt((ca.squaredNorm() - ca.diagonal().squaredNorm()) / pairs)};
}

}  // namespace salvo::experiments

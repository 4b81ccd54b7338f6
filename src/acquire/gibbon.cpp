#include "acquire/gibbon.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <memory>

#include "acquire/acquire.h"
#include "acquire/improvement.h"
#include "acquire/normal.h"
#include "math/parallel.h"
#include "sample/candidates.h"

namespace salvo {
namespace {

constexpr int kMaxima = 10;        // Gumbel draws
constexpr int kGridPerDim = 1000;  // random points that stand for the box,
constexpr double kCopies = 10;     // each for as many: 10,000 per dimension
constexpr Eigen::Index kBlock = 4096;
constexpr Eigen::Index kChunk = 8192;  // of them predicted at once

// −log P(max ≤ y) = −Σ w_i log Φ((y − μ_i)/σ_i), in blocks that depend on the size alone.
double surprise(const Vector& mean, const Vector& sd, const Vector& weight, double y) {
  Vector parts = Vector::Zero((mean.size() + kBlock - 1) / kBlock);
  parallel_blocks(mean.size(), kBlock, [&](Eigen::Index begin, Eigen::Index end) {
    double sum = 0;
    for (Eigen::Index i = begin; i < end; ++i) {
      const double z = (y - mean(i)) / sd(i);
      if (z < 8) sum -= weight(i) * log_normal_cdf(z);  // beyond it the factor is 1
    }
    parts(begin / kBlock) = sum;
  });
  return parts.sum();
}

// y with P(max ≤ y) = p. The maximum is nearly Gumbel distributed: log(−log P) is nearly a line, and five looks will do.
double quantile_of_maximum(const Vector& mean, const Vector& sd, const Vector& weight, double p, double low, double high) {
  const double target = std::log(-std::log(p));
  const auto error = [&](double y) { return std::log(std::max(surprise(mean, sd, weight, y), 1e-300)) - target; };
  const auto close = [&](double a, double b) { return std::abs(b - a) <= 1e-4 * (high - low); };
  std::uintmax_t looks = 60;
  const auto [a, b] = boost::math::tools::toms748_solve(error, low, high, close, looks);
  return 0.5 * (a + b);
}

// Where next to nothing is left of the variance single precision cannot say how much.
void refine(const SparseGp& gp, double signal, const Matrix& X, Moments& moments) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < X.rows(); ++i)
    if (moments.variance(i) < 1e-3 * signal) rows.push_back(i);
  if (rows.empty()) return;
  const Prediction exact = gp.predict(X(rows, Eigen::all));
  moments.mean(rows) = exact.mean;
  moments.variance(rows) = exact.variance;
}

// Mean and variance over the box: random points, and the observed ones.
Prediction predict_everywhere(const Situation& now, const Belief& belief) {
  const Eigen::Index count = static_cast<Eigen::Index>(kGridPerDim) * now.space.num_free();
  Prediction all{Vector(count + now.X.rows()), Vector(count + now.X.rows())};
  for (Eigen::Index begin = 0; begin < all.mean.size(); begin += kChunk) {
    const Eigen::Index rows = std::min(kChunk, all.mean.size() - begin);
    Matrix X(rows, now.X.cols());
    const Eigen::Index random = std::clamp<Eigen::Index>(count - begin, 0, rows);
    if (random > 0)
      X.topRows(random) = random_points(now.space, random, now.key.fold("grid").fold(static_cast<std::uint64_t>(begin)));
    if (random < rows) X.bottomRows(rows - random) = now.X.middleRows(begin + random - count, rows - random);
    Moments part = belief.moments(X);
    refine(now.gp, belief.signal(), X, part);
    all.mean.segment(begin, rows) = part.mean;
    all.variance.segment(begin, rows) = part.variance;
  }
  return all;
}

}  // namespace

std::vector<double> sample_maxima(const Vector& mean, const Vector& variance, const Vector& weight, int count, Key key) {
  const Vector all = variance.cwiseMax(1e-18).cwiseSqrt();
  // P(max ≤ low) ≤ Φ(−0.7) = 0.24, since that is one of its factors, and P(max ≤ high) > 0.75.
  const double low = (mean - 0.7 * all).maxCoeff(), high = (mean + 10 * all).maxCoeff();
  std::vector<Eigen::Index> matter;  // the others' factors differ from 1 by less than 1e-10 at any y of interest
  for (Eigen::Index i = 0; i < mean.size(); ++i)
    if (low - mean(i) < 6.5 * all(i)) matter.push_back(i);
  const Vector mu = mean(matter), sd = all(matter), w = weight(matter);
  const auto quantile = [&](double p) { return quantile_of_maximum(mu, sd, w, p, low, high); };
  const double q1 = quantile(0.25), q2 = quantile(0.5), q3 = quantile(0.75);
  // P(max ≤ y) = exp(−exp(−(y − a)/b)).
  const auto level = [](double p) { return -std::log(-std::log(p)); };
  const double b = std::max((q3 - q1) / (level(0.75) - level(0.25)), 1e-12), a = q2 - b * level(0.5);
  std::vector<double> out;
  const double floor = mean.maxCoeff() + 1e-6 * sd.maxCoeff();  // the maximum is not below the best mean
  for (int i = 0; i < count; ++i) out.push_back(std::max(a + b * level(key.uniform(static_cast<std::uint64_t>(i))), floor));
  return out;
}

Score gibbon_score(const Belief& belief, std::vector<double> maxima) {
  const auto remaining = std::make_shared<const Remaining>(belief, belief.noise());
  const double noise = belief.noise();
  const auto added = static_cast<double>(belief.added().rows());
  const bool alone = added == 0;
  const double weight = 0.5 / (added * added);  // of the repulsion
  return [=, maxima = std::move(maxima)](const Local& local, Slope* slope) {
    const double variance = local.variance, sd = std::sqrt(variance), total = variance + noise, rho2 = variance / total;
    double value = 0, by_mean = 0, by_variance = 0;
    for (const double maximum : maxima) {
      // Given f ≤ y*, the variance of f(x) shrinks to σ²(1 − s), s = r(γ + r), γ = (y* − μ)/σ, r = φ(γ)/Φ(γ).
      const double gamma = (maximum - local.mean) / sd, r = inverse_mills(gamma), s = r * (gamma + r);
      const double left = 1 - rho2 * s;
      value -= 0.5 * std::log1p(-rho2 * s);
      const double by_s = 0.5 * rho2 / left, by_rho2 = 0.5 * s / left;
      const double s_by_gamma = r - s * (gamma + 2 * r);
      by_mean -= by_s * s_by_gamma / sd;
      by_variance += -by_s * s_by_gamma * gamma / (2 * variance) + by_rho2 * noise / (total * total);
    }
    const auto count = static_cast<double>(maxima.size());
    value /= count;
    if (slope) {
      slope->mean += by_mean / count;
      slope->variance += by_variance / count;
    }
    if (alone) return value;
    const double left = remaining->variance(local) + noise;
    if (slope) {
      remaining->add_slope(local, weight / left, *slope);
      slope->variance -= weight / total;
    }
    return value + weight * std::log(left / total);
  };
}

Matrix gibbon(const Situation& now) {
  const Timer timer(now.seconds.maximise);
  Belief belief = belief_of(now);
  const Prediction everywhere = predict_everywhere(now, belief);
  // A sum over the random points is an estimate without bias of the sum over ten times as many, at a tenth of its price.
  Vector weight = Vector::Constant(everywhere.mean.size(), kCopies);
  weight.tail(now.X.rows()).setOnes();
  const std::vector<double> maxima = sample_maxima(everywhere.mean, everywhere.variance, weight, kMaxima, now.key.fold("maxima"));
  return greedy_batch(now, std::move(belief), [&](const Belief& at) { return gibbon_score(at, maxima); });
}

}  // namespace salvo

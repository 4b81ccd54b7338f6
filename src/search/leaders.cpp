#include "search/leaders.h"

#include <salvo/sparse_gp.h>

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <vector>

#include "model/exact_gp.h"
#include "search/repeats.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Index kCandidates = 100;     // of the best by value and of the best by mean, one of which is recommended
constexpr Index kPairs = 200;          // of each: places where the nearest neighbour's value is looked at …
constexpr Index kPlanes = 40;          // … and where a plane and a paraboloid are laid through more of them
constexpr double kWork = 1e9;          // operations that those of one kind may cost: of many dimensions fewer are looked at, …
constexpr Index kFewestPlanes = 5;     // … or none
constexpr Index kNeighbours = 100;     // whose distance from the model's mean says how well it fits somewhere
constexpr Index kLooked = 20'000;      // observations that neighbours are sought among; of more a part
constexpr double kPerCoefficient = 3;  // values for each coefficient of a plane
// How many times the noise a misfit must be before a value counts for more than its luck: the noise as seen in neighbours …
constexpr double kMargin = 3;
constexpr double kLuck = 3;       // … or measured by repeats: a point has three values at most, and the first of them was lucky
constexpr Index kMended = 300;    // observations of the model that mends another where that does not fit
constexpr int kEvaluations = 25;  // of its fit
constexpr double kLeastNoise = 1e-8;  // of it, as a share of what was missed
constexpr double kMedian = 0.4549;    // of a squared standard normal variable

double median(std::vector<double>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Of χ² with so many degrees of freedom, over their number.
double median_of_squares(double degrees) { return degrees == 1 ? kMedian : std::pow(1 - 2 / (9 * degrees), 3); }

std::vector<Index> best_of(const Vector& values, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto better = [&](Index a, Index b) { return values(a) != values(b) ? values(a) > values(b) : a < b; };
  const auto end = order.begin() + std::min(count, values.size());
  std::partial_sort(order.begin(), end, order.end(), better);
  order.erase(end, order.end());
  return order;
}

class Neighbours {
 public:
  explicit Neighbours(const Matrix& X) : X_(X) {
    const Index stride = (X.rows() + kLooked - 1) / kLooked;
    for (Index i = 0; i < X.rows(); i += stride) rows_.push_back(i);
  }
  [[nodiscard]] Index size() const { return std::ssize(rows_); }
  // The `count` observations nearest to row `of`, nearest first and without itself.
  [[nodiscard]] std::vector<Index> nearest(Index of, Index count) const {
    std::vector<std::pair<double, Index>> found;
    for (const Index row : rows_)
      if (row != of) found.emplace_back((X_.row(row) - X_.row(of)).squaredNorm(), row);
    const auto end = found.begin() + std::min(count, static_cast<Index>(found.size()));
    std::partial_sort(found.begin(), end, found.end());
    std::vector<Index> out;
    for (auto each = found.begin(); each != end; ++each) out.push_back(each->second);
    return out;
  }

 private:
  const Matrix& X_;
  std::vector<Index> rows_;
};

// Coefficients of a polynomial of degree 0, 1 or 2 in d variables.
Index num_coefficients(Index d, int degree) { return degree == 0 ? 1 : degree == 1 ? 1 + d : 1 + d + d * (d + 1) / 2; }

// What the polynomial that fits best around a row leaves unexplained of its neighbours' values, per degree of freedom, over
// its median for Gaussian noise of variance 1. Where noise differs, of the usual one.
double unexplained(const Matrix& X, const Vector& y, const Vector& r, const Neighbours& neighbours, Index at, int degree) {
  const Index d = X.cols(), p = num_coefficients(d, degree);
  const Index k = degree == 0 ? 2 : static_cast<Index>(kPerCoefficient * static_cast<double>(p));
  std::vector<Index> rows = neighbours.nearest(at, k - 1);
  rows.push_back(at);
  if (degree == 0) {
    const double apart = y(rows[0]) - y(rows[1]);
    const double share = r.size() == 0 ? 1.0 : 0.5 * (r(rows[0]) + r(rows[1]));
    return 0.5 * apart * apart / share / median_of_squares(1);
  }
  Matrix U = X(rows, Eigen::all).rowwise() - X.row(at);
  U /= std::max(U.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  Eigen::MatrixXd A(k, p);
  A.col(0).setOnes();
  A.middleCols(1, d) = U;
  Index column = 1 + d;
  for (Index a = 0; degree == 2 && a < d; ++a)
    for (Index b = a; b < d; ++b) A.col(column++) = U.col(a).cwiseProduct(U.col(b));
  Vector values = y(rows);
  if (r.size() > 0) {
    const Vector scale = r(rows).cwiseSqrt().cwiseInverse();
    A.array().colwise() *= scale.array();
    values = values.cwiseProduct(scale);
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  const auto degrees = static_cast<double>(k - qr.rank());
  return (values - A * qr.solve(values)).squaredNorm() / degrees / median_of_squares(degrees);
}

// An upper bound of the noise's variance from all values, the same everywhere: whatever else values of neighbours differ by adds
// to it. The median over places near the best by value and near the best by mean, the least of several ways to look.
double noise_of_neighbours(const Matrix& X, const Vector& y, const Vector& mean, const Vector& r, const Neighbours& neighbours) {
  double least = kInfinity;
  for (const Vector* leading : {&y, &mean}) {
    for (const int degree : {0, 1, 2}) {
      const Index needed = degree == 0 ? 2 : static_cast<Index>(kPerCoefficient) * num_coefficients(X.cols(), degree);
      if (4 * needed > neighbours.size()) continue;
      const double p = static_cast<double>(num_coefficients(X.cols(), degree));
      const auto affordable = degree == 0 ? kPairs : static_cast<Index>(kWork / (2 * kPerCoefficient * p * p * p));
      if (affordable < kFewestPlanes) continue;
      std::vector<double> found;
      for (const Index at : best_of(*leading, std::min({degree == 0 ? kPairs : kPlanes, affordable, X.rows() / 4})))
        found.push_back(unexplained(X, y, r, neighbours, at, degree));
      least = std::min(least, median(found));
    }
  }
  return least;
}

// How far the values around a row are from the means there: a variance; with r, of the usual noise.
double misfit(const Vector& y, const Vector& mean, const Vector& r, const Neighbours& neighbours, Index at) {
  std::vector<double> squares;
  for (const Index j : neighbours.nearest(at, kNeighbours))
    squares.push_back(std::pow(y(j) - mean(j), 2) / (r.size() == 0 ? 1.0 : r(j)));
  return squares.empty() ? 0 : median(squares) / kMedian;
}

// The means with what they miss around these rows: an exact GP of the residuals there, of the noise given.
Vector mended(const Matrix& X, const Vector& y, const Vector& mean, const Vector& r, const Neighbours& neighbours,
              std::span<const Index> around, double noise) {
  std::set<Index> near(around.begin(), around.end());
  for (const Index at : around)
    for (const Index j : neighbours.nearest(at, kMended / std::ssize(around) - 1)) near.insert(j);
  const std::vector<Index> rows(near.begin(), near.end());
  const Matrix local = X(rows, Eigen::all);
  Vector missed = y(rows) - mean(rows);
  const double size = std::sqrt(missed.squaredNorm() / static_cast<double>(missed.size()));
  if (!(size > 0)) return mean;
  missed /= size;
  const Vector ratios = r.size() == 0 ? Vector() : Vector(r(rows));
  const double tau = std::clamp(noise / (size * size), kLeastNoise, 1.0);
  Hyperparameters hyper{.kernel = {KernelType::matern52, 1.0, Vector::Constant(X.cols(), 0.1)}, .noise = tau, .mean = 0};
  (void)fit(hyper, local, local, missed,
            {.max_evaluations = kEvaluations, .min_variance = 1e-2, .min_noise = tau, .max_noise = tau, .max_mean = 0}, ratios);
  return mean + size * ExactGp(hyper, local, missed, ratios).predict(X).mean;
}

}  // namespace

Leader choose_leader(const Matrix& X, const Vector& y, const Vector& mean, const Vector& r) {
  const Neighbours neighbours(X);
  const Averages seen = averages(X, y, r);
  const std::vector<Index> by_value = best_of(seen.mean, kCandidates), by_mean = best_of(mean, kCandidates);
  // Nothing else tells the values of one point apart; but a single difference may vanish by chance.
  const RepeatedNoise repeated = repeated_noise(X, y, r);
  const bool measured = repeated.degrees >= 2;
  const double looked = repeated.none() ? 0 : noise_of_neighbours(X, y, mean, r, neighbours);
  const double clear = std::min(measured ? std::max(repeated.at_most(), kLuck * repeated.variance) : kInfinity, kMargin * looked);
  Leader best{.row = by_mean[0], .noise = std::min(measured ? repeated.at_most() : kInfinity, looked)};
  const std::array<Index, 2> first{by_mean[0], by_value[0]};
  const auto fails = [&](Index at) { return misfit(y, mean, r, neighbours, at) > clear; };
  const bool fits = std::none_of(first.begin(), first.end(), fails);
  const Vector expected = fits ? mean : mended(X, y, mean, r, neighbours, first, best.noise);
  std::set<Index> candidates(by_value.begin(), by_value.end());
  candidates.insert(by_mean.begin(), by_mean.end());
  if (!fits) {
    const std::vector<Index> now = best_of(expected, kCandidates);
    candidates.insert(now.begin(), now.end());
  }
  double highest = -kInfinity;
  for (const Index i : candidates) {
    const double off = fits ? 0 : misfit(y, expected, {}, neighbours, i);
    const double trust = off > 0 ? std::clamp(1 - clear / seen.count(i) / off, 0.0, 1.0) : 0;
    const double value = expected(i) + trust * (seen.mean(i) - expected(i));
    if (!(value > highest)) continue;
    highest = value;
    best.row = i;
    best.trust = trust;
  }
  // Where there is noise somebody was lucky: a mean above every value seen is the model's fancy.
  if (highest >= y.maxCoeff()) best = {.row = by_value[0], .noise = best.noise, .trust = 1};
  return best;
}

}  // namespace salvo

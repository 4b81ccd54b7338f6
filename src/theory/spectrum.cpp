#include "theory/spectrum.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <functional>
#include <numbers>

#include "compute/smoothness.h"

namespace salvo {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr std::int64_t kModes = 100'000;  // computed one by one

// P(|ω| > r) for a frequency drawn from the spectral density of a kernel with length-scale 1.
double frequency_above(double nu, int d, double r) {
  if (r <= 0) return 1;
  if (std::isinf(nu)) return boost::math::gamma_q(0.5 * d, 0.5 * r * r);
  return boost::math::ibeta(nu, 0.5 * d, 2 * nu / (2 * nu + r * r));  // |ω|²/d follows F(d, 2ν)
}

// The logarithm of that density at |ω| = r: a normal, or a multivariate t with 2ν degrees of freedom.
double log_density(double nu, int d, double r) {
  if (std::isinf(nu)) return -0.5 * r * r - 0.5 * d * std::log(2 * kPi);
  return std::lgamma(nu + 0.5 * d) - std::lgamma(nu) - 0.5 * d * std::log(2 * nu * kPi) -
         (nu + 0.5 * d) * std::log1p(r * r / (2 * nu));
}

double correlation(KernelType type, double r) {
  switch (type) {
    case KernelType::se:
      return std::exp(-0.5 * r * r);
    case KernelType::matern12:
      return std::exp(-r);
    case KernelType::matern32:
      return (1 + std::sqrt(3.0) * r) * std::exp(-std::sqrt(3.0) * r);
    default:
      break;
  }
  return (1 + std::sqrt(5.0) * r + 5.0 * r * r / 3.0) * std::exp(-std::sqrt(5.0) * r);
}

// What the mirror images of a point add to k(x,x) (Poisson's summation): in k of the d coordinates, two reflections at
// a distance of 2·margin and two shifts farther away.
double image_error(KernelType type, int d, double margin_over_lengthscale) {
  double sum = 0;
  for (int k = 1; k <= d; ++k) {
    const double ways = std::lgamma(d + 1.0) - std::lgamma(k + 1.0) - std::lgamma(d - k + 1.0) + k * std::log(4.0);
    const double near = correlation(type, 2 * margin_over_lengthscale * std::sqrt(k));
    if (near > 0) sum += std::exp(ways + std::log(near));
  }
  return sum;
}

// Calls use(Σ j²) for every j ∈ {1, 2, …}^d with Σ j² ≤ limit; false as soon as there are more than kModes.
bool for_each_wave(int d, double limit, double sum, std::int64_t& count, const std::function<void(double)>& use) {
  if (d == 0) {
    if (++count > kModes) return false;
    use(sum);
    return true;
  }
  for (double j = 1; sum + j * j + (d - 1) <= limit; ++j)
    if (!for_each_wave(d - 1, limit, sum + j * j, count, use)) return false;
  return true;
}

bool fits(int d, double limit) {
  std::int64_t count = 0;
  return for_each_wave(d, limit, 0, count, [](double) {});
}

// The first x in [low, high] where `holds` (which stays true once it is), to 12 digits.
double first_where(double low, double high, const std::function<bool(double)>& holds) {
  for (int i = 0; i < 200 && high - low > 1e-12 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

double smoothness(KernelType type) {
  const int twice = twice_nu(type);
  return twice > 0 ? 0.5 * twice : kInfinity;
}

Spectrum::Spectrum(KernelType type, int num_dims, double lengthscale, double accuracy)
    : type_(type), num_dims_(num_dims), lengthscale_(lengthscale) {
  const int d = num_dims;
  const double margin = first_where(0, 1e4, [&](double c) { return image_error(type, d, c) <= accuracy; });  // in length-scales
  images_ = image_error(type, d, margin);
  margin_ = margin * lengthscale;
  length_ = 1 + 2 * margin_;
  // In one dimension kModes waves; in many the lowest shells, as many as fit.
  const double widest = d == 1 ? 1e12 : 4.0 * d * std::pow(static_cast<double>(kModes), 2.0 / d) + 4.0 * d;
  double limit = d, above = widest;  // Σ j² is a whole number
  while (above - limit > 1) {
    const double middle = std::floor(0.5 * (limit + above));
    (fits(d, middle) ? limit : above) = middle;
  }
  std::vector<double> sums;
  std::int64_t count = 0;
  (void)for_each_wave(d, limit, 0, count, [&](double sum) { sums.push_back(sum); });
  std::sort(sums.begin(), sums.end());
  masses_.reserve(sums.size());
  for (const double sum : sums) masses_.push_back(std::exp(log_mass(kPi * std::sqrt(sum) / length_)));
  tails_.assign(masses_.size() + 1, tail_beyond(kPi * std::sqrt(limit) / length_));
  for (std::size_t j = masses_.size(); j-- > 0;) tails_[j] = tails_[j + 1] + masses_[j];
}

double Spectrum::log_mass(double frequency) const {
  const double nu = smoothness(type_);
  return num_dims_ * std::log(4 * kPi * lengthscale_ / length_) + log_density(nu, num_dims_, frequency * lengthscale_);
}

// λ falls with the frequency, so each wave's λ is at most its mean over the cell of the lattice towards the origin: the
// sum is at most an integral that begins one cell's diagonal earlier. φ̄² = (2/length)^d doubles each coordinate's share.
double Spectrum::tail_beyond(double frequency) const {
  const double from = frequency - kPi * std::sqrt(num_dims_) / length_;
  return std::pow(2.0, num_dims_) * frequency_above(smoothness(type_), num_dims_, from * lengthscale_);
}

double Spectrum::log_count(double frequency) const {
  const double d = num_dims_;
  return 0.5 * d * std::log(kPi) - std::lgamma(0.5 * d + 1) + d * std::log(frequency * length_ / (2 * kPi));
}

double Spectrum::tail(double m) const {
  if (m < static_cast<double>(tails_.size())) return tails_[static_cast<std::size_t>(std::max(0.0, m))] + images_;
  const double frequency = std::exp((std::log(m) - log_count(1)) / num_dims_);  // log_count turned round
  return std::min(tails_.back(), tail_beyond(frequency)) + images_;
}

double Spectrum::size_for(double target, bool weighted) const {
  const auto enough = [&](double m, double rest) { return (weighted ? m + 1 : 1) * (rest + images_) <= target; };
  for (std::size_t m = 0; m < tails_.size(); ++m)
    if (enough(static_cast<double>(m), tails_[m])) return static_cast<double>(m);
  // Beyond what was computed one by one: along the frequency, in powers of two and then by halving.
  double high = kPi / length_ * std::sqrt(num_dims_);
  const auto holds = [&](double w) {
    const double m = std::exp(log_count(w));
    return m >= static_cast<double>(masses_.size()) && std::isfinite(m) && enough(m, std::min(tails_.back(), tail_beyond(w)));
  };
  while (!holds(high)) {
    high *= 2;
    if (high > 1e100 || !std::isfinite(std::exp(log_count(high)))) return kInfinity;
  }
  return std::ceil(std::exp(log_count(first_where(high / 2, high, holds))));
}

Spectra::Spectra(KernelType type, int num_dims, double lengthscale) {
  for (double accuracy = 0.1; accuracy > 1e-25; accuracy *= 1e-3) spectra_.emplace_back(type, num_dims, lengthscale, accuracy);
}

double Spectra::tail(double m) const {
  double best = 1;  // k(x,x): without any wave no more is lost
  for (const Spectrum& spectrum : spectra_) best = std::min(best, spectrum.tail(m));
  return best;
}

double Spectra::size_for(double target, bool weighted) const {
  double best = kInfinity;
  for (const Spectrum& spectrum : spectra_) best = std::min(best, spectrum.size_for(target, weighted));
  return best;
}

}  // namespace salvo

#include "acquire/normal.h"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace salvo {
namespace {

constexpr double kTail = -30;  // below it the asymptotic series has 9 digits, and Φ nears the smallest number
const double kLogSqrt2Pi = 0.5 * std::log(2 * std::numbers::pi);

double log_pdf(double z) { return -0.5 * z * z - kLogSqrt2Pi; }
// Φ(z) = φ(z)/|z| · tail(z) and φ(z) + zΦ(z) = φ(z)/z² · improvement_tail(z) for z ≪ 0.
double tail(double z) {
  const double u = 1 / (z * z);
  return 1 - u * (1 - u * (3 - u * (15 - 105 * u)));
}
double improvement_tail(double z) {
  const double u = 1 / (z * z);
  return 1 - u * (3 - u * (15 - u * (105 - 945 * u)));
}

}  // namespace

double normal_pdf(double z) { return std::exp(log_pdf(z)); }

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double normal_quantile(double p) { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p); }

double log_normal_cdf(double z) { return z > kTail ? std::log(normal_cdf(z)) : log_pdf(z) - std::log(-z) + std::log(tail(z)); }

double inverse_mills(double z) { return z > kTail ? normal_pdf(z) / normal_cdf(z) : -z / tail(z); }

double log_improvement(double z) {
  if (z > kTail) return std::log(normal_pdf(z) + z * normal_cdf(z));
  return log_pdf(z) - 2 * std::log(-z) + std::log(improvement_tail(z));
}

double log_improvement_slope(double z) {
  if (z > kTail) return normal_cdf(z) / (normal_pdf(z) + z * normal_cdf(z));
  return -z * tail(z) / improvement_tail(z);
}

}  // namespace salvo

#pragma once

// The standard normal distribution, accurate far out in the tails.
namespace salvo {

[[nodiscard]] double normal_pdf(double z);
[[nodiscard]] double normal_cdf(double z);
[[nodiscard]] double normal_quantile(double p);  // 0 < p < 1
[[nodiscard]] double log_normal_cdf(double z);
[[nodiscard]] double inverse_mills(double z);  // φ(z)/Φ(z) = d log Φ/dz

// log(φ(z) + zΦ(z)): the expected improvement of a unit normal, as a logarithm, since it falls below the smallest
// number long before an optimiser has stopped comparing.
[[nodiscard]] double log_improvement(double z);
[[nodiscard]] double log_improvement_slope(double z);  // its derivative

}  // namespace salvo

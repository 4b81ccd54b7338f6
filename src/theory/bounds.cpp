#include <salvo/plan.h>

#include <cmath>
#include <limits>

namespace salvo {

Approximation proposition1(double kappa, double epsilon) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  Approximation out{.kappa = kappa, .epsilon = epsilon};
  const double root = std::sqrt(3 * kappa);
  out.a_low = out.speaks() ? 1 / std::sqrt(1 - root) : kNone;
  out.a_high = std::sqrt(1 + root);
  out.c = std::sqrt(kappa);
  return out;
}

// docs/theory.md; N_T = T^{2d}, and B stands in the logarithm of b_T as in the paper's proof. R is measured in units of √τ:
// the paper's own R, taken as it is printed, gives a width that is exceeded where τ is small.
RegretBound theorem1(const RegretTerms& terms, const Approximation& approximation) {
  const auto T = static_cast<double>(terms.steps), B = static_cast<double>(terms.batch);
  RegretBound out;
  const double width = terms.norm +
                       terms.subgaussian / std::sqrt(terms.noise) * std::sqrt(2 * (terms.gamma_all + 1 + 2 * std::log(T))) +
                       approximation.c;
  out.alpha = 2 * approximation.a_low * width;
  out.b = std::sqrt(2 * (std::log(B) + (2 * terms.num_dims + 2) * std::log(T)));
  out.beta = out.alpha * (out.b + 0.5);
  out.exploring = 30 * approximation.a_high * out.beta * B * std::sqrt(2 * T * terms.gamma_steps / std::log1p(1 / terms.noise));
  out.approximating = approximation.epsilon > 0 ? (31 * out.beta + out.alpha) * approximation.epsilon * T * B : 0;
  out.constant = 15 * B * terms.norm + 2 * B;
  return out;
}

}  // namespace salvo

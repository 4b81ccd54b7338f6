#include "theory/table1.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "theory/spectrum.h"

namespace salvo {

Table1 table1(KernelType type, int num_dims, bool points) {
  const double nu = smoothness(type), d = num_dims;
  const auto power = [](double exponent) { return fmt::format("T^{:.3g}", exponent); };
  if (std::isinf(nu)) {
    const std::string logs = num_dims == 1 ? "log T" : fmt::format("(log T)^{}", num_dims);
    return {logs, logs, fmt::format("B·N·T·{0} + B·T²·(log T)^{1}", logs, 2 * num_dims)};
  }
  if (points && 2 * nu <= d) return {"none (2ν ≤ d)", "none", "none"};
  if (points) {
    const double quadratic = std::min(4 * d / (2 * nu - d), 2.0);
    return {power(2 * d / (2 * nu - d)), power((2 * nu + d) * d / (2 * (2 * nu - d) * nu)),
            fmt::format("B·N·{} + B·{}", power((4 * nu * nu + d * d) / (2 * (2 * nu - d) * nu)), power(2 + quadratic))};
  }
  return {
      power(d / (2 * nu)), power((2 * nu + d) * d / (4 * nu * nu)),
      fmt::format("B·N·{} + B·{}", power(((2 * nu + d) * (2 * nu + d) - 2 * nu * d) / (4 * nu * nu)), power((2 * nu + d) / nu))};
}

double table1_cost(const PlanOptions& options, double m, double M) {
  const auto T = static_cast<double>(options.steps), B = static_cast<double>(options.batch);
  return B * (M + m) * static_cast<double>(options.num_candidates) * T + B * m * m * T * T;
}

double vanilla_cost(const PlanOptions& options) {
  const auto T = static_cast<double>(options.steps), B = static_cast<double>(options.batch);
  return B * std::pow(static_cast<double>(options.num_candidates), 3) * T + std::pow(B, 3) * std::pow(T, 4);
}

}  // namespace salvo

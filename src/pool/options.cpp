#include <fmt/core.h>
#include <salvo/fields.h>

#include <cmath>
#include <stdexcept>

#include "text/check_fields.h"

namespace salvo {

void PoolModelOptions::validate() const {
  each_field(*this, CheckFields("model."));
  const auto check = [](bool ok, const char* what, auto got) {
    if (!ok) throw std::invalid_argument(fmt::format("model.{}, got {}", what, got));
  };
  check(alpha <= 1e6, "alpha: expected at most 1e6", alpha);
  check(byte_budget >= 16 << 20, "byte_budget: expected at least 16777216 (16 MB)", byte_budget);
  check(min_variance > 0 && max_variance >= min_variance, "min_variance: expected a number > 0 and at most max_variance",
        min_variance);
  check(min_noise > 0 && max_noise >= min_noise, "min_noise: expected a number > 0 and at most max_noise", min_noise);
  check(std::isfinite(max_variance) && std::isfinite(max_noise), "max_variance: expected finite numbers, max_noise as well",
        max_variance);
  check(max_mean >= 0 && std::isfinite(max_mean), "max_mean: expected a finite number ≥ 0", max_mean);
}

}  // namespace salvo

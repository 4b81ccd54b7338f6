#include <fmt/format.h>
#include <salvo/rules.h>

#include "text/numbers.h"

namespace salvo {

std::string Whole::expected() const {
  if (low == std::numeric_limits<std::int64_t>::min()) return "a whole number";
  if (high == std::numeric_limits<std::int64_t>::max()) return fmt::format("a whole number, {} or more", low);
  return fmt::format("a whole number from {} to {}", low, high);
}

std::string Whole::type() const {
  if (high == std::numeric_limits<std::int64_t>::max()) return fmt::format("whole number ≥ {}", low);
  return fmt::format("whole number from {} to {}", low, high);
}

std::string Real::expected() const {
  return std::isfinite(low) ? fmt::format("a finite number {} {}", open ? ">" : "≥", shortest(low)) : "a finite number";
}

std::string Real::type() const {
  return std::isfinite(low) ? fmt::format("number {} {}", open ? ">" : "≥", shortest(low)) : "number";
}

}  // namespace salvo

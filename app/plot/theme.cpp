#include "plot/theme.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace salvo::app::plot {

std::string value_colour(double share) {
  static constexpr std::array<std::array<double, 3>, 5> kStops = {
      {{232, 224, 196}, {170, 212, 170}, {84, 170, 176}, {38, 104, 160}, {16, 32, 92}}};
  const double at = std::clamp(std::isnan(share) ? 0.0 : share, 0.0, 1.0) * (kStops.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
  const double t = at - static_cast<double>(i);
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround(kStops[i][c] + t * (kStops[i + 1][c] - kStops[i][c])));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

}  // namespace salvo::app::plot

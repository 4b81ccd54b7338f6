#include "plot/marks.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace salvo::app::plot {
namespace {

constexpr std::size_t kMaxTitled = 2000, kMaxDots = 6000;

void draw_density(Svg& svg, const std::vector<Point>& points, const Box& box, std::string_view colour) {
  constexpr double kCell = 3;
  std::map<std::pair<int, int>, int> cells;
  for (const Point& p : points) {
    if (p.x < box.x || p.x > box.right() || p.y < box.y || p.y > box.bottom()) continue;
    ++cells[{static_cast<int>((p.x - box.x) / kCell), static_cast<int>((p.y - box.y) / kCell)}];
  }
  int most = 1;
  for (const auto& [at, n] : cells) most = std::max(most, n);
  constexpr int kLevels = 6;
  std::vector<std::vector<Point>> corners(kLevels);
  for (const auto& [at, n] : cells) {
    const double share = most > 1 ? std::log(n) / std::log(most) : 1.0;
    const int level = std::min(kLevels - 1, static_cast<int>(share * kLevels));
    corners[static_cast<std::size_t>(level)].push_back({box.x + kCell * at.first, box.y + kCell * at.second});
  }
  for (int level = 0; level < kLevels; ++level) {
    svg.squares(corners[static_cast<std::size_t>(level)], kCell, colour, 0.25 + 0.75 * level / (kLevels - 1));
  }
}

}  // namespace

void draw_marks(Svg& svg, const std::vector<Point>& points, const Box& box, std::string_view colour,
                const std::function<std::string(std::size_t)>& title) {
  if (points.size() > kMaxDots) return draw_density(svg, points, box, colour);
  const double crowd = static_cast<double>(points.size()) / (box.w * box.h);  // per square pixel
  const double radius = crowd > 0.01 ? 1.4 : crowd > 0.002 ? 1.9 : 2.6, opacity = crowd > 0.01 ? 0.45 : 0.6;
  if (!title || points.size() > kMaxTitled) return svg.dots(points, radius, colour, opacity);
  for (std::size_t i = 0; i < points.size(); ++i) svg.circle(points[i], radius, colour, opacity, title(i));
}

}  // namespace salvo::app::plot

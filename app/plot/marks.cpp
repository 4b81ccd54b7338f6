#include "plot/marks.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace salvo::app::plot {
namespace {

constexpr std::size_t max_titled = 2000, max_dots = 6000;

void draw_density(Svg& svg, const std::vector<Point>& points, const Box& box, std::string_view colour) {
  constexpr double cell = 3;
  std::map<std::pair<int, int>, int> cells;
  for (const Point& p : points) {
    if (p.x < box.x || p.x > box.right() || p.y < box.y || p.y > box.bottom()) continue;
    ++cells[{static_cast<int>((p.x - box.x) / cell), static_cast<int>((p.y - box.y) / cell)}];
  }
  int most = 1;
  for (const auto& [at, n] : cells) most = std::max(most, n);
  constexpr int levels = 6;
  std::vector<std::vector<Point>> corners(levels);
  for (const auto& [at, n] : cells) {
    const double share = most > 1 ? std::log(n) / std::log(most) : 1.0;
    const int level = std::min(levels - 1, static_cast<int>(share * levels));
    corners[static_cast<std::size_t>(level)].push_back({box.x + cell * at.first, box.y + cell * at.second});
  }
  for (int level = 0; level < levels; ++level) {
    svg.squares(corners[static_cast<std::size_t>(level)], cell, colour, 0.25 + 0.75 * level / (levels - 1));
  }
}

}  // namespace

void draw_marks(Svg& svg, const std::vector<Point>& points, const Box& box, std::string_view colour,
                const std::function<std::string(std::size_t)>& title) {
  if (points.size() > max_dots) return draw_density(svg, points, box, colour);
  const double crowd = static_cast<double>(points.size()) / (box.w * box.h);  // per square pixel
  const double radius = crowd > 0.01 ? 1.4 : crowd > 0.002 ? 1.9 : 2.6, opacity = crowd > 0.01 ? 0.45 : 0.6;
  if (!title || points.size() > max_titled) return svg.dots(points, radius, colour, opacity);
  for (std::size_t i = 0; i < points.size(); ++i) svg.circle(points[i], radius, colour, opacity, title(i));
}

}  // namespace salvo::app::plot

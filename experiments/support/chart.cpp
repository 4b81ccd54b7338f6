#include "support/chart.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "plot/axis.h"
#include "plot/page.h"
#include "plot/theme.h"

namespace salvo::experiments {
namespace {

using namespace app::plot;

constexpr std::string_view kColours[] = {"#1f5fa8", "#d9772b", "#3b8f4d", "#8e44ad", "#c0392b", "#777777"};
constexpr double kPlotHeight = 250;

std::string_view colour(std::size_t i) { return kColours[i % std::size(kColours)]; }

bool shown(const Panel& panel, double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && (!panel.log_x || x > 0) && (!panel.log_y || y > 0);
}

double legend_height(const Panel& panel) { return 16.0 * static_cast<double>(panel.series.size()); }

void draw_panel(Svg& svg, const Panel& panel, double left, double top, double width) {
  app::plot::Range rx{1e300, -1e300}, ry{1e300, -1e300};
  for (const Series& series : panel.series)
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!shown(panel, series.x[i], series.y[i])) continue;
      rx = {std::min(rx.low, series.x[i]), std::max(rx.high, series.x[i])};
      ry = {std::min(ry.low, series.y[i]), std::max(ry.high, series.y[i])};
    }
  if (rx.low > rx.high) return;
  const Scale sx = panel.log_x ? Scale::log : Scale::linear, sy = panel.log_y ? Scale::log : Scale::linear;
  rx = padded(rx, sx);
  ry = padded(ry, sy);
  const double plot_top = top + 26 + legend_height(panel);
  const Axis y(ry.low, ry.high, sy, plot_top + kPlotHeight, plot_top);
  const double room = 34 + label_room(y, kPlotHeight, 11);
  const Box box{left + room, plot_top, width - room - 20, kPlotHeight};
  const Axis x(rx.low, rx.high, sx, box.x, box.right());
  svg.text({box.x, top + 14}, panel.title, {.size = 13, .colour = kInk, .bold = true});
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    const double at = top + 32 + 16.0 * static_cast<double>(s);
    svg.line({box.x, at - 4}, {box.x + 18, at - 4}, colour(s), 3, panel.series[s].dashed ? "4 3" : "");
    svg.text({box.x + 24, at}, panel.series[s].label, {.size = 11, .colour = kSoftInk});
  }
  draw_axes(svg, box, x, y, panel.x_label, panel.y_label, 11);
  svg.open_clip({box.x - 3, box.y - 3, box.w + 6, box.h + 6});
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    const Series& series = panel.series[s];
    std::vector<Point> points;
    for (std::size_t i = 0; i < series.x.size(); ++i)
      if (shown(panel, series.x[i], series.y[i])) points.push_back({x(series.x[i]), y(series.y[i])});
    if (series.dashed) {
      for (std::size_t i = 1; i < points.size(); ++i) svg.line(points[i - 1], points[i], colour(s), 1.5, "4 3");
    } else {
      svg.polyline(points, colour(s), 2);
      svg.dots(points, 3, colour(s), 1);
    }
  }
  svg.close_clip();
  draw_border(svg, box);
}

}  // namespace

void write_chart(const std::string& path, const std::string& title, const std::string& remark, const std::vector<Panel>& panels) {
  Figure figure{.height = kHeadingHeight, .svg = {}};
  draw_heading(figure.svg, "", remark);
  const double wide = (kPageWidth - 20) / 2;
  for (std::size_t i = 0; i < panels.size(); i += 2) {
    double tallest = 0;
    for (std::size_t j = i; j < std::min(i + 2, panels.size()); ++j) {
      draw_panel(figure.svg, panels[j], 10 + wide * static_cast<double>(j - i), figure.height, wide);
      tallest = std::max(tallest, 26 + legend_height(panels[j]) + kPlotHeight + 60);
    }
    figure.height += tallest;
  }
  check_target(path);
  write({title, {figure}}, path);
}

}  // namespace salvo::experiments

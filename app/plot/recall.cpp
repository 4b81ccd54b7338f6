#include <fmt/core.h>

#include <algorithm>

#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/theme.h"
#include "text.h"

namespace salvo::app::plot {
namespace {

// The share of the best candidates that was found by each evaluation. Those that tie with the last of the best count as
// well, but no more than there are places.
std::vector<double> recall(const Data& data, std::size_t num_best) {
  const double threshold = data.known[num_best - 1];
  std::vector<double> shares;
  std::size_t found = 0;
  for (const Trial& trial : data.done) {
    found += !data.better(threshold, *trial.value());
    shares.push_back(std::min(1.0, static_cast<double>(found) / static_cast<double>(num_best)));
  }
  return shares;
}

}  // namespace

Figure recall_figure(const Data& data) {
  if (data.done.empty() || data.known.empty()) return empty_figure("Recall");
  Figure figure{.height = 360, .svg = {}};
  Svg& svg = figure.svg;
  struct Line {
    double share;
    std::string_view colour;
    std::size_t num_best = 1;
    std::vector<double> found{};
  };
  std::vector<Line> all = {{0.1, kModelColour}, {0.01, kBestColour}};
  double highest = 0.01;
  for (Line& line : all) {
    line.num_best = std::max<std::size_t>(1, static_cast<std::size_t>(line.share * static_cast<double>(data.known.size())));
    line.found = recall(data, line.num_best);
    highest = std::max(highest, line.found.back());
  }
  const double top = kHeadingHeight + 22, bottom = figure.height - 52;
  const Axis y(0, std::min(1.0, 1.15 * highest), Scale::linear, bottom, top);
  const double left = 38 + label_room(y, bottom - top, 12);
  const Box box{left, top, kPageWidth - left - 30, bottom - top};
  const std::size_t n = data.done.size();
  const Axis x = Axis(0, static_cast<double>(std::max<std::size_t>(n, 5)), Scale::linear, box.x, box.right()).whole();
  draw_axes(svg, box, x, y, "evaluations", "share of the best found");

  std::string remark;
  double label = box.x;
  for (const Line& line : all) {
    std::vector<Point> points = {{x(0), y(0)}};
    for (std::size_t i = 0; i < n; ++i) points.push_back({x(static_cast<double>(i + 1)), y(line.found[i])});
    svg.polyline(points, line.colour, 2.5);
    const std::string name =
        fmt::format("the best {:g}% ({})", 100 * line.share, count(static_cast<std::int64_t>(line.num_best)));
    svg.line({label, kHeadingHeight + 4}, {label + 18, kHeadingHeight + 4}, line.colour, 3);
    svg.text({label + 24, kHeadingHeight + 8}, name, {.size = 12, .colour = kSoftInk});
    label += 48 + text_width(name, 12);
    remark += fmt::format("{}{:.1f}% of the best {:g}%", remark.empty() ? "" : ", ", 100 * line.found.back(), 100 * line.share);
  }
  const double chance = static_cast<double>(n) / static_cast<double>(data.known.size());
  svg.line({x(0), y(0)}, {x(static_cast<double>(n)), y(std::min(y.high(), chance))}, kAxisColour, 1.5, "6 4");
  svg.line({label, kHeadingHeight + 4}, {label + 18, kHeadingHeight + 4}, kAxisColour, 1.5, "6 4");
  svg.text({label + 24, kHeadingHeight + 8}, "by chance", {.size = 12, .colour = kSoftInk});
  draw_heading(svg, "Recall", fmt::format("{} after {}", remark, plural(static_cast<std::int64_t>(n), "evaluation")));
  draw_border(svg, box);
  return figure;
}

}  // namespace salvo::app::plot

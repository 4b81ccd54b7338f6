#include "paper/recall_picture.h"

#include <fmt/core.h>
#include <salvo/error.h>

#include <algorithm>
#include <fstream>

#include "plot/axis.h"
#include "plot/svg.h"
#include "plot/theme.h"

namespace salvo::experiments {
namespace {

using namespace salvo::app::plot;
constexpr std::string_view kCurveColours[] = {"#1f5fa8", "#d9772b", "#3b8f4d", "#c0392b", "#7d5ba6", "#8496ab", "#222222"};

void draw_panel(Svg& svg, const RecallPanel& panel, const Box& box) {
  double most_x = 1, most_y = 0.01;
  for (const RecallLine& line : panel.lines) {
    most_x = std::max(most_x, line.x.back());
    most_y = std::max(most_y, *std::max_element(line.high.begin(), line.high.end()));
  }
  const Axis x(0, most_x, Scale::linear, box.x, box.right()), y(0, 1.05 * most_y, Scale::linear, box.bottom(), box.y);
  svg.text({box.x, box.y - 10}, panel.title, {.size = 13, .colour = kInk, .bold = true});
  draw_axes(svg, box, x, y, "evaluations", "");
  for (std::size_t l = 0; l < panel.lines.size(); ++l) {
    const RecallLine& line = panel.lines[l];
    const std::string_view colour = kCurveColours[l % std::size(kCurveColours)];
    std::vector<Point> middle, band;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      middle.push_back({x(line.x[i]), y(line.median[i])});
      band.push_back({x(line.x[i]), y(line.high[i])});
    }
    for (std::size_t i = line.x.size(); i-- > 0;) band.push_back({x(line.x[i]), y(line.low[i])});
    svg.polygon(band, colour, 0.15);
    svg.polyline(middle, colour, 2);
  }
}

}  // namespace

void write_recall(const std::string& path, const std::string& title, const std::vector<RecallPanel>& panels) {
  constexpr double kHeight = 400, kLeft = 56, kTop = 92;
  Svg svg;
  svg.text({20, 30}, title, {.size = 18, .colour = kInk, .bold = true});
  const double width = (kPageWidth - 20) / static_cast<double>(panels.size());
  for (std::size_t p = 0; p < panels.size(); ++p)
    draw_panel(svg, panels[p], {kLeft + static_cast<double>(p) * width, kTop, width - kLeft - 20, kHeight - kTop - 50});
  Point at{20, 56};
  if (!panels.empty())
    for (std::size_t l = 0; l < panels.front().lines.size(); ++l) {
      const std::string& label = panels.front().lines[l].label;
      svg.line({at.x, at.y - 4}, {at.x + 18, at.y - 4}, kCurveColours[l % std::size(kCurveColours)], 3);
      svg.text({at.x + 24, at.y}, label, {.size = 12, .colour = kSoftInk});
      at.x += 24 + text_width(label, 12) + 16;
    }
  std::ofstream out(path);
  out << fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
             "font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\">\n<rect width=\"{0}\" height=\"{1}\" "
             "fill=\"#ffffff\"/>\n",
             kPageWidth, kHeight)
      << svg.body() << "</svg>\n";
  if (!out.flush()) throw Error(fmt::format("{}: cannot be written", path));
}

}  // namespace salvo::experiments

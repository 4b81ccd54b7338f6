#include "plot/regret.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/theme.h"
#include "text.h"

namespace salvo::app::plot {
namespace {

// Told apart by people who confuse red and green, and in grey by their lightness.
constexpr std::array<std::string_view, 10> kColours = {"#1f5fa8", "#d9772b", "#3b8f4d", "#a3348f", "#e0a800",
                                                       "#56b4d3", "#7a4a1f", "#8496ab", "#c0392b", "#222222"};
constexpr double kLegendRow = 18, kPanelHeight = 300;

enum class Centre { median, mean };

struct ErrorBand {
  double low, middle, high;
};

ErrorBand band(const Spread& regret, Centre centre) {
  if (centre == Centre::median) return {regret.lower, regret.median, regret.upper};
  const double error = std::isnan(regret.error) ? 0 : regret.error;
  return {regret.mean - error, regret.mean, regret.mean + error};
}

using Cases = std::vector<const CaseSummary*>;

Range value_range(const Cases& cases, Centre centre) {
  Range range{std::numeric_limits<double>::infinity(), 0};
  for (const CaseSummary* c : cases)
    for (const CurvePoint& point : c->curve) {
      const ErrorBand at = band(point.regret, centre);
      if (std::isinf(at.middle)) continue;
      if (at.middle > 0) range.low = std::min(range.low, at.low > 0.2 * at.middle ? at.low : 0.5 * at.middle);
      range.high = std::max(range.high, std::isinf(at.high) ? at.middle : at.high);
    }
  if (!(range.low < range.high)) return {range.high > 0 ? range.high / 10 : 1e-3, range.high > 0 ? range.high : 1};
  return range;
}

void draw_panel(Svg& svg, const Box& box, const Cases& cases, Centre centre, const Axis& y, bool by_batches) {
  const auto at = [&](const CurvePoint& point) { return static_cast<double>(by_batches ? point.batches : point.evaluations); };
  double low = std::numeric_limits<double>::infinity(), high = 0, least = std::numeric_limits<double>::infinity();
  for (const CaseSummary* c : cases) {
    low = std::min(low, at(c->curve.front()));
    high = std::max(high, at(c->curve.back()));
    least = std::min(least, at(c->curve.back()));
  }
  // Where one method ends long before another, a log axis shows both.
  const Scale scale = high > 4 * least ? Scale::log : Scale::linear;
  const Axis x = Axis(scale == Scale::log ? low : 0, high, scale, box.x, box.right()).whole();
  draw_axes(svg, box, x, y, by_batches ? "batches" : "evaluations", "");
  svg.open_clip({box.x - 2, box.y - 2, box.w + 4, box.h + 4});
  for (const bool lines : {false, true})
    for (std::size_t i = 0; i < cases.size(); ++i) {
      std::vector<Point> upper, lower, middle;
      for (const CurvePoint& point : cases[i]->curve) {
        const ErrorBand b = band(point.regret, centre);
        if (std::isinf(b.middle)) continue;  // nothing allowed is known yet
        const double px = x(at(point));
        middle.push_back({px, y(std::max(b.middle, y.low()))});
        upper.push_back({px, y(std::clamp(b.high, y.low(), y.high()))});
        lower.push_back({px, y(std::max(b.low, y.low()))});
      }
      if (middle.empty()) continue;
      const std::string_view colour = kColours[i % kColours.size()];
      if (lines) {
        svg.polyline(middle, colour, 2.2);
        if (middle.size() == 1) svg.circle(middle[0], 3, colour);
        continue;
      }
      upper.insert(upper.end(), lower.rbegin(), lower.rend());
      svg.polygon(upper, colour, 0.13);
    }
  svg.close_clip();
  draw_border(svg, box);
}

// Rows of names; returns the height they take.
double draw_legend(Svg& svg, double top, const Cases& cases) {
  Point at{66, top};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string label = shorten(cases[i]->which->method, 48);
    const double room = 24 + 0.9 * text_width(label, 12) + 18;
    if (at.x + room > kPageWidth - 20 && at.x > 66) at = {66, at.y + kLegendRow};
    svg.line({at.x, at.y - 4}, {at.x + 18, at.y - 4}, kColours[i % kColours.size()], 3);
    svg.text({at.x + 24, at.y}, label, {.size = 12, .colour = kSoftInk});
    at.x += room;
  }
  return at.y - top + kLegendRow;
}

Figure regret_figure(const Cases& cases, Centre centre) {
  Figure figure;
  std::size_t least = cases[0]->runs.size(), most = least;
  for (const CaseSummary* c : cases) {
    least = std::min(least, c->runs.size());
    most = std::max(most, c->runs.size());
  }
  const std::string runs =
      least == most ? plural(static_cast<std::int64_t>(most), "run") : fmt::format("{} to {} runs", least, most);
  const std::string_view what = centre == Centre::median ? "median and quartiles" : "mean and its standard error";
  const bool of_front = !std::isnan(cases[0]->which->hypervolume);
  draw_heading(figure.svg, cases[0]->which->problem,
               fmt::format("{}, {} of {}: {}", of_front ? "hypervolume" : "simple regret", what, runs,
                           of_front ? "of the front's true values, short of the best"
                                    : "the true value at the recommended point against the optimum"));
  const double top = kHeadingHeight + 8 + draw_legend(figure.svg, kHeadingHeight + 8, cases);
  const Range range = padded(value_range(cases, centre), Scale::log);
  const Axis y(range.low, range.high, Scale::log, top + kPanelHeight, top);
  const double left = 66, gap = 60, width = (kPageWidth - left - 20 - gap) / 2;
  draw_panel(figure.svg, {left, top, width, kPanelHeight}, cases, centre, y, false);
  draw_panel(figure.svg, {left + width + gap, top, width, kPanelHeight}, cases, centre, y, true);
  figure.height = top + kPanelHeight + 56;
  return figure;
}

}  // namespace

Picture regret_picture(const std::string& title, const std::vector<CaseSummary>& cases) {
  Picture picture{.title = one_line(title), .figures = {}};
  for (std::size_t i = 0; i < cases.size();) {
    Cases same;
    const std::string& problem = cases[i].which->problem;
    for (; i < cases.size() && cases[i].which->problem == problem; ++i) same.push_back(&cases[i]);
    picture.figures.push_back(regret_figure(same, Centre::median));
    picture.figures.push_back(regret_figure(same, Centre::mean));
  }
  return picture;
}

}  // namespace salvo::app::plot

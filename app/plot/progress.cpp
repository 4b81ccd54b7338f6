#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/marks.h"
#include "plot/theme.h"
#include "text.h"

namespace salvo::app::plot {
namespace {

// The running best of a series, as steps in pixels.
template <class Better, class Value>
std::vector<Point> steps(const std::vector<bool>& counts, const Axis& x, const Axis& y, Better better, Value value) {
  std::vector<Point> points;
  double best = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double v = value(i);
    if (!counts[i] || (!points.empty() && !better(v, best))) continue;
    if (!points.empty()) points.push_back({x(static_cast<double>(i + 1)), y(best)});
    points.push_back({x(static_cast<double>(i + 1)), y(v)});
    best = v;
  }
  if (!points.empty()) points.push_back({x(static_cast<double>(counts.size())), y(best)});
  return points;
}

// All values, or without the far tail when a few values would flatten the rest.
Range value_range(const Data& data) {
  std::vector<double> values;
  for (const Trial& trial : data.done) values.push_back(*trial.value());
  std::sort(values.begin(), values.end());
  Range range{values.front(), values.back()};
  if (suitable_scale(range.low, range.high) == Scale::linear && values.size() >= 50) {
    const double low = quantile(values, 0.02), high = quantile(values, 0.98), core = high - low;
    if (core > 0 && range.high - range.low > 12 * core) {
      // The good end is what the picture is about; only the other is cut.
      if (data.direction == Direction::maximize) range.low = std::max(range.low, low - core);
      if (data.direction == Direction::minimize) range.high = std::min(range.high, high + core);
    }
  }
  // The model's line belongs in the frame, unless the model is so far off that the observations would vanish.
  const double span = range.high - range.low;
  if (data.mean.size() > 0 && data.direction == Direction::maximize) {
    range.high = std::max(range.high, std::min(*std::max_element(data.mean.begin(), data.mean.end()), range.high + span));
  } else if (data.mean.size() > 0) {
    range.low = std::min(range.low, std::max(*std::min_element(data.mean.begin(), data.mean.end()), range.low - span));
  }
  if (const Constraint* bounds = data.bounds())
    for (const double bound : {bounds->min, bounds->max})
      if (std::isfinite(bound)) range = {std::min(range.low, bound), std::max(range.high, bound)};
  if (data.optimum) range = {std::min(range.low, *data.optimum), std::max(range.high, *data.optimum)};
  return range;
}

void legend(Svg& svg, Point at, const std::vector<std::pair<std::string_view, std::string>>& entries) {
  for (const auto& [colour, label] : entries) {
    svg.line({at.x, at.y - 4}, {at.x + 18, at.y - 4}, colour, 3);
    svg.text({at.x + 24, at.y}, label, {.size = 12, .colour = kSoftInk});
    at.x += 24 + 0.9 * text_width(label, 12) + 18;
  }
}

}  // namespace

Figure progress_figure(const Data& data) {
  if (data.done.empty()) return empty_figure("Progress");
  Figure figure{.height = 420, .svg = {}};
  const Range range = value_range(data);
  const Scale scale = suitable_scale(range.low, range.high);
  const Range shown = padded(range, scale);
  const double top = kHeadingHeight + 22, bottom = figure.height - 52;
  const Axis y(shown.low, shown.high, scale, bottom, top);
  const double left = 38 + label_room(y, bottom - top, 12);
  const Box box{left, top, kPageWidth - left - 30, bottom - top};
  const std::size_t n = data.done.size();
  const Axis x = Axis(n > 5 ? 1 : 0, n > 5 ? static_cast<double>(n) : 5, Scale::linear, box.x, box.right()).whole();

  std::vector<Point> marks, not_feasible;
  std::vector<std::size_t> which, which_not;
  std::size_t outside = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double value = *data.done[i].value();
    outside += value < shown.low || value > shown.high;
    (data.feasible[i] ? marks : not_feasible).push_back({x(static_cast<double>(i + 1)), y(value)});
    (data.feasible[i] ? which : which_not).push_back(i);
  }
  std::string remark = plural(static_cast<std::int64_t>(n), "observation");
  if (data.failed > 0) remark += fmt::format(", {} failed", count(data.failed));
  if (outside > 0) remark += fmt::format(", {} beyond the frame", count(static_cast<std::int64_t>(outside)));
  if (!not_feasible.empty()) remark += fmt::format(", {} not known to keep to the constraints", count(std::ssize(not_feasible)));
  if (data.recommended) {
    remark += fmt::format("; recommended: trial {}, {} by the model", count(data.recommended->trial.id),
                          with_error(data.recommended->mean, data.recommended->stddev));
  }
  draw_heading(figure.svg, "Progress", remark);
  std::vector<std::pair<std::string_view, std::string>> entries = {
      {kObservedColour, "observed"},
      {kBestColour, "best observed so far"},
      {kModelColour, "recommended: the final model's mean at the best of the first n"}};
  if (data.bounds()) entries = {{kObservedColour, "observed"}, {kKnownColour, "bound"}};
  if (!not_feasible.empty()) entries.insert(entries.begin() + 1, {kNotFeasibleColour, "not feasible"});
  if (data.optimum) entries.emplace_back(kKnownColour, "optimum");
  legend(figure.svg, {box.x, kHeadingHeight + 8}, entries);
  draw_axes(figure.svg, box, x, y, "evaluations", data.value_label());

  Svg& svg = figure.svg;
  svg.open_clip({box.x - 4, box.y - 4, box.w + 8, box.h + 8});
  const auto title_of = [&](const std::vector<std::size_t>& places) {
    return [&data, &places](std::size_t i) {
      const Trial& trial = data.done[places[i]];
      return fmt::format("trial {}: {}", trial.id, number(*trial.value(), 6));
    };
  };
  if (!not_feasible.empty()) draw_marks(svg, not_feasible, box, kNotFeasibleColour, title_of(which_not));
  draw_marks(svg, marks, box, kObservedColour, title_of(which));
  if (const Constraint* bounds = data.bounds())
    for (const double bound : {bounds->min, bounds->max})
      if (std::isfinite(bound)) svg.line({box.x, y(bound)}, {box.right(), y(bound)}, kKnownColour, 1.5, "6 4");
  if (data.optimum) svg.line({box.x, y(*data.optimum)}, {box.right(), y(*data.optimum)}, kKnownColour, 1.5, "6 4");
  const auto better = [&](double a, double b) { return data.better(a, b); };
  const auto draw_best = [&](const auto& value, std::string_view colour, double width) {
    const std::vector<Point> line = steps(data.feasible, x, y, better, value);
    if (!line.empty() && !data.bounds()) svg.polyline(line, colour, width);
  };
  draw_best([&](std::size_t i) { return *data.done[i].value(); }, kBestColour, 2);
  if (!data.mean.empty()) draw_best([&](std::size_t i) { return data.mean[i]; }, kModelColour, 2.5);
  if (data.recommended) svg.circle({x(static_cast<double>(n)), y(data.recommended->mean)}, 4, kModelColour);
  svg.close_clip();
  draw_border(svg, box);
  return figure;
}

}  // namespace salvo::app::plot

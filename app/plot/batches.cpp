#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/theme.h"
#include "text.h"

namespace salvo::app::plot {
namespace {

// The values of the trials that were asked for at one moment, sorted, in the order of asking.
std::vector<std::vector<double>> batches_of(const Data& data) {
  std::map<double, std::vector<double>> by_time;
  for (const Trial& trial : data.done) by_time[trial.asked_at].push_back(*trial.value());
  std::vector<std::vector<double>> out;
  for (auto& [time, values] : by_time) {
    std::sort(values.begin(), values.end());
    out.push_back(std::move(values));
  }
  return out;
}

}  // namespace

Figure batches_figure(const Data& data) {
  if (data.done.empty()) return empty_figure("Batches");
  const auto batches = batches_of(data);
  Range range{batches[0].front(), batches[0].back()};
  for (const auto& values : batches) range = {std::min(range.low, values.front()), std::max(range.high, values.back())};
  const Scale scale = suitable_scale(range.low, range.high);
  const Range shown = padded(range, scale);
  Figure figure{.height = 340, .svg = {}};
  Svg& svg = figure.svg;
  const double top = kHeadingHeight, bottom = figure.height - 52;
  const Axis y(shown.low, shown.high, scale, bottom, top);
  const double left = 38 + label_room(y, bottom - top, 12);
  const Box box{left, top, kPageWidth - left - 30, bottom - top};
  const auto n = static_cast<double>(batches.size());
  const Axis x = Axis(0.5, n + 0.5, Scale::linear, box.x, box.right()).whole();
  draw_heading(svg, "Batches", "values of each batch: all of them, the middle half, the median");
  draw_axes(svg, box, x, y, "batch", data.value_label());
  const double half = std::clamp(0.35 * box.w / n, 0.5, 14.0);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const auto& values = batches[i];
    const double at = x(static_cast<double>(i + 1)), high = y(quantile(values, 0.75)), low = y(quantile(values, 0.25)),
                 middle = y(quantile(values, 0.5));
    svg.line({at, y(values.front())}, {at, y(values.back())}, kObservedColour, std::min(1.5, half));
    svg.rect({at - half, high, 2 * half, std::max(1.0, low - high)}, kObservedColour, 0.7,
             fmt::format("batch {}: {}, median {}", i + 1, plural(std::ssize(values), "value"), number(quantile(values, 0.5))));
    svg.line({at - half, middle}, {at + half, middle}, kBestColour, 2);
  }
  draw_border(svg, box);
  return figure;
}

}  // namespace salvo::app::plot

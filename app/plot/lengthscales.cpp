#include <fmt/core.h>

#include <algorithm>

#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/theme.h"
#include "report.h"
#include "text.h"

namespace salvo::app::plot {

Figure lengthscales_figure(const Data& data) {
  if (!data.model) return empty_figure("Length-scales");
  std::vector<std::string> names;
  for (const std::string& coordinate : data.model->coordinates) names.push_back(coordinate_label(data.file, coordinate));
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < names.size(); ++i) order.push_back(i);
  const auto scale_of = [&](std::size_t i) { return data.model->lengthscales[i]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scale_of(a) < scale_of(b); });
  constexpr std::size_t kMost = 40;
  const bool cut = order.size() > kMost;
  if (cut) order.resize(kMost);

  const double row = 22;
  Figure figure{.height = kHeadingHeight + row * static_cast<double>(order.size()) + 44, .svg = {}};
  Svg& svg = figure.svg;
  draw_heading(svg, "Length-scales",
               fmt::format("in shares of each parameter's range; short: the objective changes fast along it{}",
                           cut ? fmt::format("; the {} shortest of {}", kMost, names.size()) : ""));
  double room = 0, longest = 0;
  for (const std::size_t i : order) {
    room = std::max(room, text_width(shorten(names[i], 28), 12));
    longest = std::max(longest, scale_of(i));
  }
  const Box box{room + 30, kHeadingHeight + 6, kPageWidth - room - 110, row * static_cast<double>(order.size())};
  const Axis x(0, longest, Scale::linear, box.x, box.right());
  for (const Tick& tick : x.ticks(8)) {
    const double at = x(tick.value);
    svg.line({at, box.y}, {at, box.bottom()}, kGridColour);
    svg.text({at, box.bottom() + 18}, tick.label, {.anchor = Anchor::middle, .colour = kSoftInk});
  }
  double y = box.y;
  for (const std::size_t i : order) {
    const double length = scale_of(i);
    svg.text({box.x - 8, y + 0.5 * row + 4}, shorten(names[i], 28), {.anchor = Anchor::end});
    svg.rect({box.x, y + 4, x(length) - box.x, row - 8}, kModelColour, 0.8, fmt::format("{}: {}", names[i], number(length)));
    svg.text({x(length) + 6, y + 0.5 * row + 4}, number(length, 3), {.size = 11, .colour = kSoftInk});
    y += row;
  }
  draw_border(svg, box);
  return figure;
}

}  // namespace salvo::app::plot

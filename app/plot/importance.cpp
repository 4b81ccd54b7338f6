#include <fmt/core.h>

#include <algorithm>

#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/theme.h"
#include "text.h"

namespace salvo::app::plot {
namespace {

constexpr std::size_t kMaxBars = 40;
constexpr double kRow = 26;

struct Bar {
  VarianceShare share;
  std::string_view name, colour;
  double y, height, opacity;
};

// The bar from zero, and two standard deviations around its end.
void draw_bar(Svg& svg, const Axis& x, const Bar& bar, const std::string& parameter) {
  const double end = x(std::min(1.0, bar.share.value)), middle = bar.y + 0.5 * bar.height;
  svg.rect({x(0), bar.y, end - x(0), bar.height}, bar.colour, bar.opacity,
           fmt::format("{}: {} {:.1f}% ± {:.1f}%", parameter, bar.name, 100 * bar.share.value, 100 * bar.share.stddev));
  const double low = std::max(0.0, bar.share.value - 2 * bar.share.stddev),
               high = std::min(1.0, bar.share.value + 2 * bar.share.stddev);
  svg.line({x(low), middle}, {x(high), middle}, kInk, 1.2);
  for (const double at : {low, high}) svg.line({x(at), middle - 3}, {x(at), middle + 3}, kInk, 1.2);
}

}  // namespace

Figure importance_figure(const Data& data) {
  if (!data.importance) return empty_figure("Importance");
  std::vector<ParameterImportance> shown = data.importance->parameters;
  const bool cut = shown.size() > kMaxBars;
  if (cut) shown.resize(kMaxBars);
  std::vector<std::string> names;
  double room = 0;
  for (const ParameterImportance& each : shown) {
    names.push_back(data.label(data.space.parameters()[static_cast<std::size_t>(data.space.find(each.name))]));
    room = std::max(room, text_width(shorten(names.back(), 28), 12));
  }
  Figure figure{.height = kHeadingHeight + 22 + kRow * static_cast<double>(shown.size()) + 44, .svg = {}};
  Svg& svg = figure.svg;
  draw_heading(svg, "Importance",
               fmt::format("shares of the variance of the model's mean over the whole space, ± 2 standard deviations{}",
                           cut ? fmt::format("; the {} largest of {}", kMaxBars, data.importance->parameters.size()) : ""));
  const Box box{room + 30, kHeadingHeight + 22, kPageWidth - room - 60, kRow * static_cast<double>(shown.size())};
  const Axis x(0, 1, Scale::linear, box.x, box.right());
  double key = box.x;
  for (const auto& [colour, opacity, label] :
       {std::tuple{kModelColour, 0.85, "total, with its part of all interactions"}, {kBestColour, 0.75, "by itself"}}) {
    svg.rect({key, kHeadingHeight + 1, 14, 9}, colour, opacity);
    svg.text({key + 20, kHeadingHeight + 10}, label, {.size = 12, .colour = kSoftInk});
    key += 50 + text_width(label, 12);
  }
  for (int i = 0; i <= 10; i += 2) {
    const double at = x(0.1 * i);
    svg.line({at, box.y}, {at, box.bottom()}, kGridColour);
    svg.text({at, box.bottom() + 18}, fmt::format("{}%", 10 * i), {.anchor = Anchor::middle, .colour = kSoftInk});
  }
  double y = box.y;
  for (std::size_t i = 0; i < shown.size(); ++i, y += kRow) {
    svg.text({box.x - 8, y + 0.5 * kRow + 4}, shorten(names[i], 28), {.anchor = Anchor::end});
    draw_bar(svg, x, {shown[i].total, "in total", kModelColour, y + 3, 11, 0.85}, names[i]);
    draw_bar(svg, x, {shown[i].first, "by itself", kBestColour, y + 15, 7, 0.75}, names[i]);
  }
  draw_border(svg, box);
  return figure;
}

}  // namespace salvo::app::plot

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/theme.h"
#include "text.h"

namespace salvo::app::plot {
namespace {

constexpr std::size_t kMaxAxes = 16, kMaxLines = 1500, kMaxBest = 200;

// One vertical axis: a parameter, or the value.
struct Column {
  std::string name;
  Axis axis;
  const std::vector<Value>* choices = nullptr;
  double x = 0;

  [[nodiscard]] double place(const Value& value) const {
    if (!choices) return axis(as_number(value));
    const auto at = std::find(choices->begin(), choices->end(), value) - choices->begin();
    return axis(static_cast<double>(at));
  }
};

Column column(const Parameter& parameter, const std::string& name, double x, double bottom, double top) {
  Column made{.name = name, .axis = {}, .choices = choices_of(parameter.domain), .x = x};
  if (made.choices) made.axis = Axis(-0.5, static_cast<double>(made.choices->size()) - 0.5, Scale::linear, bottom, top);
  if (const auto* real = std::get_if<Float>(&parameter.domain)) made.axis = Axis(real->low, real->high, real->scale, bottom, top);
  if (const auto* whole = std::get_if<Int>(&parameter.domain)) {
    made.axis = Axis(static_cast<double>(whole->low), static_cast<double>(whole->high), whole->scale, bottom, top).whole();
  }
  return made;
}

// The best ones and an even share of the rest, worst first so that the best are drawn on top.
std::vector<std::size_t> chosen_lines(const Data& data) {
  std::vector<std::size_t> order(data.done.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return data.better(*data.done[b].value(), *data.done[a].value()); });
  if (order.size() <= kMaxLines) return order;
  std::vector<std::size_t> chosen;
  const std::size_t rest = order.size() - kMaxBest, wanted = kMaxLines - kMaxBest;
  for (std::size_t i = 0; i < wanted; ++i) chosen.push_back(order[i * rest / wanted]);
  chosen.insert(chosen.end(), order.end() - kMaxBest, order.end());
  return chosen;
}

void draw_column(Svg& svg, const Column& c, double gap) {
  const double top = c.axis.to(), bottom = c.axis.from();
  svg.line({c.x, top}, {c.x, bottom}, kAxisColour, 1.2);
  const int letters = std::max(4, static_cast<int>((gap - 10) / (0.62 * 12)));
  svg.text({c.x, top - 14}, shorten(c.name, letters), {.anchor = Anchor::middle, .colour = kInk, .bold = true});
  const auto label = [&](double y, const std::string& text) {
    const std::string shown = shorten(text, std::max(4, static_cast<int>((gap - 14) / (0.62 * 10))));
    svg.rect({c.x + 4, y - 7, text_width(shown, 10) + 4, 14}, "#ffffff", 0.75);
    svg.text({c.x + 6, y + 3.5}, shown, {.size = 10, .colour = kSoftInk});
    svg.line({c.x - 3, y}, {c.x + 3, y}, kAxisColour);
  };
  if (c.choices) {
    const std::size_t every = 1 + c.choices->size() / 18;
    for (std::size_t i = 0; i < c.choices->size(); i += every) label(c.axis(static_cast<double>(i)), to_string((*c.choices)[i]));
  } else {
    for (const Tick& tick : c.axis.ticks(5)) label(c.axis(tick.value), tick.label);
  }
}

}  // namespace

Figure parallel_figure(const Data& data) {
  if (data.done.empty()) return empty_figure("Parallel coordinates");
  Figure figure{.height = 400, .svg = {}};
  const double top = kHeadingHeight + 30, bottom = figure.height - 24, left = 70, right = kPageWidth - 80;
  const std::vector<int> parameters = shown_parameters(data, kMaxAxes);
  std::vector<std::size_t> others;  // outputs beside the one of the values
  for (std::size_t k = 0; k < data.outputs.size(); ++k)
    if (static_cast<int>(k) != data.output) others.push_back(k);
  const double gap = (right - left) / std::max<double>(1, static_cast<double>(parameters.size() + others.size()));

  std::vector<double> values;
  for (const Trial& trial : data.done) values.push_back(*trial.value());
  std::sort(values.begin(), values.end());
  const Scale scale = suitable_scale(values.front(), values.back());
  const double low = quantile(values, 0.05), high = quantile(values, 0.95);  // colours are not spent on the tails
  const Axis shade(low, high, scale, 0, 1);
  const auto colour = [&](double value) {
    const double share = high > low ? shade(value) : 1.0;
    return value_colour(data.direction == Direction::maximize ? share : high > low ? 1 - share : share);
  };
  std::vector<Column> columns;
  for (const int i : parameters) {
    const Parameter& parameter = data.space.parameters()[static_cast<std::size_t>(i)];
    columns.push_back(column(parameter, data.label(parameter), left + gap * static_cast<double>(columns.size()), bottom, top));
  }
  std::vector<Column> output_columns;
  for (const std::size_t k : others) {
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const auto& seen : data.seen)
      if (!std::isnan(seen[k])) range = {std::min(range.low, seen[k]), std::max(range.high, seen[k])};
    if (!(range.low <= range.high)) range = {};
    const Scale own = suitable_scale(range.low, range.high);
    const Range padded_range = padded(range, own, 0.02);
    output_columns.push_back({.name = data.outputs[k].name,
                              .axis = Axis(padded_range.low, padded_range.high, own, bottom, top),
                              .choices = nullptr,
                              .x = left + gap * static_cast<double>(columns.size() + output_columns.size())});
  }
  const Range shown = padded({values.front(), values.back()}, scale, 0.02);
  const Column value_column{
      .name = data.value_name(), .axis = Axis(shown.low, shown.high, scale, bottom, top), .choices = nullptr, .x = right};

  const std::vector<std::size_t> lines = chosen_lines(data);
  std::string remark = "one line per observation, dark for the best";
  if (lines.size() < data.done.size()) {
    remark += fmt::format("; {} of {}: the best {} and an even share of the rest", count(static_cast<std::int64_t>(lines.size())),
                          count(static_cast<std::int64_t>(data.done.size())), kMaxBest);
  }
  if (parameters.size() < static_cast<std::size_t>(data.space.num_free())) {
    remark += fmt::format("; the {} most important parameters", parameters.size());
  }
  const bool any_grey = std::find(data.feasible.begin(), data.feasible.end(), false) != data.feasible.end();
  if (any_grey) remark += "; grey: not known to keep to the constraints";
  draw_heading(figure.svg, "Parallel coordinates", remark);
  const double opacity = lines.size() > 400 ? 0.5 : 0.75;
  std::vector<std::size_t> ordered = lines;  // grey below
  std::stable_partition(ordered.begin(), ordered.end(), [&](std::size_t i) { return !data.feasible[i]; });
  for (const std::size_t i : ordered) {
    const Trial& trial = data.done[i];
    std::vector<Point> points;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      points.push_back({columns[c].x, columns[c].place(trial.params[static_cast<std::size_t>(parameters[c])])});
    }
    for (std::size_t c = 0; c < output_columns.size(); ++c)
      if (const double value = data.seen[i][others[c]]; !std::isnan(value))
        points.push_back({output_columns[c].x, output_columns[c].axis(value)});
    points.push_back({value_column.x, value_column.axis(*trial.value())});
    figure.svg.polyline(points, data.feasible[i] ? colour(*trial.value()) : kNotFeasibleColour, 1, opacity);
  }
  for (const Column& c : columns) draw_column(figure.svg, c, gap);
  for (const Column& c : output_columns) draw_column(figure.svg, c, gap);
  draw_column(figure.svg, value_column, 84);
  return figure;
}

}  // namespace salvo::app::plot

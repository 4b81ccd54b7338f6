#include "plot/agreement.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plot/axis.h"
#include "plot/data.h"
#include "plot/figures.h"
#include "plot/theme.h"
#include "text.h"

namespace salvo::app::plot {
namespace {

constexpr std::size_t kMaxPanels = 6;
constexpr std::string_view kExactColour = "#777777", kSparseColour = kModelColour, kPathColour = kBestColour;

// One model along a line: its mean and two standard deviations to both sides.
struct Band {
  const Vector& mean;
  const Vector& stddev;
  std::string_view colour;
  std::string_view dash;
};

std::array<Band, 3> bands(const Comparison& at) {
  return {{{at.exact_mean, at.exact_stddev, kExactColour, ""},
           {at.sparse_mean, at.sparse_stddev, kSparseColour, ""},
           {at.sparse_mean, at.path_stddev, kPathColour, "5 3"}}};
}

void draw_dashed(Svg& svg, const std::vector<Point>& points, std::string_view colour, std::string_view dash) {
  if (dash.empty()) return svg.polyline(points, colour, 1.6);
  for (std::size_t i = 1; i < points.size(); i += 2) svg.line(points[i - 1], points[i], colour, 1.6);
}

struct Line {
  int parameter = 0;
  bool levels = false;
  std::vector<Value> values;
  Comparison at;
};

std::vector<Line> lines_through(const Data& data, const Diagnosis& diagnosis) {
  std::vector<Line> lines;
  for (const int parameter : shown_parameters(data, kMaxPanels)) {
    Line line{.parameter = parameter, .levels = false, .values = {}, .at = {}};
    line.values = places(data.space.parameters()[static_cast<std::size_t>(parameter)].domain, line.levels);
    std::vector<Params> points;
    for (const Value& value : line.values) {
      points.push_back(data.recommended->trial.params);
      points.back()[static_cast<std::size_t>(parameter)] = value;
    }
    line.at = diagnosis.at(points);
    lines.push_back(std::move(line));
  }
  return lines;
}

void draw_panel(Svg& svg, const Data& data, const Line& line, const Box& box, const Axis& y) {
  const Parameter& parameter = data.space.parameters()[static_cast<std::size_t>(line.parameter)];
  const bool choices = choices_of(parameter.domain) != nullptr;
  const auto number_at = [&](std::size_t i) { return choices ? static_cast<double>(i) : as_number(line.values[i]); };
  const auto* real = std::get_if<Float>(&parameter.domain);
  const double first = number_at(0), last = number_at(line.values.size() - 1), air = line.levels ? 0.5 : 0;
  const Axis x(first - air, last + air, real ? real->scale : Scale::linear, box.x, box.right());
  svg.text({box.x + box.w / 2, box.y - 8}, shorten(data.label(parameter), 34),
           {.size = 12, .anchor = Anchor::middle, .colour = kInk, .bold = true});
  if (choices) {
    draw_y_axis(svg, box, y, "", 10);
    for (std::size_t i = 0; i < line.values.size(); ++i)
      svg.text({x(number_at(i)), box.bottom() + 15}, shorten(to_string(line.values[i]), 10),
               {.size = 10, .anchor = Anchor::middle, .colour = kSoftInk});
  } else {
    draw_axes(svg, box, line.levels ? x.whole() : x, y, "", "", 10);
  }
  svg.open_clip(box);
  double shift = -5;
  for (const Band& band : bands(line.at)) {
    std::vector<Point> low, middle, high;
    for (std::size_t i = 0; i < line.values.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const double at = x(number_at(i)) + (line.levels ? shift : 0), two = 2 * band.stddev[k];
      low.push_back({at, y(band.mean[k] - two)});
      middle.push_back({at, y(band.mean[k])});
      high.push_back({at, y(band.mean[k] + two)});
      if (line.levels) svg.line(low.back(), high.back(), band.colour, 2);
    }
    if (!line.levels) {
      if (band.colour == kExactColour) {
        std::vector<Point> area = high;
        area.insert(area.end(), low.rbegin(), low.rend());
        svg.polygon(area, kExactColour, 0.2);
      }
      draw_dashed(svg, low, band.colour, band.dash);
      draw_dashed(svg, high, band.colour, band.dash);
      if (band.dash.empty()) svg.polyline(middle, band.colour, 2);
    }
    shift += 5;
  }
  svg.close_clip();
  draw_border(svg, box);
}

Figure slices_of(const Data& data, const Diagnosis& diagnosis) {
  const std::vector<Line> lines = lines_through(data, diagnosis);
  Range range{1e300, -1e300};
  for (const Line& line : lines)
    for (const Band& band : bands(line.at)) {
      range.low = std::min(range.low, (band.mean - 2 * band.stddev).minCoeff());
      range.high = std::max(range.high, (band.mean + 2 * band.stddev).maxCoeff());
    }
  range = padded(range, Scale::linear);
  const int across = std::clamp(static_cast<int>(lines.size()), 1, 3);
  const int rows = (static_cast<int>(lines.size()) + across - 1) / across;
  const double height = 236, plot_height = 162;
  Figure figure{.height = kHeadingHeight + 6 + rows * height, .svg = {}};
  draw_heading(figure.svg, "Along each parameter, through the recommended point",
               "mean ± 2 standard deviations: the exact GP (grey), the sparse one (blue), its sample paths (orange, dashed)");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int row = static_cast<int>(i) / across, column = static_cast<int>(i) % across;
    const double top = kHeadingHeight + 30 + row * height, bottom = top + plot_height;
    const Axis y(range.low, range.high, Scale::linear, bottom, top);
    const double room = 16 + label_room(y, plot_height, 10), wide = (kPageWidth - 30) / across;
    draw_panel(figure.svg, data, lines[i], {10 + column * wide + room, top, wide - room - 14, plot_height}, y);
  }
  return figure;
}

// The standard deviations at observed points, the exact one along x.
Figure deviations_of(const Data& data, const Diagnosis& diagnosis) {
  constexpr std::size_t kMost = 1000;
  const std::size_t step = 1 + data.done.size() / kMost;
  std::vector<Params> points;
  for (std::size_t i = 0; i < data.done.size(); i += step) points.push_back(data.done[i].params);
  const Comparison at = diagnosis.at(points);
  Figure figure{.height = 420, .svg = {}};
  draw_heading(
      figure.svg, "Standard deviations at the observed points",
      "the sparse model (blue) and its sample paths (orange) against the exact GP; on the line they agree, below it they "
      "explore too little");
  Range range{1e300, -1e300};
  for (const Vector* v : {&at.exact_stddev, &at.sparse_stddev, &at.path_stddev}) {
    range.low = std::min(range.low, v->minCoeff());
    range.high = std::max(range.high, v->maxCoeff());
  }
  range.low = std::max(range.low, 1e-6 * range.high);
  const Scale scale = range.high / range.low > 5 ? Scale::log : Scale::linear;
  range = padded(range, scale);
  const double top = kHeadingHeight + 8, bottom = figure.height - 52;
  const Axis y(range.low, range.high, scale, bottom, top);
  const double left = 38 + label_room(y, bottom - top, 12);
  const Box box{left, top, kPageWidth - left - 30, bottom - top};
  const Axis x(range.low, range.high, scale, box.x, box.right());
  draw_axes(figure.svg, box, x, y, "standard deviation of the exact GP", "of the approximation");
  figure.svg.open_clip(box);
  figure.svg.line({box.x, y(range.low)}, {box.right(), y(range.high)}, kAxisColour, 1.5, "6 4");
  std::vector<Point> sparse, path;
  for (Eigen::Index i = 0; i < at.exact_stddev.size(); ++i) {
    path.push_back({x(at.exact_stddev[i]), y(at.path_stddev[i])});
    sparse.push_back({x(at.exact_stddev[i]), y(at.sparse_stddev[i])});
  }
  figure.svg.dots(path, 2, kPathColour, 0.5);
  figure.svg.dots(sparse, 2, kSparseColour, 0.5);
  figure.svg.close_clip();
  draw_border(figure.svg, box);
  return figure;
}

}  // namespace

Picture draw_agreement(Study& study, const std::optional<StudyFile>& file, const Diagnosis& diagnosis) {
  const Data data = read_data(study, file);
  Picture picture{.title = fmt::format("{}: can the model be trusted? {}", one_line(data.name), to_string(diagnosis.trust)),
                  .figures = {}};
  picture.figures.push_back(slices_of(data, diagnosis));
  picture.figures.push_back(deviations_of(data, diagnosis));
  return picture;
}

}  // namespace salvo::app::plot

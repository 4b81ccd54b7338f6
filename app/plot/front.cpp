#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/marks.h"
#include "plot/theme.h"
#include "text.h"

namespace salvo::app::plot {
namespace {

constexpr double kTwoSigma = 2;

const Objective& objective(const Data& data, std::size_t k) { return std::get<Objective>(data.outputs[k].role); }

std::string axis_label(const Data& data, std::size_t k) {
  return fmt::format("{} ({} is better)", data.outputs[k].name,
                     objective(data, k).direction == Direction::maximize ? "more" : "less");
}

bool better(const Data& data, std::size_t k, double a, double b) {
  return objective(data, k).direction == Direction::maximize ? a > b : a < b;
}

std::size_t num_objectives(const Data& data) {
  return static_cast<std::size_t>(std::count_if(data.outputs.begin(), data.outputs.end(), [](const salvo::Output& output) {
    return std::holds_alternative<Objective>(output.role);
  }));
}

// Two objectives against each other.
class FrontPanel {
 public:
  FrontPanel(const Data& data, std::size_t first, std::size_t second, const Box& room)
      : data_(data), i_(first), j_(second), box_(room) {
    const Range across = range_of(i_), up = range_of(j_);
    y_ = Axis(up.low, up.high, Scale::linear, box_.bottom(), box_.y);
    const double left = 30 + label_room(y_, box_.h, 11);
    box_ = {room.x + left, room.y, room.w - left - 16, room.h};
    x_ = Axis(across.low, across.high, Scale::linear, box_.x, box_.right());
  }

  void draw(Svg& svg) const {
    draw_axes(svg, box_, x_, y_, axis_label(data_, i_), axis_label(data_, j_), 11);
    svg.open_clip({box_.x - 3, box_.y - 3, box_.w + 6, box_.h + 6});
    draw_seen(svg, false, kNotFeasibleColour);
    draw_seen(svg, true, kObservedColour);
    if (num_objectives(data_) == 2) {
      for (const auto& [share, colour] : {std::pair(0.25, "#e7c19f"), std::pair(0.5, "#dfa063")})
        draw_attained(svg, share, colour);
      draw_staircase(svg, means(), kModelColour, 2);
    }
    draw_estimates(svg);
    draw_reference(svg);
    svg.close_clip();
    draw_border(svg, box_);
  }

 private:
  [[nodiscard]] Range range_of(std::size_t k) const {
    std::vector<double> all;
    for (const auto& seen : data_.seen)
      if (!std::isnan(seen[k])) all.push_back(seen[k]);
    for (const Recommendation& point : data_.front->front.points)
      for (const double side : {-kTwoSigma, kTwoSigma}) all.push_back(point.outputs[k].mean + side * point.outputs[k].stddev);
    if (all.empty()) return {};
    std::sort(all.begin(), all.end());
    Range range{all.front(), all.back()};
    // The good end is what the picture is about; a far tail at the other is cut.
    const double low = quantile(all, 0.05), high = quantile(all, 0.95), core = high - low;
    if (core > 0 && range.high - range.low > 4 * core) {
      if (objective(data_, k).direction == Direction::maximize)
        range.low = low - core;
      else
        range.high = high + core;
    }
    return padded(range, Scale::linear);
  }

  [[nodiscard]] Point at(const std::vector<double>& values) const { return {x_(values[i_]), y_(values[j_])}; }

  void draw_seen(Svg& svg, bool feasible, std::string_view colour) const {
    std::vector<Point> marks;
    std::vector<std::size_t> which;
    for (std::size_t t = 0; t < data_.done.size(); ++t) {
      const auto& seen = data_.seen[t];
      if (data_.feasible[t] != feasible || std::isnan(seen[i_]) || std::isnan(seen[j_])) continue;
      marks.push_back(at(seen));
      which.push_back(t);
    }
    if (marks.empty()) return;
    draw_marks(svg, marks, box_, colour, [&](std::size_t m) {
      const auto& seen = data_.seen[which[m]];
      return fmt::format("trial {}: {} {}, {} {}", data_.done[which[m]].id, data_.outputs[i_].name, number(seen[i_], 6),
                         data_.outputs[j_].name, number(seen[j_], 6));
    });
  }

  [[nodiscard]] std::vector<std::vector<double>> means() const {
    std::vector<std::vector<double>> out;
    for (const Recommendation& point : data_.front->front.points) {
      out.emplace_back();
      for (const Estimate& estimate : point.outputs) out.back().push_back(estimate.mean);
    }
    return out;
  }

  // What was reached by a share of the values, as they were observed.
  void draw_attained(Svg& svg, double share, std::string_view colour) const {
    const auto count = static_cast<std::size_t>(std::ceil(share * static_cast<double>(data_.done.size())));
    std::vector<std::vector<double>> reached;
    for (std::size_t t = 0; t < count; ++t)
      if (data_.feasible[t] && !std::isnan(data_.seen[t][i_]) && !std::isnan(data_.seen[t][j_])) reached.push_back(data_.seen[t]);
    draw_staircase(svg, reached, colour, 1.5);
  }

  // The border of what these points dominate, over to the edges of the frame.
  void draw_staircase(Svg& svg, std::vector<std::vector<double>> points, std::string_view colour, double width) const {
    if (points.empty()) return;
    std::sort(points.begin(), points.end(), [&](const auto& a, const auto& b) {
      return a[i_] != b[i_] ? better(data_, i_, a[i_], b[i_]) : better(data_, j_, a[j_], b[j_]);
    });
    const bool down = objective(data_, j_).direction == Direction::maximize,
               left = objective(data_, i_).direction == Direction::maximize;
    std::vector<Point> line = {{x_(points[0][i_]), down ? box_.bottom() : box_.y}};
    double best = points[0][j_];
    line.push_back(at(points[0]));
    for (const auto& point : points) {
      if (!better(data_, j_, point[j_], best)) continue;
      line.push_back({x_(point[i_]), y_(best)});
      line.push_back(at(point));
      best = point[j_];
    }
    line.push_back({left ? box_.x : box_.right(), y_(best)});
    svg.polyline(line, colour, width);
  }

  void draw_estimates(Svg& svg) const {
    for (const Recommendation& point : data_.front->front.points) {
      const Estimate &a = point.outputs[i_], &b = point.outputs[j_];
      const double x = x_(a.mean), y = y_(b.mean);
      const std::string_view colour = point.allowed ? kModelColour : kFailedColour;
      svg.line({x_(a.mean - kTwoSigma * a.stddev), y}, {x_(a.mean + kTwoSigma * a.stddev), y}, colour, 1);
      svg.line({x, y_(b.mean - kTwoSigma * b.stddev)}, {x, y_(b.mean + kTwoSigma * b.stddev)}, colour, 1);
      svg.circle({x, y}, 4, colour, 1,
                 fmt::format("trial {}: {} {}, {} {}", point.trial.id, data_.outputs[i_].name, with_error(a.mean, a.stddev),
                             data_.outputs[j_].name, with_error(b.mean, b.stddev)));
    }
  }

  void draw_reference(Svg& svg) const {
    const auto& reference = data_.front->front.reference;
    if (reference.size() <= std::max(i_, j_)) return;
    svg.line({x_(reference[i_]), box_.y}, {x_(reference[i_]), box_.bottom()}, kKnownColour, 1.2, "6 4");
    svg.line({box_.x, y_(reference[j_])}, {box_.right(), y_(reference[j_])}, kKnownColour, 1.2, "6 4");
  }

  const Data& data_;
  std::size_t i_, j_;
  Box box_;
  Axis x_, y_;
};

}  // namespace

Figure front_figure(const Data& data) {
  if (!data.front || data.front->front.points.empty()) return empty_figure("Front");
  const std::size_t count = num_objectives(data);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j) pairs.emplace_back(i, j);
  const std::size_t across = pairs.size() == 1 ? 1 : pairs.size() <= 4 ? 2 : 3, rows = (pairs.size() + across - 1) / across;
  const double height = pairs.size() == 1 ? 420 : 300, room = (kPageWidth - 30) / static_cast<double>(across);
  Figure figure{.height = kHeadingHeight + 10 + static_cast<double>(rows) * (height + 8), .svg = {}};
  std::string remark = fmt::format("{}, hypervolume {}; bars: ± 2 standard deviations",
                                   plural(std::ssize(data.front->front.points), "point"), number(data.front->front.hypervolume));
  if (count == 2) remark += "; pale: reached by a quarter and half of the values; dashed: the reference";
  if (std::find(data.feasible.begin(), data.feasible.end(), false) != data.feasible.end()) remark += "; grey: not feasible";
  draw_heading(figure.svg, "Front", remark);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const std::size_t row = p / across, column = p % across;
    const double x = 10 + room * static_cast<double>(column), y = kHeadingHeight + 10 + (height + 8) * static_cast<double>(row);
    FrontPanel(data, pairs[p].first, pairs[p].second, {x, y, room - 8, height - 54}).draw(figure.svg);
  }
  return figure;
}

Figure hypervolume_figure(const Data& data) {
  if (!data.front || data.front->growth.empty()) return empty_figure("Hypervolume");
  const auto& growth = data.front->growth;
  Figure figure{.height = 300, .svg = {}};
  double most = data.front->front.hypervolume;
  for (const HypervolumeStep& step : growth) most = std::max(most, step.hypervolume);
  const Range shown = padded({0, most > 0 ? most : 1}, Scale::linear);
  const double top = kHeadingHeight, bottom = figure.height - 52;
  const Axis y(0, shown.high, Scale::linear, bottom, top);
  const double left = 38 + label_room(y, bottom - top, 12);
  const Box box{left, top, kPageWidth - left - 30, bottom - top};
  const auto last = static_cast<double>(growth.back().evaluations);
  const Axis x = Axis(0, std::max(5.0, last), Scale::linear, box.x, box.right()).whole();
  draw_heading(figure.svg, "Hypervolume",
               "of the values observed, down to the reference; dashed: of the front as the model knows it");
  draw_axes(figure.svg, box, x, y, "evaluations", "hypervolume");
  std::vector<Point> line = {{x(0), y(0)}};
  for (const HypervolumeStep& step : growth) {
    const double at = x(static_cast<double>(step.evaluations));
    line.push_back({at, line.back().y});
    line.push_back({at, y(step.hypervolume)});
  }
  figure.svg.polyline(line, kBestColour, 2);
  const double now = y(data.front->front.hypervolume);
  figure.svg.line({box.x, now}, {box.right(), now}, kModelColour, 1.5, "6 4");
  draw_border(figure.svg, box);
  return figure;
}

}  // namespace salvo::app::plot

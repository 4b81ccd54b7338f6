#include "plot/slices.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/marks.h"
#include "plot/theme.h"
#include "text.h"

namespace salvo::app::plot {
namespace {

std::vector<Estimate> estimates_of(Study& study, const std::vector<Params>& points, int output) {
  if (points.empty()) return {};
  if (output == 0) return study.predict(points);
  std::vector<Estimate> out;
  for (const auto& each : study.predict_outputs(points)) out.push_back(each.at(static_cast<std::size_t>(output)));
  return out;
}

// The point with another value of one parameter, and what follows from it; none where the conditions do not hold.
std::optional<Params> moved(const Space& space, const Params& point, int parameter, const Value& value) {
  std::vector<std::optional<Value>> values(point.begin(), point.end());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (space.follows(static_cast<int>(i))) values[i].reset();
  values[static_cast<std::size_t>(parameter)] = value;
  try {
    return space.check(space.completed(values));
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<Slice> posterior_slices(const Data& data, Study& study) {
  constexpr std::size_t kMaxSlices = 24;
  std::vector<Slice> slices;
  if (!data.recommended) return slices;
  std::vector<Params> points;
  for (const int parameter : shown_parameters(data, kMaxSlices)) {
    Slice slice{.parameter = parameter, .levels = false, .values = {}, .mean = {}, .stddev = {}};
    slice.values = places(data.space.parameters()[static_cast<std::size_t>(parameter)].domain, slice.levels);
    for (const Value& value : slice.values) {
      std::optional<Params> point = moved(data.space, data.recommended->trial.params, parameter, value);
      const double known = point ? 0 : std::numeric_limits<double>::quiet_NaN();
      slice.mean.push_back(known);
      slice.stddev.push_back(known);
      if (point) points.push_back(std::move(*point));
    }
    slices.push_back(std::move(slice));
  }
  const std::vector<Estimate> model = estimates_of(study, points, data.output);
  std::size_t at = 0;
  for (Slice& slice : slices) {
    for (std::size_t i = 0; i < slice.values.size(); ++i) {
      if (std::isnan(slice.mean[i])) continue;
      slice.mean[i] = model[at].mean;
      slice.stddev[i] = model[at++].stddev;
    }
  }
  return slices;
}

namespace {

Range shared_range(const Data& data, const std::vector<Slice>& slices) {
  std::vector<double> values;
  for (const Trial& trial : data.done) values.push_back(*trial.value());
  std::sort(values.begin(), values.end());
  Range range{quantile(values, 0.05), quantile(values, 0.95)};
  for (const Slice& slice : slices) {
    for (std::size_t i = 0; i < slice.mean.size(); ++i) {
      if (std::isnan(slice.mean[i])) continue;
      range.low = std::min(range.low, slice.mean[i] - 2 * slice.stddev[i]);
      range.high = std::max(range.high, slice.mean[i] + 2 * slice.stddev[i]);
    }
  }
  return padded(range, Scale::linear);
}

class Panel {
 public:
  Panel(const Data& data, const Slice& slice, const Box& box, const Axis& y) : data_(data), slice_(slice), box_(box), y_(y) {
    const Domain& domain = parameter().domain;
    choices_ = choices_of(domain);
    if (choices_) x_ = Axis(-0.6, static_cast<double>(slice.values.size()) - 0.4, Scale::linear, box.x, box.right());
    if (const auto* real = std::get_if<Float>(&domain)) x_ = Axis(real->low, real->high, real->scale, box.x, box.right());
    if (const auto* whole = std::get_if<Int>(&domain)) {
      const double low = static_cast<double>(whole->low), high = static_cast<double>(whole->high), air = slice.levels ? 0.4 : 0;
      const bool log = whole->scale == Scale::log;
      x_ = Axis(log ? low / (1 + air / 2) : low - air, log ? high * (1 + air / 2) : high + air, whole->scale, box.x, box.right())
               .whole();
    }
  }

  void draw(Svg& svg) const {
    svg.text({box_.x + box_.w / 2, box_.y - 8}, shorten(data_.label(parameter()), 34),
             {.size = 12, .anchor = Anchor::middle, .colour = kInk, .bold = true});
    if (choices_) {
      draw_y_axis(svg, box_, y_, "", 10);
      draw_choice_labels(svg);
    } else {
      draw_axes(svg, box_, x_, y_, "", "", 10);
    }
    svg.open_clip(box_);
    shade(svg);
    std::vector<Point> marks;
    for (const Trial& trial : data_.done) {
      const double x = place(trial.params[static_cast<std::size_t>(slice_.parameter)]);
      marks.push_back({x + spread(trial.id), y_(*trial.value())});
    }
    draw_marks(svg, marks, box_, kObservedColour);
    const double recommended = place(data_.recommended->trial.params[static_cast<std::size_t>(slice_.parameter)]);
    svg.line({recommended, box_.y}, {recommended, box_.bottom()}, kBestColour, 1.5, "4 3");
    slice_.levels ? draw_levels(svg) : draw_line(svg);
    svg.close_clip();
    draw_border(svg, box_);
  }

 private:
  [[nodiscard]] const Parameter& parameter() const {
    return data_.space.parameters()[static_cast<std::size_t>(slice_.parameter)];
  }

  [[nodiscard]] double place(const Value& value) const {
    if (!choices_) return x_(as_number(value));
    return x_(static_cast<double>(std::find(choices_->begin(), choices_->end(), value) - choices_->begin()));
  }

  // Observations at one level stand beside each other.
  [[nodiscard]] double spread(std::int64_t id) const {
    if (!slice_.levels) return 0;
    const double share = std::fmod(static_cast<double>(id) * 0.6180339887498949, 1.0) - 0.5;
    return share * 0.5 * box_.w / static_cast<double>(slice_.values.size());
  }

  void draw_choice_labels(Svg& svg) const {
    const double room = box_.w / static_cast<double>(slice_.values.size());
    double widest = 0;
    for (const Value& value : slice_.values) widest = std::max(widest, text_width(to_string(value), 10));
    const bool turned = widest > room - 4 && slice_.values.size() > 4;
    const std::size_t every = turned ? 1 + static_cast<std::size_t>(13 / room) : 1;
    for (std::size_t i = 0; i < slice_.values.size(); i += every) {
      const double x = x_(static_cast<double>(i));
      const std::string label = shorten(to_string(slice_.values[i]), turned ? 8 : std::max(4, static_cast<int>(room / 6.2)));
      if (turned)
        svg.text({x + 3, box_.bottom() + 12}, label, {.size = 10, .anchor = Anchor::end, .colour = kSoftInk, .rotate = -35});
      if (!turned) svg.text({x, box_.bottom() + 15}, label, {.size = 10, .anchor = Anchor::middle, .colour = kSoftInk});
    }
  }

  // Where the conditions do not hold, half-way to the next places where they do.
  void shade(Svg& svg) const {
    const std::size_t count = slice_.values.size();
    const auto between = [&](std::size_t i, std::size_t j) { return (place(slice_.values[i]) + place(slice_.values[j])) / 2; };
    for (std::size_t begin = 0; begin < count;) {
      std::size_t end = begin;
      while (end < count && std::isnan(slice_.mean[end])) ++end;
      const double left = begin == 0 ? box_.x : between(begin - 1, begin),
                   right = end == count ? box_.right() : between(end - 1, end);
      if (end > begin) svg.rect({left, box_.y, right - left, box_.h}, kNotAllowedColour, 1, "the conditions do not hold here");
      begin = std::max(end, begin + 1);
    }
  }

  void draw_levels(Svg& svg) const {
    for (std::size_t i = 0; i < slice_.values.size(); ++i) {
      if (std::isnan(slice_.mean[i])) continue;
      const double x = place(slice_.values[i]), mean = slice_.mean[i], two = 2 * slice_.stddev[i];
      svg.line({x, y_(mean - two)}, {x, y_(mean + two)}, kModelColour, 2);
      svg.circle({x, y_(mean)}, 3.5, kModelColour, 1,
                 fmt::format("{}: {}", to_string(slice_.values[i]), with_error(mean, slice_.stddev[i])));
    }
  }

  // In pieces, where the conditions leave several.
  void draw_line(Svg& svg) const {
    for (std::size_t begin = 0; begin < slice_.values.size();) {
      std::size_t end = begin;
      while (end < slice_.values.size() && !std::isnan(slice_.mean[end])) ++end;
      if (end > begin) draw_piece(svg, begin, end);
      begin = std::max(end, begin + 1);
    }
  }

  void draw_piece(Svg& svg, std::size_t begin, std::size_t end) const {
    std::vector<Point> middle, band;
    for (std::size_t i = begin; i < end; ++i) {
      const double x = place(slice_.values[i]);
      middle.push_back({x, y_(slice_.mean[i])});
      band.push_back({x, y_(slice_.mean[i] + 2 * slice_.stddev[i])});
    }
    for (std::size_t i = end; i-- > begin;) {
      band.push_back({place(slice_.values[i]), y_(slice_.mean[i] - 2 * slice_.stddev[i])});
    }
    svg.polygon(band, kModelColour, 0.22);
    svg.polyline(middle, kModelColour, 2);
  }

  const Data& data_;
  const Slice& slice_;
  Box box_;
  Axis x_, y_;
  const std::vector<Value>* choices_ = nullptr;
};

}  // namespace

Figure slices_figure(const Data& data, Study& study) {
  if (!data.recommended) return empty_figure("Slices");
  const std::vector<Slice> slices = posterior_slices(data, study);
  const Range range = shared_range(data, slices);

  const int across = std::clamp(static_cast<int>(slices.size()), 1, 3);
  const int rows = (static_cast<int>(slices.size()) + across - 1) / across;
  const double height = 236, plot_height = 162;
  Figure figure{.height = kHeadingHeight + 6 + rows * height, .svg = {}};
  std::string remark =
      "the model's mean ± 2 standard deviations along each parameter through the recommended point (dashed); dots: all "
      "observations";
  const bool shaded = std::any_of(slices.begin(), slices.end(), [](const Slice& slice) {
    return std::any_of(slice.mean.begin(), slice.mean.end(), [](double mean) { return std::isnan(mean); });
  });
  if (shaded) remark += "; grey: not allowed";
  if (slices.size() < static_cast<std::size_t>(data.space.num_free())) {
    remark += fmt::format("; the {} most important parameters", slices.size());
  }
  draw_heading(figure.svg, data.outputs.size() > 1 ? "Slices of " + data.value_name() : "Slices", remark);
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const int row = static_cast<int>(i) / across, column = static_cast<int>(i) % across;
    const double top = kHeadingHeight + 30 + row * height, bottom = top + plot_height;
    const Axis y(range.low, range.high, Scale::linear, bottom, top);
    const double room = 16 + label_room(y, plot_height, 10), wide = (kPageWidth - 30) / across;
    Panel(data, slices[i], {10 + column * wide + room, top, wide - room - 14, plot_height}, y).draw(figure.svg);
  }
  return figure;
}

}  // namespace salvo::app::plot

#include "plot/axis.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "plot/theme.h"
#include "text.h"

namespace salvo::app::plot {
namespace {

constexpr double kLargest = 1e300;  // differences must not overflow

double nice_step(double span, int about) {
  const double raw = span / std::max(1, about), power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power * 1.0001) return factor * power;
  }
  return 10 * power;
}

// Every label of an axis has the same decimals; very large or small ones share an exponent's form.
std::string tick_label(double value, double step, double size) {
  if (std::abs(value) < 1e-9 * step) return "0";
  if (size >= 1e6 || size < 1e-3) {
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-12));
    const int step_exponent = static_cast<int>(std::floor(std::log10(step) + 1e-12));
    const double mantissa = value / std::pow(10, exponent);
    const std::string text = fmt::format("{:.{}f}e{}", std::abs(mantissa), std::clamp(exponent - step_exponent, 0, 15), exponent);
    return fmt::format("{}{}", value < 0 ? "−" : "", text);
  }
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
  const std::string whole = fmt::format("{:.{}f}", std::abs(value), decimals);
  const auto point = whole.find('.');
  const double integral = std::floor(std::abs(value) + (decimals == 0 ? 0.5 : 1e-9));
  const std::string tail = point == std::string::npos ? "" : whole.substr(point);
  const std::string head = integral >= 10000 ? count(static_cast<std::int64_t>(integral)) : whole.substr(0, point);
  return (value < 0 ? "−" : "") + head + tail;
}

std::vector<Tick> linear_ticks(double low, double high, int about, double min_step = 0) {
  const double step = std::max(min_step, nice_step(high - low, about)), size = std::max(std::abs(low), std::abs(high));
  std::vector<Tick> ticks;
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i < 50; ++i) {
    const double value = (first + i) * step;
    if (value > high + 1e-9 * step) break;
    // Where labels would need more than seven digits, the first is written out and the others say how far they are from it.
    const bool offset = size / step > 1e7;
    std::string label = tick_label(value, step, size);
    if (offset) label = i == 0 ? fmt::format("{:.15g}", value) : fmt::format("+{}", tick_label(i * step, step, i * step));
    ticks.push_back({value, label});
  }
  return ticks;
}

std::vector<Tick> log_ticks(double low, double high, int about) {
  const double decades = std::log10(high) - std::log10(low);
  if (decades < 0.7) return linear_ticks(low, high, about);
  const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(2, about))));
  const std::vector<double> factors = decades < 2.5 ? std::vector{1.0, 2.0, 5.0} : std::vector{1.0};
  std::vector<Tick> ticks;
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  for (int exponent = first; exponent <= last; ++exponent) {
    if (exponent % every != 0) continue;
    for (const double factor : factors) {
      const double value = factor * std::pow(10, exponent);
      if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
      ticks.push_back(
          {value, exponent >= -3 && exponent < 5 ? tick_label(value, value, 1) : fmt::format("{}e{}", factor, exponent)});
    }
  }
  return ticks;
}

}  // namespace

Axis::Axis(double low, double high, Scale scale, double from, double to)
    : low_(std::clamp(low, -kLargest, kLargest)),
      high_(std::clamp(high, -kLargest, kLargest)),
      from_(from),
      to_(to),
      scale_(scale) {
  if (low_ <= 0) scale_ = Scale::linear;
  if (high_ - low_ <= 1e-12 * std::max(std::abs(low_), std::abs(high_))) {
    const Range wide = padded({low_, high_}, scale_);
    low_ = wide.low;
    high_ = wide.high;
  }
}

double Axis::operator()(double value) const {
  const double share = scale_ == Scale::log
                           ? (std::log(std::max(value, 1e-300)) - std::log(low_)) / (std::log(high_) - std::log(low_))
                           : (value - low_) / (high_ - low_);
  return from_ + share * (to_ - from_);
}

double Axis::value_at(double share) const {
  return scale_ == Scale::log ? low_ * std::pow(high_ / low_, share) : low_ + share * (high_ - low_);
}

std::vector<Tick> Axis::ticks(int about) const {
  return scale_ == Scale::log ? log_ticks(low_, high_, about) : linear_ticks(low_, high_, about, whole_ ? 1 : 0);
}

Axis Axis::whole() const {
  Axis made = *this;
  made.whole_ = true;
  return made;
}

Range padded(Range range, Scale scale, double share) {
  if (scale == Scale::log && range.low > 0) {
    const double factor = std::max(std::pow(range.high / range.low, share), 1.05);
    return {range.low / factor, range.high * factor};
  }
  double air = share * (range.high - range.low);
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (air <= 1e-12 * size) air = size > 0 ? 0.1 * size : 1.0;
  return {range.low - air, range.high + air};
}

Scale suitable_scale(double low, double high) { return low > 0 && high / low > 1e3 ? Scale::log : Scale::linear; }

int ticks_along(double pixels) { return std::max(4, static_cast<int>(pixels / 42)); }

double label_room(const Axis& y, double pixels, double text_size) {
  double room = 0;
  for (const Tick& tick : y.ticks(ticks_along(pixels))) room = std::max(room, text_width(tick.label, text_size));
  return room;
}

void draw_y_axis(Svg& svg, const Box& box, const Axis& y, std::string_view label, double text_size) {
  const int about = ticks_along(box.h);
  double free_below = 1e9;
  for (const Tick& tick : y.ticks(about)) {
    const double at = y(tick.value);
    svg.line({box.x, at}, {box.right(), at}, kGridColour);
    if (at > free_below) continue;
    svg.text({box.x - 6, at + 0.35 * text_size}, tick.label, {.size = text_size, .anchor = Anchor::end, .colour = kSoftInk});
    free_below = at - 1.2 * text_size;
  }
  if (label.empty()) return;
  const Point at{box.x - label_room(y, box.h, text_size) - 14, box.y + box.h / 2};
  const int letters = std::max(8, static_cast<int>(box.h / (0.62 * text_size)));
  svg.text(at, shorten(label, letters), {.size = text_size, .anchor = Anchor::middle, .rotate = -90});
}

void draw_border(Svg& svg, const Box& box) {
  svg.line({box.x, box.y}, {box.x, box.bottom()}, kAxisColour);
  svg.line({box.x, box.bottom()}, {box.right(), box.bottom()}, kAxisColour);
}

void draw_axes(Svg& svg, const Box& box, const Axis& x, const Axis& y, std::string_view x_label, std::string_view y_label,
               double text_size) {
  draw_y_axis(svg, box, y, y_label, text_size);
  double free_from = -1e9;
  for (const Tick& tick : x.ticks(std::max(4, static_cast<int>(box.w / 90)))) {
    const double at = x(tick.value), half = text_width(tick.label, text_size) / 2;
    svg.line({at, box.bottom()}, {at, box.bottom() + 4}, kAxisColour);
    if (at - half < free_from) continue;
    svg.text({at, box.bottom() + 6 + text_size}, tick.label, {.size = text_size, .anchor = Anchor::middle, .colour = kSoftInk});
    free_from = at + half + 0.6 * text_size;
  }
  if (!x_label.empty()) {
    svg.text({box.x + box.w / 2, box.bottom() + 12 + 2.3 * text_size},
             shorten(x_label, static_cast<int>(box.w / (0.62 * text_size))), {.size = text_size, .anchor = Anchor::middle});
  }
}

}  // namespace salvo::app::plot

#pragma once
#include <salvo/space.h>

#include <string>
#include <vector>

#include "plot/svg.h"

namespace salvo::app::plot {

struct Tick {
  double value = 0;
  std::string label;
};

// Maps values to pixels, linearly or by the logarithm, and knows where its ticks go.
class Axis {
 public:
  Axis() = default;
  // A range without extent is widened; a log axis over zero or less becomes linear.
  Axis(double low, double high, Scale scale, double from, double to);
  [[nodiscard]] double operator()(double value) const;  // pixels
  [[nodiscard]] std::vector<Tick> ticks(int about) const;
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] double from() const { return from_; }
  [[nodiscard]] double to() const { return to_; }
  [[nodiscard]] Scale scale() const { return scale_; }
  // Ticks at whole numbers only.
  [[nodiscard]] Axis whole() const;
  // The value at a share of the way, 0 … 1.
  [[nodiscard]] double value_at(double share) const;

 private:
  double low_ = 0, high_ = 1, from_ = 0, to_ = 1;
  Scale scale_ = Scale::linear;
  bool whole_ = false;
};

// The range of values with some air around it.
struct Range {
  double low = 0, high = 1;
};
[[nodiscard]] Range padded(Range range, Scale scale, double share = 0.05);
// Log when everything is positive and spans more than three decades.
[[nodiscard]] Scale suitable_scale(double low, double high);

// Grid, ticks, labels and border of a plot. Ticks that would overlap are left out.
void draw_axes(Svg& svg, const Box& box, const Axis& x, const Axis& y, std::string_view x_label, std::string_view y_label,
               double text_size = 12);
void draw_y_axis(Svg& svg, const Box& box, const Axis& y, std::string_view label, double text_size = 12);
void draw_border(Svg& svg, const Box& box);
[[nodiscard]] int ticks_along(double pixels);
// Room that the labels of a vertical axis need at its left.
[[nodiscard]] double label_room(const Axis& y, double pixels, double text_size);

}  // namespace salvo::app::plot

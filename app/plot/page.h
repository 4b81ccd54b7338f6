#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "plot/svg.h"

namespace salvo::app::plot {

struct Figure {
  double height = 0;  // all are page_width wide
  Svg svg;
};
struct Picture {
  std::string title;
  std::vector<Figure> figures;
};

// Shared by the figures: the heading, and the word where there is nothing to show.
void draw_heading(Svg& svg, std::string_view title, std::string_view remark);
[[nodiscard]] Figure empty_figure(std::string_view title);
inline constexpr double kHeadingHeight = 52;

// Throws before any work is done: an ending that is not .svg, .png or .html, a missing folder, no program for PNG.
void check_target(const std::string& path);
[[nodiscard]] bool is_html(const std::string& path);
[[nodiscard]] std::string to_svg(const Figure& figure);  // by itself
void write(const Picture& picture, const std::string& path);

}  // namespace salvo::app::plot

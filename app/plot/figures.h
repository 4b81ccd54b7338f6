#pragma once
#include <salvo/study.h>

#include <string_view>

#include "plot/data.h"
#include "plot/picture.h"

namespace salvo::app::plot {

[[nodiscard]] Figure progress_figure(const Data& data);
[[nodiscard]] Figure slices_figure(const Data& data, Study& study);
[[nodiscard]] Figure parallel_figure(const Data& data);
[[nodiscard]] Figure lengthscales_figure(const Data& data);

// Shared by the figures: the heading, and the word where there is nothing to show.
void draw_heading(Svg& svg, std::string_view title, std::string_view remark);
[[nodiscard]] Figure empty_figure(std::string_view title);
inline constexpr double heading_height = 52;

}  // namespace salvo::app::plot

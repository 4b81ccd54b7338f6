#pragma once
#include <functional>
#include <string>
#include <vector>

#include "plot/svg.h"

namespace salvo::app::plot {

// Marks of observations inside a box. Few get a title to hover over, many become one path, very many a density
// of small squares, so that a picture of 100,000 observations stays under a megabyte.
void draw_marks(Svg& svg, const std::vector<Point>& points, const Box& box, std::string_view colour,
                const std::function<std::string(std::size_t)>& title = {});

}  // namespace salvo::app::plot

#pragma once
#include <string>

namespace salvo::app::plot {

// The path of rsvg-convert; throws Error that names the package when there is none.
std::string find_converter();
[[nodiscard]] std::string to_png(const std::string& svg);

}  // namespace salvo::app::plot

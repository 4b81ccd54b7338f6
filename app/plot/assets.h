#pragma once
#include <string_view>

namespace salvo::app::plot {

// What every page of HTML carries, made part of the program by cmake/Embed.cmake.
extern const std::string_view kPageLibrary;  // d3
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;  // app/plot/html/*.js, in the order of app/CMakeLists.txt

}  // namespace salvo::app::plot

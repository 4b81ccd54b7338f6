#pragma once
#include <string>
#include <string_view>

namespace salvo::app::plot {

inline constexpr double kPageWidth = 960;
inline constexpr std::string_view kInk = "#222222", kSoftInk = "#555555", kAxisColour = "#999999", kGridColour = "#ebebeb";
inline constexpr std::string_view kObservedColour = "#8496ab", kBestColour = "#d9772b", kModelColour = "#1f5fa8",
                                  kKnownColour = "#3b8f4d", kFailedColour = "#c0392b", kNotFeasibleColour = "#d3d3d3",
                                  kNotAllowedColour = "#ececec";

// Pale for the worst (0), dark blue for the best (1); readable in grey as well.
[[nodiscard]] std::string value_colour(double share);

}  // namespace salvo::app::plot

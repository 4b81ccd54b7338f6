#pragma once
#include <string>
#include <string_view>

namespace salvo::app::plot {

inline constexpr double page_width = 960;
inline constexpr std::string_view ink = "#222222", soft_ink = "#555555", axis_colour = "#999999", grid_colour = "#ebebeb";
inline constexpr std::string_view observed_colour = "#8496ab", best_colour = "#d9772b", model_colour = "#1f5fa8",
                                  known_colour = "#3b8f4d", failed_colour = "#c0392b";

// Pale for the worst (0), dark blue for the best (1); readable in grey as well.
[[nodiscard]] std::string value_colour(double share);

}  // namespace salvo::app::plot

#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace salvo {

[[nodiscard]] std::optional<double> to_double(std::string_view text);       // the whole text, finite; 1e-400 is 0
[[nodiscard]] std::optional<std::int64_t> to_int64(std::string_view text);  // 4, also 4.0 and 4e0
[[nodiscard]] std::optional<std::int64_t> to_int64(double number);          // when it is whole and fits
// Seconds of "1h30m", "90 min" or "30 s".
[[nodiscard]] std::optional<double> to_seconds(std::string_view text);
// Whether a number as written is `exact` rounded to the digits written: 45.18 is 45.1835.
[[nodiscard]] bool is_rounding(std::string_view written, double exact);
[[nodiscard]] int num_digits(std::string_view written);  // that mean something: 3 of 0.0450
[[nodiscard]] std::string shortest(double number);       // the shortest text that reads back as the same

}  // namespace salvo

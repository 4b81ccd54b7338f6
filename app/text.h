#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::app {

// Text for people. Minus signs are real ones (U+2212) in all numbers.
[[nodiscard]] std::string number(double value, int digits = 4);          // 4 significant digits; 1.2e9 when very large or small
[[nodiscard]] std::string with_error(double mean, double stddev);        // −2.969 ± 0.081, as many digits as mean something
[[nodiscard]] std::string number_beside(double value, double stddev);    // to the same place as such a mean; 4 digits at least
[[nodiscard]] std::string count(std::int64_t value);                     // 1,234,567
[[nodiscard]] std::string plural(std::int64_t n, std::string_view one);  // "1 trial", "2 trials"
[[nodiscard]] std::string duration(double seconds);                      // 0.3 s, 12.5 s, 4:05, 2:10:00, 3 d 4 h
[[nodiscard]] std::string date_time(double seconds_since_1970);          // local time

[[nodiscard]] std::string clean_utf8(std::string_view text);              // bytes that are not UTF-8 become U+FFFD
[[nodiscard]] std::string one_line(std::string_view text);                // clean, control characters become spaces
[[nodiscard]] int width(std::string_view text);                           // letters
[[nodiscard]] std::string shorten(std::string_view text, int max_width);  // with … in the end
[[nodiscard]] std::string pad(std::string_view text, int to_width);
// Rows of cells below each other: all but the last cell as wide as its column, three spaces between them, two before.
[[nodiscard]] std::string columns(const std::vector<std::vector<std::string>>& rows);
[[nodiscard]] std::string shell_word(const std::string& word);  // quoted where a shell needs it

}  // namespace salvo::app

#include "text.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

namespace salvo::app {
namespace {

std::string with_commas(const std::string& digits) {
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

// Length of the UTF-8 sequence that starts at `at`, 0 when it is not a valid one.
std::size_t sequence(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xf0 && first < 0xf5   ? 4
                           : first >= 0xe0 && first < 0xf0 ? 3
                           : first >= 0xc2 && first < 0xe0 ? 2
                                                           : 0;
  if (size == 0 || at + size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte(at + 1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90);
  return overlong || surrogate ? 0 : size;
}

// Significant digits of a number that is known to within stddev: two of stddev's.
int digits_within(double value, double stddev) {
  if (value == 0 || !(stddev > 0) || !std::isfinite(value) || !std::isfinite(stddev)) return 4;
  return static_cast<int>(std::floor(std::log10(std::abs(value))) - std::floor(std::log10(stddev))) + 2;
}

}  // namespace

std::string number(double value, int digits) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (value == 0) return "0";
  const double size = std::abs(value);
  std::string text;
  if (size >= 1e6 || size < 1e-4) {
    text = fmt::format("{:.{}e}", size, digits - 1);
    const auto e = text.find('e');
    std::string mantissa = text.substr(0, e);
    if (mantissa.find('.') != std::string::npos) {
      while (mantissa.back() == '0') mantissa.pop_back();
      if (mantissa.back() == '.') mantissa.pop_back();
    }
    text = fmt::format("{}e{}", mantissa, std::stoi(text.substr(e + 1)));
  } else {
    const int before = static_cast<int>(std::floor(std::log10(size))) + 1;  // digits before the point
    text = fmt::format("{:.{}f}", size, std::max(0, digits - before));
    const auto point = text.find('.');
    text = with_commas(text.substr(0, point)) + (point == std::string::npos ? "" : text.substr(point));
  }
  return fmt::format("{}{}", value < 0 ? "−" : "", text);
}

std::string with_error(double mean, double stddev) {
  // Of values near the largest that there are; their squares are no numbers any more.
  if (std::isinf(stddev)) return fmt::format("{} ± over {}", number(mean, 4), number(std::numeric_limits<double>::max(), 2));
  return fmt::format("{} ± {}", number(mean, std::clamp(digits_within(mean, stddev), 2, 15)), number(stddev, 2));
}

std::string number_beside(double value, double stddev) { return number(value, std::clamp(digits_within(value, stddev), 4, 15)); }

std::string count(std::int64_t value) {
  if (value < 0) return fmt::format("−{}", with_commas(std::to_string(value).substr(1)));
  return with_commas(std::to_string(value));
}

std::string plural(std::int64_t n, std::string_view one) { return fmt::format("{} {}{}", count(n), one, n == 1 ? "" : "s"); }

std::string duration(double seconds) {
  if (!(seconds >= 0)) return "?";
  if (seconds < 60) return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 2 : 1);
  if (seconds > 1e11) return "centuries";
  const auto whole = std::llround(seconds);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{} d {} h", whole / 86400, whole / 3600 % 24);
}

std::string date_time(double seconds_since_1970) {
  const auto time = static_cast<std::time_t>(seconds_since_1970);
  std::tm local{};
  if (localtime_r(&time, &local) == nullptr) return "?";
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", local);
}

std::string clean_utf8(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = sequence(text, at);
    out += size == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(at, size);
    at += size == 0 ? 1 : size;
  }
  return out;
}

std::string one_line(std::string_view text) {
  std::string out = clean_utf8(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return out;
}

int width(std::string_view text) {
  int n = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0; };
    const bool accent = byte(i) == 0xcc || (byte(i) == 0xcd && byte(i + 1) < 0xb0);  // U+0300 to U+036F stand over their letter
    n += (byte(i) & 0xc0) != 0x80 && !accent;
  }
  return n;
}

std::string shorten(std::string_view text, int max_width) {
  const std::string clean = one_line(text);
  if (width(clean) <= max_width) return clean;
  std::string out;
  for (std::size_t at = 0; at < clean.size() && width(out) < max_width - 1;) {
    const std::size_t size = sequence(clean, at);
    out += clean.substr(at, size);
    at += size;
  }
  return out + "…";
}

std::string pad(std::string_view text, int to_width) {
  return std::string(text) + std::string(static_cast<std::size_t>(std::max(0, to_width - width(text))), ' ');
}

std::string columns(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      int widest = 0;
      for (const auto& other : rows) widest = std::max(widest, width(other[i]));
      line += pad(row[i], widest + 3);
    }
    text += fmt::format("{}{}\n", line, row.back());
  }
  return text;
}

std::string shell_word(const std::string& word) {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:@%+";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace salvo::app

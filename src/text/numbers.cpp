#include "text/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "text/text.h"

namespace salvo {
namespace {

std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

// Of a number that no double holds: whether it is too small rather than too large.
bool is_tiny(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  long exponent = 0;
  if (e < text.size()) {
    const std::string_view digits = without_plus(text.substr(e + 1));
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (read.ec == std::errc::result_out_of_range) return digits.starts_with('-');
  }
  const std::string_view mantissa = text.substr(0, e);
  const auto point = static_cast<long>(std::min(mantissa.find('.'), mantissa.size()));
  const std::size_t first = mantissa.find_first_of("123456789");
  return first != std::string_view::npos && exponent + point - static_cast<long>(first) < 0;
}

}  // namespace

std::optional<double> to_double(std::string_view text) {
  text = without_plus(trimmed(text));
  constexpr std::string_view kMinus = "\u2212";  // as it is set in print
  if (text.starts_with(kMinus) && text.size() > kMinus.size()) {
    const std::string_view rest = text.substr(kMinus.size());
    const bool has_digits = (rest[0] >= '0' && rest[0] <= '9') || rest[0] == '.';
    const auto positive = has_digits ? to_double(rest) : std::nullopt;
    return positive ? std::optional(-*positive) : std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = end == text.data() + text.size();
  if (whole && error == std::errc::result_out_of_range && is_tiny(text)) return text.starts_with('-') ? -0.0 : 0.0;
  if (error != std::errc() || !whole || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> to_int64(std::string_view text) {
  text = without_plus(trimmed(text));
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  const auto real = to_double(text);
  return real ? to_int64(*real) : std::nullopt;
}

std::optional<std::int64_t> to_int64(double number) {
  if (!(number >= -0x1p63 && number < 0x1p63) || number != std::floor(number)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

std::optional<double> to_seconds(std::string_view text) {
  // A unit before those that it begins with.
  constexpr std::array<std::pair<std::string_view, double>, 6> kUnits = {
      {{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"m", 60}, {"h", 3600}, {"d", 86400}}};
  double seconds = 0;
  text = trimmed(text);
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto amount = to_double(text.substr(0, digits));
    text = trimmed(text.substr(digits));
    const auto unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const auto& u) { return text.starts_with(u.first); });
    if (!amount || unit == kUnits.end()) return std::nullopt;
    seconds += *amount * unit->second;
    text = trimmed(text.substr(unit->first.size()));
  }
  return seconds;
}

bool is_rounding(std::string_view written, double exact) {
  written = trimmed(written);
  const auto number = to_double(written);
  if (!number) return false;
  const std::size_t e = std::min(written.find_first_of("eE"), written.size());
  const std::size_t point = written.substr(0, e).find('.');
  const auto exponent = e < written.size() ? to_double(written.substr(e + 1)) : 0.0;
  std::size_t decimals = 0;
  if (point != std::string_view::npos)
    while (point + 1 + decimals < e && written[point + 1 + decimals] >= '0' && written[point + 1 + decimals] <= '9') ++decimals;
  const double unit = std::pow(10.0, exponent.value_or(0) - static_cast<double>(decimals));
  const double slack = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(*number), std::abs(exact));
  return std::abs(*number - exact) <= unit / 2 + slack;
}

int num_digits(std::string_view written) {
  const std::string_view mantissa = written.substr(0, std::min(written.find_first_of("eE"), written.size()));
  const std::size_t first = std::min(mantissa.find_first_of("123456789"), mantissa.size());
  return static_cast<int>(std::count_if(mantissa.begin() + static_cast<std::ptrdiff_t>(first), mantissa.end(),
                                        [](char c) { return c >= '0' && c <= '9'; }));
}

std::string shortest(double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  return {text, end};
}

}  // namespace salvo

#include "text/numbers.h"

#include <charconv>
#include <cmath>

namespace salvo {
namespace {

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

}  // namespace

std::optional<double> to_double(std::string_view text) {
  text = without_plus(trim(text));
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> to_int64(std::string_view text) {
  text = without_plus(trim(text));
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

std::string shortest(double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  return {text, end};
}

}  // namespace salvo

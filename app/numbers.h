#pragma once
#include <fmt/core.h>
#include <salvo/error.h>

#include <charconv>
#include <limits>
#include <string>

#include "text/numbers.h"

namespace salvo::app {

// Numbers of the command line; InputError names the option.
template <class T>
T whole_number(const char* option, const std::string& text, T low, T high = std::numeric_limits<T>::max()) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    const std::string limit = high == std::numeric_limits<T>::max() ? "" : fmt::format(" up to {}", high);
    throw InputError(fmt::format("{}: expected a whole number from {}{}, got \"{}\"", option, low, limit, text));
  }
  return value;
}

inline double finite_number(const char* option, const std::string& text) {
  const auto value = to_double(text);
  if (!value) throw InputError(fmt::format("{}: expected a finite number, got \"{}\"", option, text));
  return *value;
}

inline double standard_error(const char* option, const std::string& text) {
  const double value = finite_number(option, text);
  if (value < 0) throw InputError(fmt::format("{}: expected a standard error, which is not negative, got \"{}\"", option, text));
  return value;
}

}  // namespace salvo::app

#pragma once
#include <fmt/format.h>
#include <salvo/rules.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace salvo {

// A visitor of each_field: throws std::invalid_argument for the first value that its rule does not allow.
class CheckFields {
 public:
  explicit CheckFields(std::string_view prefix) : prefix_(prefix) {}  // "model."

  template <class T, class Rule>
  void operator()(std::string_view key, const T& value, const Rule& rule, const Says&) const {
    if constexpr (requires { rule.allows(value); }) require(rule.allows(value), key, rule.expected(), value);
  }
  void operator()(std::string_view key, const std::vector<int>& value, const ExitCodes& rule, const Says&) const {
    for (const int each : value) require(rule.allows({each}), key, rule.expected(), each);
  }
  void operator()(std::string_view key, const std::optional<double>& value, const NumberOr& rule, const Says&) const {
    if (value) require(rule.real.allows(*value), key, rule.real.expected(), *value);
  }
  template <class Which>
  void operator()(std::string_view key, const std::optional<double>& value, const NumberOrRule<Which>&, const Says&) const {
    if (value) require(Real{0}.allows(*value), key, Real{0}.expected(), *value);
  }

 private:
  void require(bool holds, std::string_view key, std::string_view expected, const auto& got) const {
    if (!holds) throw std::invalid_argument(fmt::format("{}{}: expected {}, got {}", prefix_, key, expected, got));
  }
  std::string_view prefix_;
};

}  // namespace salvo

#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

// What a value may be. allows() judges, expected() words it, type() is its cell in the documents.
struct Whole {
  std::int64_t low = 1, high = std::numeric_limits<std::int64_t>::max();
  [[nodiscard]] bool allows(std::int64_t value) const { return value >= low && value <= high; }
  [[nodiscard]] std::string expected() const;
  [[nodiscard]] std::string type() const;
};
inline constexpr std::int64_t kLargestSize = 1'000'000;  // of what takes memory: more is a slip of the pen
struct Size {                                            // a whole number from 1, or "auto", which is 0
  [[nodiscard]] static bool allows(std::int64_t value) { return value >= 0 && value <= kLargestSize; }
  [[nodiscard]] static std::string expected() { return "a whole number from 1 to 1000000, or \"auto\" (0)"; }
  [[nodiscard]] static std::string type() { return "whole number ≥ 1 or `\"auto\"`"; }
};
struct Real {
  double low = -std::numeric_limits<double>::infinity();
  bool open = false;  // low itself is not allowed
  [[nodiscard]] bool allows(double value) const { return std::isfinite(value) && (value > low || (value == low && !open)); }
  [[nodiscard]] std::string expected() const;
  [[nodiscard]] std::string type() const;
};
struct Share {  // at most 1
  bool open = false;
  [[nodiscard]] bool allows(double value) const { return value <= 1 && (value > 0 || (value == 0 && !open)); }
  [[nodiscard]] std::string expected() const { return open ? "a number above 0 and at most 1" : "a number from 0 to 1"; }
  [[nodiscard]] std::string type() const { return open ? "0 < number ≤ 1" : "0 ≤ number ≤ 1"; }
};
struct Duration {  // seconds, or "1h30m"
  [[nodiscard]] static bool allows(double value) { return value >= 0 && value <= 1e9; }
  [[nodiscard]] static std::string expected() { return "seconds or a duration like \"90s\", \"10m\" or \"1h30m\""; }
  [[nodiscard]] static std::string type() { return "duration"; }
};
struct ExitCodes {  // of programs, each 1 to 255; 128 + n: killed by signal n
  [[nodiscard]] static bool allows(const std::vector<int>& codes) {
    return std::all_of(codes.begin(), codes.end(), [](int code) { return code >= 1 && code <= 255; });
  }
  [[nodiscard]] static std::string expected() { return "a list of exit codes from 1 to 255"; }
  [[nodiscard]] static std::string type() { return "list of whole numbers from 1 to 255"; }
};
struct Word {};        // of an enumeration with Names
struct WordOrAuto {};  // std::optional of one: none is "auto"
struct NumberOr {      // std::optional<double>: none is this word; empty: there is no word for it
  std::string_view none;
  Real real{};
};
template <class Rule>
struct NumberOrRule {  // std::optional<double> ≥ 0, "auto" for none, or "theory", which a member of its own holds
  Rule& rule;
};
template <class Rule>
NumberOrRule(Rule&) -> NumberOrRule<Rule>;  // clang 14 needs to be told
struct Text {};

// What is said of an option, and whether what a model learns depends on it as it is set.
struct Says {
  std::string_view what;
  bool learns = false;
  std::string_view type = {};  // the cells of its type and its default, where they are not plain
  std::string_view standard = {};
};

}  // namespace salvo

#pragma once
#include <salvo/study.h>

#include <optional>
#include <string>
#include <vector>

namespace salvo::app {

// What --value gives: a number, or NAME=X for outputs that have names of their own.
struct GivenValues {
  std::optional<double> plain{};
  std::vector<std::pair<std::string, std::string>> named{};
  [[nodiscard]] bool any() const { return plain || !named.empty(); }
  void take(const std::string& text);  // "0.7", "yield=0.7" or "yield=0.7,purity=0.97"; throws InputError
};

// One for each of the study's outputs, NaN where nothing was given; "none" says that one was not measured. `before` is what those
// have that are not named. Throws InputError: no such output, a name twice, no name where there are several.
[[nodiscard]] std::vector<double> outputs_of(const GivenValues& given, const Outputs& outputs,
                                             const std::vector<double>& before = {});

// "0.7", or "yield 0.7, purity not measured".
[[nodiscard]] std::string in_words(const Values& values, const Outputs& outputs);
// A value as people read it: passed or failed, where that is what it says.
[[nodiscard]] bool is_passed(const salvo::Output& output);
[[nodiscard]] std::string passed_word(double value);
// "0.7", or "yield=0.7 --value purity=0.97": what --value takes for them.
[[nodiscard]] std::string as_arguments(const Values& values, const Outputs& outputs);

// A trial's values with those that a row has in their places; what else was measured stays.
[[nodiscard]] Values corrected(const Trial& trial, const Values& row);

}  // namespace salvo::app

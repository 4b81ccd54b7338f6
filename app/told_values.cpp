#include "told_values.h"

#include <fmt/core.h>
#include <salvo/error.h>

#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include "numbers.h"
#include "text.h"
#include "text/text.h"

namespace salvo::app {
namespace {

std::vector<std::string_view> names_of(const Outputs& outputs) {
  std::vector<std::string_view> names;
  for (const salvo::Output& output : outputs) names.push_back(output.name);
  return names;
}

double value_from(const salvo::Output& output, const std::string& text) {
  if (text == "none") return std::numeric_limits<double>::quiet_NaN();
  const auto* constraint = std::get_if<Constraint>(&output.role);
  const std::string option = "--value " + output.name;
  if (!constraint || !constraint->passed) return finite_number(option.c_str(), text);
  if (const auto word = passed_value(text)) return *word;
  throw InputError(fmt::format("{}: expected passed or failed (1 or 0, true or false), got \"{}\"", option, one_line(text)));
}

}  // namespace

void GivenValues::take(const std::string& text) {
  if (text.find('=') == std::string::npos) {
    plain = finite_number("--value", text);
    return;
  }
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    const std::string part = text.substr(from, end - from);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError(fmt::format("--value: expected NAME=X, got \"{}\"", one_line(part)));
    named.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    from = end + 1;
  }
}

std::vector<double> outputs_of(const GivenValues& given, const Outputs& outputs, const std::vector<double>& before) {
  std::vector<double> out = before;
  out.resize(outputs.size(), std::numeric_limits<double>::quiet_NaN());
  if (given.plain && outputs.size() > 1)
    throw InputError(fmt::format("--value: this study has {} outputs, expected which: --value {}={}; others may follow",
                                 outputs.size(), outputs[0].name, shell_word(fmt::format("{}", *given.plain))));
  if (given.plain && !given.named.empty())
    throw InputError("--value: expected one value for each output, got a number and one with a name");
  if (given.plain) out[0] = *given.plain;
  std::set<std::string> seen;
  for (const auto& [name, text] : given.named) {
    const int output = find_output(outputs, name);
    if (output < 0) {
      const std::vector<std::string_view> names = names_of(outputs);
      throw InputError(fmt::format("--value: no output is called \"{}\"{}", one_line(name), hint(name, names)));
    }
    if (!seen.insert(name).second) throw InputError(fmt::format("--value: {} is there twice; expected one value", name));
    out[static_cast<std::size_t>(output)] = value_from(outputs[static_cast<std::size_t>(output)], text);
  }
  return out;
}

std::string in_words(const Values& values, const Outputs& outputs) {
  const auto sd = standard_error(values);
  if (!has_names(outputs)) return shortest(values.outputs.front()) + (sd ? fmt::format(" (sd {})", shortest(*sd)) : "");
  std::string text;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double value = values.outputs.at(i);
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", outputs[i].name,
                        std::isnan(value)       ? "not measured"
                        : is_passed(outputs[i]) ? passed_word(value)
                                                : shortest(value));
  }
  return text + (sd ? fmt::format(" (sd {})", shortest(*sd)) : "");
}

bool is_passed(const salvo::Output& output) {
  const auto* constraint = std::get_if<Constraint>(&output.role);
  return constraint && constraint->passed;
}

std::string passed_word(double value) { return value > 0 ? "passed" : "failed"; }

std::string as_arguments(const Values& values, const Outputs& outputs) {
  if (!has_names(outputs)) return shortest(values.outputs.front());
  std::string text;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (!std::isnan(values.outputs.at(i)))
      text += fmt::format("{}{}={}", text.empty() ? "" : " --value ", outputs[i].name,
                          is_passed(outputs[i]) ? passed_word(values.outputs[i]) : shortest(values.outputs[i]));
  return text;
}

Values corrected(const Trial& trial, const Values& row) {
  const auto* before = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
  if (!before) return row;
  Values out = *before;
  for (std::size_t i = 0; i < out.outputs.size(); ++i)
    if (!std::isnan(row.outputs.at(i))) out.outputs[i] = row.outputs[i];
  for (const auto& [name, number] : row.others) out.others[name] = number;
  for (const auto& [name, words] : row.said) out.said[name] = words;
  return out;
}

}  // namespace salvo::app

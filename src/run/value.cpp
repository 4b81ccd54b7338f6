#include "run/value.h"

#include <fmt/format.h>
#include <salvo/trial.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "run/text.h"
#include "study/records_detail.h"
#include "text/numbers.h"
#include "text/text.h"

namespace salvo::runner {
namespace {

constexpr std::string_view kWanted = "expected a finite number, or a JSON object with \"value\", as the last line of its output";

// What is expected of a program whose outputs have names.
std::string wanted(const OutputNames& outputs) {
  if (outputs.size() == 1)
    return fmt::format("expected a finite number, or a JSON object with {}, as the last line of its output", outputs.listed());
  return fmt::format("expected a JSON object with {} as the last line of its output, or a line NAME VALUE for each",
                     outputs.listed());
}

Reading failure(std::string text) { return {.error = std::move(text)}; }

Reading finite(double value, std::string_view line) {
  if (std::isfinite(value)) return {.outputs = {value}};
  return failure(fmt::format("the value is not finite: {}, got {}", kWanted, excerpt(line)));
}

Reading read_number(std::string_view line) {
  if (const auto value = to_double(line)) return {.outputs = {*value}};
  std::string_view digits = line;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = end == digits.data() + digits.size();
  if (whole && error == std::errc::result_out_of_range)
    return failure(fmt::format("the value does not fit a double: {}, got {}", kWanted, excerpt(line)));
  if (!whole || error != std::errc()) return failure(fmt::format("no value: {}, got {}", kWanted, excerpt(line)));
  return finite(value, line);
}

constexpr std::size_t kMostOthers = 100, kLongestName = 100;

// Its beginning, where it is too long: whole letters, and fit to be shown.
std::string kept_text(const std::string& text) {
  std::size_t end = std::min(text.size(), kLongestSaid);
  for (std::string out;; end -= std::min(end, std::size_t{1})) {
    const bool in_letter = end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80;
    if (in_letter) continue;
    out = printable(std::string_view(text).substr(0, end));
    if (out.size() <= kLongestSaid) return out;  // what stands for a control character is longer than it
  }
}

void read_others(const nlohmann::json& object, const OutputNames& outputs, Reading& to) {
  for (const auto& item : object.items()) {
    const nlohmann::json& value = item.value();
    const std::string& key = item.key();
    if (outputs.find(key, false) >= 0 || (key == kOnlyOutput && outputs.size() == 1) || key == "error" || key.empty() ||
        !is_text(key) || key.size() > kLongestName || to.others.size() + to.said.size() == kMostOthers)
      continue;
    if (value.is_boolean()) to.others.emplace(key, value.get<bool>() ? 1 : 0);
    if (value.is_number() && std::isfinite(value.get<double>())) to.others.emplace(key, value.get<double>());
    if (value.is_string() && key != kStandardError && !value.get_ref<const std::string&>().empty())
      to.said.emplace(key, kept_text(value.get_ref<const std::string&>()));
  }
}

// Python writes NaN and Infinity into its JSON, which has no such numbers: another word in their place.
std::string without_nan(std::string_view line, const char* replacement) {
  std::string out;
  bool in_text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) in_text = !in_text;
    std::size_t length = 0;
    for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
      if (!in_text && length == 0 && line.substr(i).starts_with(word)) length = word.size();
    out += length > 0 ? replacement : std::string(1, line[i]);
    i += length > 0 ? length - 1 : 0;
  }
  return out;
}

constexpr const char* kNan = "[\"NaN\"]";  // what stands for one where null means something else

// The value of one output; NaN, as of null: it was not measured, or what is wrong is in `error`.
double read_output(const nlohmann::json& value, std::size_t i, const OutputNames& outputs, std::string& error) {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (value.is_number() && !outputs.passed(i)) {
    if (std::isfinite(value.get<double>())) return value.get<double>();
  } else if (outputs.passed(i) && (value.is_number() || value.is_string() || value.is_boolean())) {
    if (const auto word = outputs.read(i, value.is_string() ? value.get<std::string>() : value.dump())) return *word;
  }
  const bool nan = value.dump() == kNan;
  error = fmt::format("{}: expected {}, got {}", outputs.name(i), outputs.expected(i),
                      nan ? "one that is not finite" : excerpt(value.dump()));
  return std::numeric_limits<double>::quiet_NaN();
}

// A trial has values or has failed. One that failed teaches where not to go, and what was measured there all the same is in its
// reason: somebody may want it, and nobody has to measure it again.
Reading failure_beside(std::string why, const Reading& reading, const OutputNames& outputs) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& words) {
    if (text.size() < kLongestSaid) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", printable(name), words);
  };
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double value = reading.outputs[i];
    if (std::isnan(value)) continue;
    add(outputs.name(i), outputs.passed(i) ? (value > 0 ? "passed" : "failed") : fmt::format("{}", value));
  }
  for (const auto& [name, value] : reading.others) add(name, fmt::format("{}", value));
  if (!text.empty()) why += "; measured: " + text;
  return failure(std::move(why));
}

// With at least one value, or an error. `wrong`: what is, of each output; empty: nothing.
Reading complete(Reading reading, const OutputNames& outputs, std::string_view line, const std::vector<std::string>& wrong) {
  std::string problems;
  for (const std::string& problem : wrong)
    if (!problem.empty()) problems += (problems.empty() ? "" : "; ") + problem;
  if (!problems.empty()) return failure_beside(std::move(problems), reading, outputs);
  if (std::all_of(reading.outputs.begin(), reading.outputs.end(), [](double value) { return std::isnan(value); }))
    return failure(fmt::format("no value: {}, got {}", wanted(outputs), excerpt(line, 200)));
  const auto sd = reading.others.find(kStandardError);
  if (sd == reading.others.end()) return reading;
  if (outputs.size() > 1) {
    std::string why = fmt::format("\"{}\": standard errors are for a study with one output, this one has {}; leave it out",
                                  kStandardError, outputs.size());
    return failure_beside(std::move(why), reading, outputs);
  }
  if (sd->second < 0)
    return failure(
        fmt::format("\"{}\" is negative: expected the standard error of the value, got {}", kStandardError, excerpt(line, 200)));
  return reading;
}

// `error`: what the program reported.
Reading read_named_object(const nlohmann::json& object, std::string_view line, const OutputNames& outputs,
                          const std::optional<std::string>& error) {
  Reading reading{.outputs = std::vector<double>(outputs.size(), std::numeric_limits<double>::quiet_NaN())};
  std::vector<std::string> wrong(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    auto found = object.find(outputs.name(i));
    if (found == object.end() && outputs.size() == 1) found = object.find(kOnlyOutput);
    if (found == object.end()) continue;
    reading.outputs[i] = read_output(*found, i, outputs, wrong[i]);
  }
  read_others(object, outputs, reading);
  if (error) return failure_beside(*error, reading, outputs);
  return complete(std::move(reading), outputs, line, wrong);
}

std::optional<std::string> reported_error(const nlohmann::json& object) {
  const auto error = object.find("error");
  if (error == object.end() || error->is_null() || *error == false || error->dump() == kNan) return std::nullopt;
  const std::string text = error->is_string() ? error->get<std::string>() : error->dump();
  return "the command reported an error: " + printable(text.substr(0, 1000));
}

Reading read_object(std::string_view line, const OutputNames& outputs) {
  auto object = nlohmann::json::parse(line, nullptr, false);
  if (object.is_discarded()) object = nlohmann::json::parse(without_nan(line, outputs.own() ? kNan : "null"), nullptr, false);
  const std::string expected = outputs.own() ? wanted(outputs) : std::string(kWanted);
  if (object.is_discarded()) return failure(fmt::format("not valid JSON: {}, got {}", expected, excerpt(line, 200)));
  const auto error = reported_error(object);
  if (outputs.own()) return read_named_object(object, line, outputs, error);
  if (error) return failure(*error);
  const auto value = object.find("value");
  if (value == object.end()) return failure(fmt::format("no \"value\" in its JSON: {}, got {}", kWanted, excerpt(line, 200)));
  if (!value->is_number()) return failure(fmt::format("\"value\" is not a number: {}, got {}", kWanted, excerpt(line, 200)));
  Reading reading = finite(value->get<double>(), line);
  if (!reading.has_value()) return reading;
  read_others(object, outputs, reading);
  return complete(std::move(reading), outputs, line, {});
}

// "yield 0.7", "yield: 0.7" or "yield = 0.7": a name and one word.
struct NamedLine {
  std::string_view name, value;
};
std::optional<NamedLine> named_line(std::string_view line) {
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-'; };
  const auto end = std::find_if_not(line.begin(), line.end(), in_name);
  const std::string_view name(line.begin(), end);
  std::string_view rest = line.substr(name.size());
  const std::string_view gap = trim(rest);
  if (name.empty() || rest.empty() || gap.empty() || (std::isdigit(static_cast<unsigned char>(name[0])) != 0))
    return std::nullopt;
  rest = gap[0] == ':' || gap[0] == '=' ? trim(gap.substr(1)) : gap;
  if (rest.empty() || rest.find_first_of(" \t") != std::string_view::npos) return std::nullopt;
  return NamedLine{name, rest};
}

// From the last line backwards. `text` begins with a whole line.
Reading read_named_lines(std::string_view text, const OutputNames& outputs) {
  const std::string_view last = trim(text.substr(text.find_last_of('\n') + 1));
  Reading reading{.outputs = std::vector<double>(outputs.size(), std::numeric_limits<double>::quiet_NaN())};
  std::vector<std::string> wrong(outputs.size());
  std::set<std::string, std::less<>> seen;
  while (!text.empty()) {
    const std::size_t newline = text.find_last_of('\n');
    const std::string_view line = trim(newline == std::string_view::npos ? text : text.substr(newline + 1));
    text = text.substr(0, newline == std::string_view::npos ? 0 : newline);
    if (line.empty()) continue;
    const auto named = named_line(line);
    if (!named || !seen.emplace(named->name).second) break;
    const int output = outputs.find(named->name, false);
    const auto number = to_double(named->value);
    if (output < 0 && !number) break;
    if (output < 0) {
      if (reading.others.size() < kMostOthers && named->name.size() <= kLongestName) reading.others.emplace(named->name, *number);
      continue;
    }
    const auto i = static_cast<std::size_t>(output);
    if (const auto value = outputs.read(i, named->value))
      reading.outputs[i] = *value;
    else
      wrong[i] = fmt::format("{}: expected {}, got {}", named->name, outputs.expected(i), excerpt(named->value));
  }
  return complete(std::move(reading), outputs, last, wrong);
}

std::string signal_name(int signal) {
  const char* text = strsignal(signal);
  return fmt::format("signal {} ({})", signal, text ? text : "unknown");
}

std::string how_it_ended(const ProcessResult& result, double timeout) {
  if (result.timed_out) return fmt::format("timed out after {:g} s", timeout);
  if (result.signal != 0) return "killed by " + signal_name(result.signal);
  // A shell passes on the death of its child as 128 + the signal.
  if (result.exit_code > 128 && result.exit_code < 128 + NSIG)
    return fmt::format("exit code {} ({})", result.exit_code, signal_name(result.exit_code - 128));
  if (result.exit_code == 127) return "exit code 127 (command not found)";
  if (result.exit_code == 126) return "exit code 126 (command cannot be executed)";
  return fmt::format("exit code {}", result.exit_code);
}

// The end of standard error says most: keep whole lines of it.
std::string last_words(const Tail& err) {
  constexpr std::size_t kLimit = 1000;
  std::string_view text = trim(err.text());
  if (text.size() > kLimit) {
    text = text.substr(text.size() - kLimit);
    const std::size_t line = text.find('\n');
    if (line < text.size() / 2) text.remove_prefix(line + 1);
    return "…" + printable(text);
  }
  return printable(text);
}

}  // namespace

Reading read_value(std::string_view text, bool cut, const std::vector<Output>& outputs) {
  const OutputNames names(outputs);
  const std::string expected = names.own() ? wanted(names) : std::string(kWanted);
  const std::string_view body = trim(text);
  if (body.empty()) return failure(fmt::format("it printed nothing: {}", expected));
  const std::size_t newline = body.find_last_of('\n');
  const std::string_view line = trim(newline == std::string_view::npos ? body : body.substr(newline + 1));
  const std::string_view before = text.substr(0, static_cast<std::size_t>(line.data() - text.data()));
  if (cut && before.find('\n') == std::string_view::npos)
    return failure(fmt::format("the last line of its output is longer than {} bytes: {}", text.size(), expected));
  if (line[0] == '{') return read_object(line, names);
  if (!names.own() || (names.size() == 1 && !named_line(line))) return read_number(line);
  return read_named_lines(trim(cut ? text.substr(text.find('\n') + 1) : text), names);  // the first line is half a line
}

Reading read_result(const ProcessResult& result, double timeout, const std::vector<Output>& outputs) {
  Reading reading;
  if (result.timed_out || result.signal != 0 || result.exit_code != 0)
    reading.error = how_it_ended(result, timeout);
  else
    reading = read_value(result.out.text(), result.out.cut(), outputs);
  if (!reading.has_value()) {
    const std::string words = last_words(result.err);
    if (!words.empty()) reading.error += "; stderr: " + words;
  }
  return reading;
}

}  // namespace salvo::runner

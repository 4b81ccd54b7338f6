#include "run/value.h"

#include <fmt/format.h>
#include <salvo/trial.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "run/text.h"
#include "text/numbers.h"
#include "text/text.h"

namespace salvo::runner {
namespace {

constexpr std::string_view kWanted = "expected a finite number, or a JSON object with \"value\", as the last line of its output";

Reading failure(std::string text) { return {.error = std::move(text)}; }

Reading finite(double value, std::string_view line) {
  if (std::isfinite(value)) return {.value = value};
  return failure(fmt::format("the value is not finite: {}, got {}", kWanted, excerpt(line)));
}

Reading read_number(std::string_view line) {
  if (const auto value = to_double(line)) return {.value = value};
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

void read_others(const nlohmann::json& object, Reading& to) {
  for (const auto& item : object.items()) {
    const nlohmann::json& value = item.value();
    const std::string& key = item.key();
    if (key == "value" || key == "error" || key.empty() || !is_text(key) || key.size() > kLongestName ||
        to.others.size() + to.said.size() == kMostOthers)
      continue;
    if (value.is_boolean()) to.others.emplace(key, value.get<bool>() ? 1 : 0);
    if (value.is_number() && std::isfinite(value.get<double>())) to.others.emplace(key, value.get<double>());
    if (value.is_string() && key != kStandardError && !value.get_ref<const std::string&>().empty())
      to.said.emplace(key, kept_text(value.get_ref<const std::string&>()));
  }
}

// Python writes NaN and Infinity into its JSON, which has no such numbers: null in their place.
std::string without_nan(std::string_view line) {
  std::string out;
  bool in_text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) in_text = !in_text;
    std::size_t length = 0;
    for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
      if (!in_text && length == 0 && line.substr(i).starts_with(word)) length = word.size();
    out += length > 0 ? "null" : std::string(1, line[i]);
    i += length > 0 ? length - 1 : 0;
  }
  return out;
}

Reading read_object(std::string_view line) {
  auto object = nlohmann::json::parse(line, nullptr, false);
  if (object.is_discarded()) object = nlohmann::json::parse(without_nan(line), nullptr, false);
  if (object.is_discarded()) return failure(fmt::format("not valid JSON: {}, got {}", kWanted, excerpt(line, 200)));
  if (const auto error = object.find("error"); error != object.end() && !error->is_null() && *error != false) {
    const std::string text = error->is_string() ? error->get<std::string>() : error->dump();
    return failure("the command reported an error: " + printable(text.substr(0, 1000)));
  }
  const auto value = object.find("value");
  if (value == object.end()) return failure(fmt::format("no \"value\" in its JSON: {}, got {}", kWanted, excerpt(line, 200)));
  if (!value->is_number()) return failure(fmt::format("\"value\" is not a number: {}, got {}", kWanted, excerpt(line, 200)));
  Reading reading = finite(value->get<double>(), line);
  if (reading.value) read_others(object, reading);
  if (const auto sd = reading.others.find(kStandardError); sd != reading.others.end() && sd->second < 0)
    return failure(
        fmt::format("\"{}\" is negative: expected the standard error of the value, got {}", kStandardError, excerpt(line, 200)));
  return reading;
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

Reading read_value(std::string_view text, bool cut) {
  const std::string_view body = trim(text);
  if (body.empty()) return failure(fmt::format("it printed nothing: {}", kWanted));
  const std::size_t newline = body.find_last_of('\n');
  const std::string_view line = trim(newline == std::string_view::npos ? body : body.substr(newline + 1));
  const std::string_view before = text.substr(0, static_cast<std::size_t>(line.data() - text.data()));
  if (cut && before.find('\n') == std::string_view::npos)
    return failure(fmt::format("the last line of its output is longer than {} bytes: {}", text.size(), kWanted));
  return line[0] == '{' ? read_object(line) : read_number(line);
}

Reading read_result(const ProcessResult& result, double timeout) {
  Reading reading;
  if (result.timed_out || result.signal != 0 || result.exit_code != 0)
    reading.error = how_it_ended(result, timeout);
  else
    reading = read_value(result.out.text(), result.out.cut());
  if (!reading.value) {
    const std::string words = last_words(result.err);
    if (!words.empty()) reading.error += "; stderr: " + words;
  }
  return reading;
}

}  // namespace salvo::runner

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/records.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <set>

#include "space/value.h"
#include "study/records_detail.h"
#include "text/csv.h"
#include "text/encoding.h"
#include "text/formula.h"
#include "text/numbers.h"
#include "text/tags.h"
#include "text/text.h"
#include "text/words.h"

namespace salvo {

std::string iso_time(double seconds) {
  const double whole = std::floor(seconds);
  const auto micros = std::min(static_cast<int>((seconds - whole) * 1e6), 999'999);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z", fmt::gmtime(static_cast<std::time_t>(whole)), micros);
}

RawRecord::RawRecord(std::size_t at, std::size_t num_outputs)
    : line(at), values(num_outputs, std::numeric_limits<double>::quiet_NaN()), values_written(num_outputs) {}

void RawRecord::set(std::size_t output, double value, std::string as_written) {
  values[output] = value;
  values_written[output] = std::move(as_written);
}

bool RawRecord::has_value() const {
  return std::any_of(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
}

bool RawRecord::is_open() const {
  const bool silent =
      std::all_of(values_written.begin(), values_written.end(), [](const std::string& text) { return text.empty(); });
  return silent && !has_value() && error.empty() && (state.empty() || state == "pending");
}

OutputNames::OutputNames(const std::vector<Output>& outputs) : own_(!outputs.empty() && has_names(outputs)) {
  for (const Output& output : outputs) {
    const auto* constraint = std::get_if<Constraint>(&output.role);
    names_.push_back(output.name);
    passed_.push_back(constraint && constraint->passed);
  }
  if (own_) return;
  names_ = {std::string(kOnlyOutput)};
  passed_ = {false};
}

int OutputNames::find(std::string_view name, bool any_case) const {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if ((any_case ? lower_case(names_[i]) : names_[i]) == (any_case ? lower_case(name) : name)) return static_cast<int>(i);
  return -1;
}

std::string OutputNames::listed() const { return salvo::listed(std::vector<std::string_view>(names_.begin(), names_.end())); }

std::optional<double> OutputNames::read(std::size_t i, std::string_view text) const {
  if (!passed_[i]) return to_double(text);
  if (const auto word = passed_value(text)) return word;
  const auto number = to_double(text);
  return number && (*number == 0 || *number == 1) ? number : std::nullopt;
}

std::string OutputNames::expected(std::size_t i) const {
  return passed_[i] ? "passed or failed (1 or 0, true or false)" : "a finite number";
}

ToldRow finish_record(RawRecord raw, const OutputNames& outputs) {
  const auto fail = [](const std::string& problem) { throw RowMistake{problem}; };
  std::vector<std::string_view> states;
  for (const auto& [state, name] : Names<TrialState>::list) states.push_back(name);
  if (raw.id && *raw.id < 1) fail(fmt::format("trial: expected 1 or more, got {}", *raw.id));
  if (!raw.state.empty() && std::find(states.begin(), states.end(), raw.state) == states.end())
    fail(fmt::format("state: expected {}, got \"{}\"", listed(states), shown(raw.state)));
  if (const auto sd = raw.measured.find(kStandardError); sd != raw.measured.end() && sd->second < 0)
    fail(fmt::format("{}: expected the standard error of the value, which is not negative, got {}", kStandardError, sd->second));
  for (const auto& [name, text] : raw.said) {
    if (text.size() > kLongestSaid)
      fail(fmt::format("{}{}: expected a text of at most {} bytes, got {}", kSaid, shown(name), kLongestSaid, text.size()));
    if (raw.measured.contains(name) || name == kStandardError)
      fail(fmt::format("{}{}: expected another name, got one that is a number's, {}{}", kSaid, shown(name), kMeasured,
                       shown(name)));
  }
  const bool told = raw.has_value();
  if (told && !raw.error.empty()) fail("both a value and an error; expected one of them");
  if (told && (raw.state == "failed" || raw.state == "abandoned"))
    fail(fmt::format("a value, but the state is \"{}\"", raw.state));
  if (raw.state == "abandoned" && !raw.error.empty()) fail("an error, but the state is \"abandoned\"");
  if (!told && raw.state == "done" && outputs.size() == 1)
    fail(fmt::format("{}: the state is \"done\", expected a number, got nothing", outputs.name(0)));
  if (!told && raw.state == "done")
    fail(fmt::format("the state is \"done\", expected a value of {}, got nothing", outputs.listed()));
  if (raw.measured.contains(kStandardError) && outputs.size() > 1)
    fail(fmt::format("{}: standard errors are for a study with one output, this one has {}; leave the column out", kStandardError,
                     outputs.size()));
  for (const std::string& name : raw.tags)
    if (const std::string problem = tag_problem(name); !problem.empty()) fail(fmt::format("{}: {}", kTags, problem));
  if (!is_text(raw.error)) fail(fmt::format("error: expected text without a NUL byte, got \"{}\"", shown(raw.error)));
  if (!is_text(raw.note)) fail(fmt::format("{}: expected text without a NUL byte, got \"{}\"", kNote, shown(raw.note)));
  if (!raw.id && !raw.params) fail("expected a trial, or the parameters of a point evaluated elsewhere");
  if (!raw.id && !told && outputs.size() == 1)
    fail(fmt::format("{}: a point evaluated elsewhere needs one, got nothing", outputs.name(0)));
  if (!raw.id && !told) fail(fmt::format("a point evaluated elsewhere needs a value of {}, got nothing", outputs.listed()));

  Outcome outcome = Failure{raw.error.empty() ? "failed" : std::move(raw.error)};
  if (raw.state == "abandoned") outcome = Abandoned{};
  if (told) outcome = Values{std::move(raw.values), std::move(raw.measured), std::move(raw.said)};
  return {.line = raw.line,
          .id = raw.id,
          .params = std::move(raw.params),
          .written = std::move(raw.written),
          .outcome = std::move(outcome),
          .values_written = std::move(raw.values_written),
          .tags = std::move(raw.tags),
          .note = std::move(raw.note)};
}

bool is_state(std::string_view word) {
  const std::string lower = lower_case(word);
  return std::any_of(Names<TrialState>::list.begin(), Names<TrialState>::list.end(),
                     [&](const auto& each) { return each.second == lower; });
}

std::string name_problem(std::string_view what, std::string_view name, std::span<const std::string_view> missing) {
  const std::string_view near = slip_of(name, missing);
  if (near.empty()) return "";
  return fmt::format("unknown {0} \"{1}\"; did you mean \"{2}\"? A {0} of your own needs another name", what, shown(name), near);
}

ToldFile parse_records(std::string_view text, const std::string& path, const Space& space, Format format, Mistakes* mistakes,
                       const std::vector<Output>& outputs) {
  Mistakes own(path);
  const std::string utf8 = to_utf8(text, path);
  const auto read = format == Format::csv ? parse_csv_records : parse_json_records;
  ToldFile file = read(utf8, path, space, OutputNames(outputs), Wanted::outcomes, mistakes ? *mistakes : own);
  own.raise();
  return file;
}

ToldFile parse_points(std::string_view text, const std::string& path, const Space& space, Format format,
                      const std::vector<Output>& outputs) {
  Mistakes mistakes(path);
  const auto read = format == Format::csv ? parse_csv_records : parse_json_records;
  ToldFile file = read(to_utf8(text, path), path, space, OutputNames(outputs), Wanted::points, mistakes);
  mistakes.raise();
  return file;
}

bool says_same(const Space& space, int parameter, std::string_view written, const Value& value) {
  const std::string exact = to_string(value);
  if (written == exact) return true;
  const Domain& domain = space.parameters().at(static_cast<std::size_t>(parameter)).domain;
  if (!std::holds_alternative<Float>(domain) && !std::holds_alternative<Candidate>(domain)) {
    try {
      return same_value(space.parse(parameter, written), value);  // of choices 1.5 and 2 the second is no rounding of the first
    } catch (const std::invalid_argument&) {
    }
  }
  if (std::holds_alternative<bool>(value)) return lower_case(written) == exact;  // TRUE, in a spreadsheet
  if (const auto x = number(value)) {
    constexpr double kSinglePrecision = 1e-6;  // a program between ask and tell may compute in it
    const auto y = to_double(written);
    return is_rounding(written, *x) || (y && std::abs(*x - *y) <= kSinglePrecision * std::max(std::abs(*x), std::abs(*y)));
  }
  const auto x = to_double(exact), y = to_double(written);
  return x && y && *x == *y;  // the id 007, in a spreadsheet
}

bool says_same(const ToldRow& row, const Outcome& told) {
  if (row.outcome == told) return true;
  const auto* told_failure = std::get_if<Failure>(&told);
  const auto* failure = std::get_if<Failure>(&row.outcome);
  if (failure && told_failure) return failure->reason == "failed";
  const auto* told_values = std::get_if<Values>(&told);
  const auto* values = std::get_if<Values>(&row.outcome);
  if (!values || !told_values) return false;
  constexpr double kRounded = 1e-7;  // of a standard error that a spreadsheet has saved
  const auto sd = standard_error(*values), told_sd = standard_error(*told_values);
  if (sd && !(told_sd && std::abs(*sd - *told_sd) <= kRounded * *told_sd)) return false;
  constexpr int kSpreadsheetDigits = 8;
  if (values->outputs.size() != told_values->outputs.size()) return false;
  for (std::size_t i = 0; i < values->outputs.size(); ++i) {
    const double value = values->outputs[i], exact = told_values->outputs[i];
    const std::string_view written = i < row.values_written.size() ? std::string_view(row.values_written[i]) : "";
    const bool rounded = !std::isnan(exact) && num_digits(written) >= kSpreadsheetDigits && is_rounding(written, exact);
    if (!std::isnan(value) && value != exact && !rounded) return false;
  }
  return true;
}

std::string csv_header(const Space& space, std::span<const std::string> measured, std::span<const std::string> said,
                       const std::vector<Output>& outputs) {
  std::string header = "trial";
  for (const Parameter& parameter : space.parameters()) header += ',' + parameter.name;
  const OutputNames names(outputs);
  for (std::size_t i = 0; i < names.size(); ++i) header += ',' + names.name(i);
  header += ",state,origin,asked_at,told_at,error";
  for (const std::string& name : measured) header += ',' + csv_cell(std::string(kMeasured) + name);
  for (const std::string& name : said) header += ',' + csv_cell(std::string(kSaid) + name);
  return header;
}

std::vector<std::string> measured_names(std::span<const Trial> trials) {
  std::set<std::string> names;
  for (const Trial& trial : trials)
    if (const auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr)
      for (const auto& [name, value] : values->others) names.insert(name);
  return {names.begin(), names.end()};
}

std::vector<std::string> said_names(std::span<const Trial> trials) {
  std::set<std::string> names;
  for (const Trial& trial : trials)
    if (const auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr)
      for (const auto& [name, text] : values->said) names.insert(name);
  return {names.begin(), names.end()};
}

std::string to_csv(const Trial& trial, const Space& space, std::span<const std::string> measured,
                   std::span<const std::string> said, const std::vector<Output>& outputs) {
  if (trial.params.size() != space.parameters().size())
    throw std::invalid_argument(
        fmt::format("to_csv: expected {} parameter values, got {}", space.parameters().size(), trial.params.size()));
  std::string row = fmt::to_string(trial.id);
  for (const Value& value : trial.params) row += ',' + csv_cell(guarded(to_string(value)));
  const auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, outputs.size()); ++i) {
    const bool known = values && i < values->outputs.size() && !std::isnan(values->outputs[i]);
    row += ',' + (known ? to_string(Value(values->outputs[i])) : "");
  }
  row += fmt::format(",{},{},{}", to_string(trial.state()), to_string(trial.source), iso_time(trial.asked_at));
  row += fmt::format(",{},{}", trial.told_at > 0 ? iso_time(trial.told_at) : "", csv_cell(guarded(trial.error())));
  for (const std::string& name : measured) {
    const bool known = values && values->others.contains(name);
    row += ',' + (known ? to_string(Value(values->others.at(name))) : "");
  }
  for (const std::string& name : said)
    row += ',' + (values && values->said.contains(name) ? csv_cell(guarded(values->said.at(name))) : "");
  return row;
}

}  // namespace salvo

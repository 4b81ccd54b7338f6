#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/records.h>

#include <algorithm>
#include <array>

#include "space/value.h"
#include "study/records_detail.h"
#include "text/csv.h"
#include "text/text.h"

namespace salvo {
namespace {

constexpr std::array<std::string_view, 4> kOwnColumns = {"trial", "value", "state", "error"};

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Where the columns of a CSV stand; −1: not there.
struct Columns {
  int trial = -1, value = -1, state = -1, error = -1;
  std::vector<int> parameters;  // per parameter of the space
  bool has_parameters = false;
};

Columns find_columns(const Csv& csv, const std::string& path, const Space& space) {
  const auto fail = [&](const std::string& problem) { throw InputError(fmt::format("{}: {}", path, problem)); };
  Columns columns;
  columns.parameters.assign(space.parameters().size(), -1);
  for (int i = 0; i < static_cast<int>(csv.header.size()); ++i) {
    const std::string& name = csv.header[i];
    if (name == "trial" || name == "id") {
      if (columns.trial >= 0) fail("the columns \"trial\" and \"id\" say the same; keep one");
      columns.trial = i;
    } else if (name == "value") {
      columns.value = i;
    } else if (name == "state") {
      columns.state = i;
    } else if (name == "error") {
      columns.error = i;
    } else if (const int parameter = space.find(name); parameter >= 0) {
      columns.parameters[parameter] = i;
      columns.has_parameters = true;
    } else if (!contains(kPassedOver, name)) {
      std::vector<std::string_view> known(kOwnColumns.begin(), kOwnColumns.end());
      for (const Parameter& p : space.parameters()) known.push_back(p.name);
      if (csv.header.size() == 1 && name.find_first_of(";\t") != std::string::npos)
        fail(fmt::format("expected columns separated by commas, got \"{}\"", shown(name)));
      fail(fmt::format("unknown column \"{}\"{}", shown(name), hint(name, known)));
    }
  }
  if (columns.value < 0 && columns.state < 0 && columns.error < 0)
    fail("expected a column \"value\" (or \"state\", or \"error\")");
  if (columns.trial < 0 && !columns.has_parameters)
    fail("expected a column \"trial\", or the parameters of points evaluated elsewhere");
  if (columns.has_parameters)
    for (std::size_t i = 0; i < columns.parameters.size(); ++i)
      if (columns.parameters[i] < 0 && !std::holds_alternative<Fixed>(space.parameters()[i].domain))
        fail(fmt::format("expected a column for the parameter \"{}\", there is none", space.parameters()[i].name));
  return columns;
}

std::optional<Params> read_params(const Csv::Row& row, const Columns& columns, const Space& space, bool may_be_empty,
                                  const RecordPlace& place) {
  if (!columns.has_parameters) return std::nullopt;
  bool all_empty = true;
  for (const int column : columns.parameters) all_empty = all_empty && (column < 0 || row.cells[column].empty());
  if (all_empty && may_be_empty) return std::nullopt;
  Params params;
  for (int i = 0; i < static_cast<int>(columns.parameters.size()); ++i) {
    const int column = columns.parameters[i];
    if (column < 0) {
      params.push_back(std::get<Fixed>(space.parameters()[i].domain).value);
      continue;
    }
    try {
      params.push_back(space.parse(i, row.cells[column]));
    } catch (const std::invalid_argument& error) {
      place.fail(error.what());
    }
  }
  return params;
}

std::vector<ToldRow> parse_csv_records(std::string_view text, const std::string& path, const Space& space) {
  const Csv csv = parse_csv(text, path);
  const Columns columns = find_columns(csv, path, space);
  std::vector<ToldRow> records;
  for (const Csv::Row& row : csv.rows) {
    const RecordPlace place{path, row.line};
    const auto cell = [&](int column) { return column < 0 ? std::string_view() : std::string_view(row.cells[column]); };
    RawRecord raw;
    if (const auto trial = cell(columns.trial); !trial.empty()) {
      raw.id = to_int64(trial);
      if (!raw.id) place.fail(fmt::format("{}: expected a whole number, got \"{}\"", csv.header[columns.trial], shown(trial)));
    }
    if (const auto value = cell(columns.value); !value.empty()) {
      raw.value = to_double(value);
      if (!raw.value) place.fail(fmt::format("value: expected a finite number, got \"{}\"", shown(value)));
    }
    raw.state = cell(columns.state);
    raw.error = cell(columns.error);
    raw.params = read_params(row, columns, space, raw.id.has_value(), place);
    if (auto record = finish_record(std::move(raw), place)) records.push_back(std::move(*record));
  }
  return records;
}

}  // namespace

void RecordPlace::fail(const std::string& problem) const { throw InputError(fmt::format("{}:{}: {}", path, line, problem)); }

std::optional<ToldRow> finish_record(RawRecord raw, const RecordPlace& place) {
  std::vector<std::string_view> states;
  for (const auto& [state, name] : Names<TrialState>::list) states.push_back(name);
  if (raw.id && *raw.id < 1) place.fail(fmt::format("trial: expected 1 or more, got {}", *raw.id));
  if (!raw.state.empty() && !contains(states, raw.state))
    place.fail(fmt::format("state: expected {}, got \"{}\"", listed(states), shown(raw.state)));
  const bool has_outcome = raw.value || !raw.error.empty();
  if (raw.state == "pending" && !has_outcome) return std::nullopt;
  if (raw.value && !raw.error.empty()) place.fail("both a value and an error; expected one of them");
  if (raw.value && (raw.state == "failed" || raw.state == "abandoned"))
    place.fail(fmt::format("a value, but the state is \"{}\"", raw.state));
  if (raw.state == "abandoned" && !raw.error.empty()) place.fail("an error, but the state is \"abandoned\"");
  if (!raw.value && raw.state == "done") place.fail("value: the state is \"done\", expected a number, got nothing");
  if (!has_outcome && raw.state.empty())
    place.fail("value: expected a number, got nothing (a trial that failed: an error, or the state \"failed\")");
  if (!raw.id && !raw.params) place.fail("expected a trial, or the parameters of a point evaluated elsewhere");
  if (!raw.id && !raw.value) place.fail("value: a point evaluated elsewhere needs one, got nothing");

  Outcome outcome = Failure{raw.error.empty() ? "failed" : std::move(raw.error)};
  if (raw.state == "abandoned") outcome = Abandoned{};
  if (raw.value) outcome = Values{{*raw.value}};
  return ToldRow{.line = place.line, .id = raw.id, .params = std::move(raw.params), .outcome = std::move(outcome)};
}

std::vector<ToldRow> parse_records(std::string_view text, const std::string& path, const Space& space, Format format) {
  return format == Format::csv ? parse_csv_records(text, path, space) : parse_json_records(text, path, space);
}

std::string csv_header(const Space& space) {
  std::string header = "trial";
  for (const Parameter& parameter : space.parameters()) header += ',' + parameter.name;
  return header + ",value,state,origin,asked_at,told_at,error";
}

std::string to_csv(const Trial& trial, const Space& space) {
  if (trial.params.size() != space.parameters().size())
    throw std::invalid_argument(
        fmt::format("to_csv: expected {} parameter values, got {}", space.parameters().size(), trial.params.size()));
  std::string row = fmt::to_string(trial.id);
  for (const Value& value : trial.params) row += ',' + csv_cell(to_string(value));
  row += fmt::format(",{},{},{},{}", trial.value() ? to_string(Value(*trial.value())) : "", to_string(trial.state()),
                     to_string(trial.source), to_string(Value(trial.asked_at)));
  row += fmt::format(",{},{}", trial.told_at > 0 ? to_string(Value(trial.told_at)) : "", csv_cell(trial.error()));
  return row;
}

}  // namespace salvo

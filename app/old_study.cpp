#include "old_study.h"

#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/mistakes.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "input.h"
#include "sheet.h"
#include "source.h"
#include "text/csv.h"
#include "text/encoding.h"
#include "text/formula.h"
#include "text/json.h"
#include "text/numbers.h"
#include "text/tags.h"
#include "text/text.h"

namespace salvo::app {
namespace {

OldStudy from_study(const std::string& path) {
  Common common;
  common.study = path;
  common.quiet = true;  // what its study file says now is not what its trials are
  Study study = open_to_look(common).study;
  if (study.options().pool())
    throw InputError(
        fmt::format("{}: expected a study of parameters, got one over a pool. Its outcomes can be told by their candidates, "
                    "without its trial numbers: salvo export {} | cut -d, -f2- > old.csv, then salvo tell STUDY old.csv",
                    path, path));
  OldStudy out{.from = path, .storage = study.path(), .outputs = study.options().outputs};
  const auto& parameters = study.space().parameters();
  for (const Parameter& parameter : parameters) out.names.push_back(parameter.name);
  Tags tags = study.tags();
  std::map<std::int64_t, std::string> notes = study.annotations();
  for (Trial& trial : study.trials()) {
    const bool told = trial.state() == TrialState::done || trial.state() == TrialState::failed;
    if (!told || trial.outside) {
      ++(told ? out.num_outside : out.num_without);
      continue;
    }
    OldTrial old{.where = fmt::format("trial {}", trial.id),
                 .params = {},
                 .outcome = *trial.outcome,
                 .tags = joined_tags(tags[trial.id]),
                 .note = notes[trial.id]};
    for (std::size_t i = 0; i < parameters.size(); ++i) old.params[parameters[i].name] = to_string(trial.params[i]);
    out.trials.push_back(std::move(old));
  }
  return out;
}

// What an export says of a trial beside its parameters.
struct Written {
  std::vector<std::string> values{};  // of each output; empty where it says nothing
  std::string state{}, error{}, tags{}, note{};
  std::map<std::string, double> measured{};  // beside the value
  std::map<std::string, std::string> said{};
};

// None where nothing came of it.
std::optional<Outcome> outcome_of(const Written& row, const Outputs& outputs, std::size_t line, Mistakes& mistakes) {
  static const std::set<std::string> states = {"", "done", "failed", "abandoned", "pending"};
  const std::string state = lower_case(row.state);
  if (!states.contains(state))
    mistakes.add(line, fmt::format("state: expected done, failed, abandoned or pending, got \"{}\"", shown(row.state)));
  const bool told = std::any_of(row.values.begin(), row.values.end(), [](const std::string& text) { return !text.empty(); });
  if (told && !row.error.empty()) mistakes.add(line, "both a value and an error; expected one of them");
  if (told && state == "failed") mistakes.add(line, "a value, but the state is \"failed\"; expected one of them");
  if (state == "abandoned" || state == "pending") return std::nullopt;
  if (state == "failed" || (!told && !row.error.empty())) return Failure{row.error.empty() ? "failed" : row.error};
  if (!told) return std::nullopt;
  Values values{std::vector<double>(row.values.size(), std::numeric_limits<double>::quiet_NaN()), row.measured, row.said};
  bool good = true;
  for (std::size_t k = 0; k < row.values.size(); ++k) {
    const std::string& text = row.values[k];
    if (text.empty()) continue;
    const auto* constraint = std::get_if<Constraint>(&outputs[k].role);
    const bool passed = constraint && constraint->passed;
    const auto value = passed ? passed_value(text) : to_double(text);
    if (value && std::isfinite(*value)) values.outputs[k] = *value;
    if (value && std::isfinite(*value)) continue;
    good = false;
    mistakes.add(line, fmt::format("{}: expected {}, got \"{}\"", outputs[k].name,
                                   passed ? "passed or failed" : "a finite number", shown(text)));
  }
  return good ? std::optional<Outcome>(std::move(values)) : std::nullopt;
}

class FileReader {
 public:
  FileReader(const std::string& path, const Outputs& outputs, Mistakes& mistakes) : mistakes_(mistakes) {
    out_.from = path;
    out_.outputs = outputs;
  }

  OldStudy csv(std::string_view text) {
    Sheet sheet = parse_sheet(text, out_.from);
    std::set<std::string> seen;
    std::size_t needed = 0;  // cells of a row: those at its end that may be empty are not always saved
    for (std::size_t i = 0; i < sheet.table.header.size(); ++i) {
      std::string& name = sheet.table.header[i];
      name = trimmed(name);
      if (name.empty()) continue;  // a column that a spreadsheet keeps at the end
      const std::string lower = lower_case(name);
      const bool beside = lower.starts_with(kMeasured) || lower.starts_with(kSaid);  // they may differ in their case alone
      if (!seen.insert(beside ? name : lower).second)
        mistakes_.add(0, fmt::format("the column \"{}\" is there twice", shown(name)));
      if (!is_ours(lower)) out_.names.push_back(name);
      if (!is_ours(lower) || output_of(lower) >= 0) needed = i + 1;
    }
    for (Csv::Row& row : sheet.table.rows) {
      const auto empty = [](const std::string& cell) { return trimmed(cell).empty(); };
      if (std::all_of(row.cells.begin(), row.cells.end(), empty)) continue;
      const std::size_t width = sheet.table.header.size(), beyond = std::min(width, row.cells.size());
      if (row.cells.size() < needed ||
          !std::all_of(row.cells.begin() + static_cast<std::ptrdiff_t>(beyond), row.cells.end(), empty)) {
        mistakes_.add(row.line, fmt::format("expected {} cells, as in the header, got {}{}", width, row.cells.size(),
                                            sheet.separator == ',' ? "; a number with a decimal comma is two of them" : ""));
        continue;
      }
      row.cells.resize(width);
      Written written{.values = std::vector<std::string>(out_.outputs.size())};
      std::map<std::string, std::string> params;
      for (std::size_t i = 0; i < sheet.table.header.size(); ++i) {
        std::string cell(trimmed(without_guard(row.cells[i])));
        if (sheet.table.header[i].empty()) continue;
        const std::string column = lower_case(sheet.table.header[i]);
        if (sheet.separator != ',') cell = with_point(cell, row.line);
        if (const auto number = to_double(cell); column.starts_with(kMeasured) && number)
          written.measured[sheet.table.header[i].substr(kMeasured.size())] = *number;
        else if (column.starts_with(kMeasured) && !cell.empty())
          mistakes_.add(row.line, fmt::format("{}: expected a finite number, got \"{}\"", column, shown(cell)));
        if (const auto sd = to_double(cell); column == kStandardError && sd) written.measured[kStandardError] = *sd;
        if (column.starts_with(kSaid) && !cell.empty())
          written.said[sheet.table.header[i].substr(kSaid.size())] = without_guard(row.cells[i]);
        if (column == "tags") written.tags = cell;
        if (column == "note" && !cell.empty()) written.note = without_guard(row.cells[i]);
        if (const int output = output_of(column); output >= 0)
          written.values[static_cast<std::size_t>(output)] = cell;
        else if (column == "state")
          written.state = cell;
        else if (column == "error")
          written.error = cell;
        else if (!is_ours(column))
          params[sheet.table.header[i]] = cell;
      }
      add(row.line, written, std::move(params));
    }
    return std::move(out_);
  }

  OldStudy json(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] == '[') {
      for (const Tree& item : parsed(text, 1).items) object(item, 1);
      return std::move(out_);
    }
    std::size_t line = 1;
    for (std::size_t start = 0; start < text.size(); ++line) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      const std::string_view row = trimmed(text.substr(start, end - start));
      if (!row.empty() && row != "\r") object(parsed(row, line), line);
      start = end + 1;
    }
    return std::move(out_);
  }

 private:
  static constexpr std::string_view kMeasured = "measured.", kSaid = "said.";
  // Of a column in small letters. What a study with one output calls "value" is its value.
  [[nodiscard]] int output_of(const std::string& column) const {
    for (std::size_t k = 0; k < out_.outputs.size(); ++k)
      if (lower_case(out_.outputs[k].name) == column) return static_cast<int>(k);
    return column == kOnlyOutput && num_objectives() == 1 ? 0 : -1;
  }

  [[nodiscard]] std::ptrdiff_t num_objectives() const {
    return std::count_if(out_.outputs.begin(), out_.outputs.end(),
                         [](const salvo::Output& output) { return std::holds_alternative<Objective>(output.role); });
  }

  [[nodiscard]] bool is_ours(const std::string& column) const {
    if (output_of(column) >= 0) return true;
    static const std::set<std::string> names = {"trial",    "id",      "value", "state",   "error", "origin",
                                                "asked_at", "told_at", "owner", "outside", "note"};
    return names.contains(column) || column.starts_with(kMeasured) || column.starts_with(kSaid);
  }

  // 45,18 where commas separate nothing. Beside it 1.234 could be a thousand: nobody can say.
  std::string with_point(const std::string& cell, std::size_t line) {
    std::string plain = cell;
    const std::size_t comma = plain.find(',');
    if (comma != std::string::npos) plain[comma] = '.';
    if (!to_double(plain) || plain.find('.') == std::string::npos) return cell;
    if (!commas_) commas_ = comma != std::string::npos;
    if (*commas_ != (comma != std::string::npos))
      mistakes_.add(line, fmt::format("\"{}\": some numbers of the file have decimal commas, others points; write them alike",
                                      shown(cell)));
    return plain;
  }

  Tree parsed(std::string_view text, std::size_t line) {
    try {
      return parse_json(text);
    } catch (const std::invalid_argument& error) {
      const std::string_view words = error.what();
      const std::size_t prefix = words.starts_with("[json") ? words.find("] ") : std::string_view::npos;
      mistakes_.add(line, fmt::format("not JSON: {}", prefix == std::string_view::npos ? words : words.substr(prefix + 2)));
      return {};
    }
  }

  static std::string text_of_value(const Tree& node) {
    switch (node.kind) {
      case Tree::Kind::boolean:
        return node.boolean ? "true" : "false";
      case Tree::Kind::integer:
        return std::to_string(node.integer);
      case Tree::Kind::real:
        return shortest(node.real);
      case Tree::Kind::text:
        return node.text;
      default:
        return "";
    }
  }

  void object(const Tree& row, std::size_t line) {
    if (const Tree* outside = row.find("outside"); outside && outside->boolean) {
      ++out_.num_outside;
      return;
    }
    Written written{.values = std::vector<std::string>(out_.outputs.size())};
    for (const auto& [key, to] : {std::pair("state", &written.state), {"error", &written.error}, {"note", &written.note}})
      if (const Tree* node = row.find(key)) *to = text_of_value(*node);
    const Tree* values = row.find("values");
    for (const Tree* table : {&row, values})
      for (std::size_t i = 0; table && i < table->keys.size(); ++i)
        if (const int output = output_of(lower_case(table->keys[i])); output >= 0)
          written.values[static_cast<std::size_t>(output)] = text_of_value(table->items[i]);
    if (const Tree* sd = row.find(kStandardError)) {
      const std::string text = text_of_value(*sd);
      if (const auto number = to_double(text))
        written.measured[kStandardError] = *number;
      else if (!text.empty())
        mistakes_.add(line, fmt::format("{}: expected a finite number, got \"{}\"", kStandardError, shown(text)));
    }
    if (const Tree* measured = row.find("measured"))
      for (std::size_t i = 0; i < measured->keys.size(); ++i) {
        const auto number = to_double(text_of_value(measured->items[i]));
        if (number) written.measured[measured->keys[i]] = *number;
        if (!number) mistakes_.add(line, fmt::format("measured.{}: expected a finite number", shown(measured->keys[i])));
      }
    if (const Tree* tags = row.find("tags")) {
      written.tags = text_of_value(*tags);
      for (const Tree& name : tags->items) written.tags += text_of_value(name) + " ";
    }
    if (const Tree* said = row.find("said"))
      for (std::size_t i = 0; i < said->keys.size(); ++i) written.said[said->keys[i]] = text_of_value(said->items[i]);
    const Tree* params = row.find("params");
    if (!params || params->kind != Tree::Kind::table) {
      if (!row.keys.empty()) mistakes_.add(line, "params: expected the parameters of the trial, got none");
      return;
    }
    std::map<std::string, std::string> point;
    for (std::size_t i = 0; i < params->keys.size(); ++i) {
      point[params->keys[i]] = text_of_value(params->items[i]);
      if (std::find(out_.names.begin(), out_.names.end(), params->keys[i]) == out_.names.end())
        out_.names.push_back(params->keys[i]);
    }
    add(line, written, std::move(point));
  }

  void add(std::size_t line, const Written& written, std::map<std::string, std::string> params) {
    const std::size_t before = mistakes_.size();
    for (const auto& [name, words] : {std::pair("note", &written.note), {"error", &written.error}})
      if (!is_text(*words))
        mistakes_.add(line, fmt::format("{}: expected text without a NUL byte, got \"{}\"", name, shown(*words)));
    if (auto outcome = outcome_of(written, out_.outputs, line, mistakes_))
      out_.trials.push_back(
          {fmt::format("{}:{}", out_.from, line), std::move(params), std::move(*outcome), written.tags, written.note});
    else if (mistakes_.size() == before)
      ++out_.num_without;
  }

  Mistakes& mistakes_;
  OldStudy out_;
  std::optional<bool> commas_;  // how decimals are written
};

}  // namespace

OldStudy read_old_study(const std::string& path, const std::optional<Format>& format, const Outputs& outputs) {
  if (!format && (names_store(path) || path.ends_with(".toml"))) return from_study(path);
  const std::string name = path == "-" ? "standard input" : path, text = to_utf8(read_input(path), name);
  Mistakes mistakes(name);
  FileReader reader(name, outputs, mistakes);
  const Format kind = format.value_or(guess_format(path, text));
  OldStudy out = kind == Format::csv ? reader.csv(text) : reader.json(text);
  mistakes.raise("Nothing was imported.");
  return out;
}

}  // namespace salvo::app

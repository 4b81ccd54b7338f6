#include "sheet.h"

#include <fmt/core.h>
#include <salvo/error.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "text.h"
#include "text/csv.h"
#include "text/encoding.h"
#include "text/file.h"
#include "text/text.h"

namespace salvo::app {
namespace {

using Json = nlohmann::json;

// The file that would be written over; none when nothing would be lost.
std::optional<std::string> old_text(const std::string& output) {
  struct stat info {};
  if (output.empty() || output == "-" || ::stat(output.c_str(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
    return std::nullopt;
  return to_utf8(read_text(output), output);
}

// The columns that say what came of a trial, in small letters.
std::vector<std::string> outcome_columns(const Outputs& outputs) {
  std::vector<std::string> out = {"value", "error", "state"};
  for (const salvo::Output& output : outputs)
    if (output.name != kOnlyOutput) out.push_back(lower_case(output.name));
  return out;
}

bool is_outcome(const std::vector<std::string>& columns, const std::string& column, std::string_view cell) {
  cell = trimmed(cell);
  if (column == "state") return !cell.empty() && lower_case(cell) != "pending";
  if (column.starts_with("measured.") || column.starts_with("said.")) return !cell.empty();
  return std::find(columns.begin(), columns.end(), column) != columns.end() && !cell.empty();
}

// "line 3, value 12.4": the first outcome in a sheet, whatever else is wrong with it.
std::string first_outcome_of_csv(std::string_view text, const std::string& path, const std::vector<std::string>& columns) {
  Sheet sheet;
  try {
    sheet = parse_sheet(text, path);
  } catch (const InputError&) {  // what is in it nobody can say
    const std::string header = lower_case(text.substr(0, text.find('\n')));
    return header.find("value") == std::string::npos ? "" : "it has a column \"value\" and cannot be read to the end";
  }
  for (const Csv::Row& row : sheet.table.rows) {
    for (std::size_t i = 0; i < std::min(row.cells.size(), sheet.table.header.size()); ++i) {
      const std::string column = lower_case(trimmed(sheet.table.header[i]));
      if (is_outcome(columns, column, row.cells[i])) return fmt::format("line {}: {} {}", row.line, column, shown(row.cells[i]));
    }
  }
  return "";
}

std::string first_outcome_of_json(std::string_view text, const std::vector<std::string>& columns) {
  const auto outcome = [&](const Json& record) -> std::string {
    if (!record.is_object()) return "";
    if (const auto values = record.find("values"); values != record.end() && values->is_object())
      for (const auto& item : values->items())
        if (!item.value().is_null()) return fmt::format("{} {}", shown(item.key()), shown(item.value().dump()));
    for (const std::string& column : columns) {
      const auto found = record.find(column);
      if (found == record.end() || found->is_null()) continue;
      const std::string cell = found->is_string() ? found->get<std::string>() : found->dump();
      if (is_outcome(columns, column, cell)) return fmt::format("{} {}", column, shown(cell));
    }
    return "";
  };
  if (const Json whole = Json::parse(text, nullptr, false); whole.is_array()) {
    for (const Json& record : whole)
      if (const std::string found = outcome(record); !found.empty()) return found;
    return "";
  }
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::string_view row = text.substr(0, text.find('\n'));
    if (const std::string found = outcome(Json::parse(row, nullptr, false)); !found.empty())
      return fmt::format("line {}: {}", line, found);
    text.remove_prefix(std::min(row.size() + 1, text.size()));
  }
  return "";
}

// Whether `ask` or `export` may have written it, by its first line.
bool is_ours(std::string_view text, const std::string& path, Format format) {
  const auto has_all = [](const auto& contains) { return contains("trial") && contains("state") && contains("origin"); };
  if (format == Format::json) {
    const Json first = Json::parse(text.substr(0, text.find('\n')), nullptr, false);
    return first.is_object() && has_all([&](const char* key) { return first.contains(key); });
  }
  const std::vector<std::string> header = parse_sheet(text.substr(0, text.find('\n')), path).table.header;
  return has_all([&](const char* name) {
    return std::any_of(header.begin(), header.end(), [&](const auto& column) { return lower_case(trimmed(column)) == name; });
  });
}

// Why nothing but force may replace it; empty: it may be replaced. Throws when even force may not.
std::string why_not_replace(const std::string& output, std::string_view text, std::span<const Trial> trials, const Space& space,
                            const Outputs& outputs) {
  Mistakes mistakes(output);
  ToldFile file;
  bool ours = false;
  try {
    const Format format = guess_format(output, text);
    file = parse_records(text, output, space, format, &mistakes, outputs);
    ours = is_ours(text, output, format);
    mistakes.raise();
  } catch (const InputError&) {
    ours = false;
  }
  for (const ToldRow& row : file.rows) {
    const auto trial = std::lower_bound(trials.begin(), trials.end(), row.id.value_or(0),
                                        [](const Trial& t, std::int64_t id) { return t.id < id; });
    if (trial != trials.end() && trial->id == row.id && trial->outcome && says_same(row, *trial->outcome)) continue;
    throw InputError(
        fmt::format("--output {}: line {} holds an outcome{} that the study does not have, and writing would lose it; tell the "
                    "file first (salvo tell STUDY {}), or name another file",
                    output, row.line, row.id ? fmt::format(" of trial {}", *row.id) : "", shell_word(output)));
  }
  if (!ours) return "exists, and no export of Salvo wrote it as it is";
  for (const std::vector<std::string>& names : {file.kept, file.left_out})
    if (!names.empty()) return fmt::format("has a column of somebody's own, \"{}\"", shown(names[0]));
  return "";
}

}  // namespace

Format guess_format(const std::string& path, std::string_view text) {
  if (path.ends_with(".csv")) return Format::csv;
  if (path.ends_with(".json") || path.ends_with(".jsonl")) return Format::json;
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[') ? Format::json : Format::csv;
}

bool is_old_sheet(const std::string& output) { return old_text(output).has_value(); }

void check_sheet(const std::string& output, const Outputs& outputs, bool force) {
  const std::optional<std::string> text = old_text(output);
  if (!text) return;
  const std::vector<std::string> columns = outcome_columns(outputs);
  const std::string found = guess_format(output, *text) == Format::json ? first_outcome_of_json(*text, columns)
                                                                        : first_outcome_of_csv(*text, output, columns);
  if (!found.empty())
    throw InputError(
        fmt::format("--output {}: it holds outcomes ({}) and is never written over; tell them (salvo tell STUDY {}), then name "
                    "another file or move this one away",
                    output, found, shell_word(output)));
  if (!force)
    throw InputError(
        fmt::format("--output {}: it exists; name another file, or give --force to write over it (it holds no values)", output));
}

void check_export(const std::string& output, std::span<const Trial> trials, const Space& space, const Outputs& outputs,
                  bool force) {
  const std::optional<std::string> text = old_text(output);
  if (!text) return;
  const std::string why = why_not_replace(output, *text, trials, space, outputs);
  if (!why.empty() && !force)
    throw InputError(fmt::format("--output {}: it {}; name another file, or give --force to write over it", output, why));
}

}  // namespace salvo::app

#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/records.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "space/value.h"
#include "study/own_columns.h"
#include "study/records_detail.h"
#include "text/csv.h"
#include "text/formula.h"
#include "text/tags.h"
#include "text/text.h"

namespace salvo {
namespace {

// Where the columns of a sheet stand; −1: not there.
struct Columns {
  int trial = -1, state = -1, error = -1, tags = -1, note = -1;
  std::vector<int> parameters{};  // per parameter of the space
  std::vector<int> outputs{};
  std::map<std::string, int> measured{}, said{};
  std::set<int> own{};  // of the last two those with names of somebody's own
  std::vector<std::string> kept{}, left_out{};
  [[nodiscard]] bool has_parameters() const { return has_any(parameters); }
  [[nodiscard]] bool has_outputs() const { return has_any(outputs); }

 private:
  static bool has_any(const std::vector<int>& columns) {
    return std::any_of(columns.begin(), columns.end(), [](int column) { return column >= 0; });
  }
};

class ColumnFinder {
 public:
  ColumnFinder(const Sheet& sheet, const Space& space, const OutputNames& outputs, Wanted wanted, Mistakes& mistakes)
      : table_(sheet.table), cells_(sheet), space_(space), outputs_(outputs), wanted_(wanted), mistakes_(mistakes) {}

  Columns find() {
    columns_.parameters.assign(space_.parameters().size(), -1);
    columns_.outputs.assign(outputs_.size(), -1);
    for (const std::string& name : table_.header)
      if (lower_case(trimmed(name)) == kHistory) mistakes_.add(0, kHistoryProblem);
    if (!mistakes_.empty()) return std::move(columns_);
    std::vector<int> others;
    for (int i = 0; i < static_cast<int>(table_.header.size()); ++i) {
      const std::string name(trimmed(table_.header[i]));
      if (int* column = place_of(name)) {
        take(*column, i, name);
      } else if (lower_case(name).starts_with(kMeasured) && name.size() > kMeasured.size()) {
        take(columns_.measured.try_emplace(name.substr(kMeasured.size()), -1).first->second, i, name);
      } else if (lower_case(name).starts_with(kSaid) && name.size() > kSaid.size()) {
        take(columns_.said.try_emplace(name.substr(kSaid.size()), -1).first->second, i, name);
      } else if (!name.empty() && std::find(kPassedOver.begin(), kPassedOver.end(), lower_case(name)) == kPassedOver.end()) {
        others.push_back(i);
      }
    }
    const std::size_t before = mistakes_.size();
    for (const int column : others) sort_out(column);
    if (mistakes_.size() == before) require();
    return std::move(columns_);
  }

 private:
  // A parameter's own spelling comes first: one may be called "Value".
  int* place_of(const std::string& name) {
    if (int* found = parameter(name, false)) return found;
    const std::string lower = lower_case(name);
    if (lower == "trial" || lower == "id") return &columns_.trial;
    if (const int output = outputs_.find(lower, true); output >= 0) return &columns_.outputs[static_cast<std::size_t>(output)];
    if (lower == kOnlyOutput && outputs_.size() == 1) return &columns_.outputs[0];
    if (lower == "state") return &columns_.state;
    if (lower == "error") return &columns_.error;
    if (int* found = parameter(lower, true)) return found;
    if (lower == kTags) return &columns_.tags;
    if (lower == kNote) return &columns_.note;
    return lower == kStandardError ? &columns_.measured.try_emplace(kStandardError, -1).first->second : nullptr;
  }

  int* parameter(const std::string& name, bool any_case) {
    for (std::size_t i = 0; i < columns_.parameters.size(); ++i) {
      const std::string& own = space_.parameters()[i].name;
      if ((any_case ? lower_case(own) : own) == name) return &columns_.parameters[i];
    }
    return nullptr;
  }

  void take(int& column, int position, const std::string& name) {
    if (column < 0) {
      column = position;
      return;
    }
    const std::string first(trimmed(table_.header[column]));
    mistakes_.add(0, lower_case(first) == lower_case(name)
                         ? fmt::format("the column \"{}\" is there twice", shown(name))
                         : fmt::format("the columns \"{}\" and \"{}\" say the same; keep one", shown(first), shown(name)));
  }

  // A column with a name of its own is somebody's remark, unless a column of ours is missing that it could be.
  void sort_out(int position) {
    const std::string name(trimmed(table_.header[static_cast<std::size_t>(position)]));
    std::vector<std::string_view> missing;
    for (std::size_t i = 0; i < columns_.outputs.size(); ++i)
      if (columns_.outputs[i] < 0) missing.push_back(outputs_.name(i));
    if (columns_.trial < 0) missing.push_back("trial");
    for (std::size_t i = 0; i < columns_.parameters.size(); ++i)
      if (columns_.parameters[i] < 0) missing.push_back(space_.parameters()[i].name);
    const auto has_state = [&](const Csv::Row& row) {
      return static_cast<std::size_t>(position) < row.cells.size() &&
             is_state(trimmed(row.cells[static_cast<std::size_t>(position)]));
    };
    if (columns_.state < 0 && std::any_of(table_.rows.begin(), table_.rows.end(), has_state)) missing.push_back("state");
    if (columns_.error < 0) missing.push_back("error");
    std::string problem = name_problem("column", name, missing);
    if (lower_case(name) == kOnlyOutput)
      problem = fmt::format("column \"{}\": expected columns {} in its place", shown(name), outputs_.listed());
    if (!problem.empty()) return mistakes_.add(0, problem);
    unknown_.push_back(name);
    keep(name, position);
  }

  // As what it is: numbers, or texts.
  void keep(const std::string& name, int position) {
    const OwnKind kind = cells_.kind(position);
    if (wanted_ == Wanted::points || !is_text(name) || name.size() > kLongestOwn || columns_.own.size() == kMostOwn) {
      columns_.left_out.push_back(name);
    } else if (kind != OwnKind::empty) {
      const bool numbers = columns_.measured.contains(name) || (kind == OwnKind::numbers && !columns_.said.contains(name));
      take((numbers ? columns_.measured : columns_.said).try_emplace(name, -1).first->second, position, name);
      columns_.own.insert(position);
      columns_.kept.push_back(std::string(numbers ? kMeasured : kSaid) + name);
    }
  }

  void require() {
    const bool outcomes = wanted_ == Wanted::outcomes;
    if (outcomes && !columns_.has_outputs() && columns_.state < 0 && columns_.error < 0)
      mistakes_.add(0,
                    fmt::format("expected a column {} (or \"state\", or \"error\"), there is none{}", outputs_.listed(), seen()));
    if (outcomes && columns_.trial >= 0) return;
    if (outcomes && !columns_.has_parameters()) {
      mistakes_.add(0, "expected a column \"trial\", or the parameters of points evaluated elsewhere" + seen() +
                           "; the first line names the columns, nothing may stand above it");
      return;
    }
    for (std::size_t i = 0; i < columns_.parameters.size(); ++i)
      if (columns_.parameters[i] < 0 && !space_.may_be_left_out(static_cast<int>(i)))
        mistakes_.add(
            0, fmt::format("expected a column for the parameter \"{}\", there is none{}", space_.parameters()[i].name, seen()));
  }

  // What is there instead, where that may say what went wrong.
  [[nodiscard]] std::string seen() const {
    if (unknown_.empty()) return "";
    std::string text;
    for (std::size_t i = 0; i < unknown_.size() && i < 5; ++i)
      text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", shown(unknown_[i]));
    return fmt::format("; not known: {}{}", text, unknown_.size() > 5 ? ", …" : "");
  }

  const Csv& table_;
  OwnCells cells_;
  const Space& space_;
  const OutputNames& outputs_;
  Wanted wanted_;
  Mistakes& mistakes_;
  Columns columns_;
  std::vector<std::string> unknown_;  // names of somebody's own
};

// Programs write 7.0 for 7 where a cell of the column is empty. 1.000 is a thousand where a spreadsheet sets marks between
// thousands.
std::optional<std::int64_t> trial_number(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view rest = text.substr(digits);
  if (!rest.empty() && rest != ".0" && rest != ",0") return std::nullopt;
  return to_int64(text.substr(0, digits));
}

// What people and programs write where there is nothing.
bool is_filler(std::string_view text) {
  constexpr std::array<std::string_view, 9> kFillers = {"n/a", "#n/a", "na", "nan", "none", "null", "tbd", "-", "?"};
  return std::find(kFillers.begin(), kFillers.end(), lower_case(text)) != kFillers.end();
}

class SheetReader {
 public:
  SheetReader(const Sheet& sheet, const Space& space, const OutputNames& outputs, Wanted wanted, Mistakes& mistakes)
      : sheet_(sheet),
        space_(space),
        outputs_(outputs),
        wanted_(wanted),
        mistakes_(mistakes),
        cells_(sheet),
        columns_(ColumnFinder(sheet, space, outputs, wanted, mistakes).find()) {}

  ToldFile read() {
    ToldFile file{.kept = columns_.kept, .left_out = columns_.left_out};
    if (!mistakes_.empty()) return file;  // of the columns: then nothing can be said of the rows
    for (const Csv::Row& row : sheet_.table.rows) {
      row_ = &row;
      const std::size_t before = mistakes_.size();
      const std::optional<RawRecord> raw = read_row();
      if (!raw || mistakes_.size() > before) continue;
      if (wanted_ == Wanted::points) {
        file.rows.push_back({.line = row.line, .params = raw->params});
        continue;
      }
      if (raw->is_open()) {
        ++file.num_open;
        continue;
      }
      try {
        file.rows.push_back(finish_record(*raw, outputs_));
      } catch (const RowMistake& mistake) {
        wrong(mistake.problem);
      }
    }
    return file;
  }

 private:
  void wrong(const std::string& problem) { mistakes_.add(row_->line, problem); }

  [[nodiscard]] std::string_view whole_cell(int column) const {
    const bool there = column >= 0 && column < static_cast<int>(row_->cells.size());
    return there ? std::string_view(row_->cells[column]) : std::string_view();
  }
  [[nodiscard]] std::string_view cell(int column) const { return trimmed(whole_cell(column)); }

  // None for a row that says nothing: a spreadsheet keeps rows that were emptied.
  std::optional<RawRecord> read_row() {
    const auto& cells = row_->cells;
    const std::size_t width = sheet_.table.header.size();
    bool blank = cell(columns_.trial).empty() && cell(columns_.state).empty() && cell(columns_.error).empty();
    for (const int column : columns_.outputs) blank = blank && cell(column).empty();
    for (const int column : columns_.parameters) blank = blank && cell(column).empty();
    if (blank && cells.size() <= width) return std::nullopt;
    const bool longer = cells.size() > width && std::any_of(cells.begin() + static_cast<std::ptrdiff_t>(width), cells.end(),
                                                            [](const std::string& c) { return !trimmed(c).empty(); });
    int last = columns_.trial;
    if (outputs_.size() == 1) last = std::max(last, columns_.outputs[0]);  // one of several may be empty, and the last cell
    for (const int column : columns_.parameters) last = std::max(last, column);
    if (longer || static_cast<int>(cells.size()) <= last) {  // empty cells at the end of a row are not always saved
      wrong(fmt::format("expected {} cells, as in the header, got {}{}", width, cells.size(),
                        longer && sheet_.separator == ',' ? "; a number with a decimal comma is two of them" : ""));
      return std::nullopt;
    }
    RawRecord raw(row_->line, outputs_.size());
    if (wanted_ == Wanted::points) {
      read_params(raw);
      return raw;
    }
    if (const auto trial = cell(columns_.trial); !trial.empty()) {
      raw.id = trial_number(trial);
      if (!raw.id)
        wrong(fmt::format("{}: expected a whole number, got \"{}\"", trimmed(sheet_.table.header[columns_.trial]), shown(trial)));
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) read_output(i, raw);
    for (const auto& [name, column] : columns_.measured) {
      const auto text = cell(column);
      if (text.empty()) continue;
      if (columns_.own.contains(column)) {
        if (const auto number = cells_.number(text)) raw.measured.emplace(name, *number);
        continue;
      }
      const auto number = to_double(with_point(text, column, sheet_.table.header[static_cast<std::size_t>(column)]));
      if (number) raw.measured.emplace(name, *number);
      if (!number)
        wrong(fmt::format("{}: expected a finite number, got \"{}\"{}", trimmed(sheet_.table.header[column]), shown(text),
                          comma_hint(text)));
    }
    for (const auto& [name, column] : columns_.said)
      if (const std::string_view text = without_guard(whole_cell(column)); !cell(column).empty())
        raw.said.emplace(name, columns_.own.contains(column) ? std::string(beginning(text, kLongestSaid)) : std::string(text));
    raw.state = lower_case(cell(columns_.state));
    raw.tags = split_tags(without_guard(cell(columns_.tags)));
    if (!cell(columns_.note).empty()) raw.note = without_guard(whole_cell(columns_.note));
    if (!cell(columns_.error).empty()) raw.error = without_guard(whole_cell(columns_.error));
    if (raw.id) {
      read_written(raw);
    } else if (!raw.is_open() && columns_.has_parameters()) {
      read_params(raw);
    }
    return raw;
  }

  void read_output(std::size_t i, RawRecord& raw) {
    const int column = columns_.outputs[i];
    const auto text = cell(column);
    if (text.empty()) return;
    const std::string& written = raw.values_written[i] = with_point(text, column, outputs_.name(i));
    const auto value = outputs_.read(i, written);
    if (value) raw.values[i] = *value;
    if (!value)
      wrong(fmt::format("{}: expected {}, got \"{}\"{}{}", outputs_.name(i), outputs_.expected(i), shown(text), comma_hint(text),
                        is_filler(text) ? "; leave the cell empty where nothing was measured" : ""));
  }

  // Beside a trial: whether it is the trial's point is for those to say who know the trial.
  void read_written(RawRecord& raw) {
    for (std::size_t i = 0; i < columns_.parameters.size(); ++i) raw.written.push_back(text_of_parameter(static_cast<int>(i)));
  }

  void read_params(RawRecord& raw) {
    std::vector<std::optional<Value>> values;
    for (int i = 0; i < static_cast<int>(columns_.parameters.size()); ++i) {
      try {
        const bool left_out = columns_.parameters[i] < 0 || (space_.follows(i) && cell(columns_.parameters[i]).empty());
        values.push_back(left_out ? std::nullopt : std::optional(space_.parse(i, text_of_parameter(i))));
      } catch (const std::invalid_argument& error) {
        wrong(error.what() + comma_hint(cell(columns_.parameters[i])));
      }
    }
    if (values.size() != columns_.parameters.size()) return;
    try {
      raw.params = space_.check(space_.completed(values));
    } catch (const std::invalid_argument& error) {
      wrong(error.what());
    }
  }

  // As an export would have it: without a guard against formulas, and with a decimal point.
  std::string text_of_parameter(int i) {
    const Parameter& parameter = space_.parameters()[i];
    const std::string_view written = whole_cell(columns_.parameters[i]), plain = without_guard(written);
    if (std::holds_alternative<Candidate>(parameter.domain)) return std::string(plain);
    const bool is_number = std::holds_alternative<Float>(parameter.domain) || std::holds_alternative<Int>(parameter.domain);
    for (const std::string_view text : {plain, written})  // a choice may have spaces or an apostrophe of its own
      if (!is_number && parses(i, text)) return std::string(text);
    return with_point(trimmed(plain), columns_.parameters[i], parameter.name);
  }

  [[nodiscard]] bool parses(int i, std::string_view text) const {
    try {
      (void)space_.parse(i, text);
      return true;
    } catch (const std::invalid_argument&) {
      return false;
    }
  }

  // 45,18 is a number where commas separate nothing. Beside it 1.234 could be a thousand: nobody can say.
  std::string with_point(std::string_view text, int column, const std::string& name) {
    if (sheet_.separator == ',') return std::string(text);
    const std::size_t comma = text.find(',');
    std::string plain(text);
    if (comma != std::string_view::npos) plain[comma] = '.';
    if (!to_double(plain)) return std::string(text);
    if (plain.find('.') == std::string::npos) return plain;
    const auto [known, is_new] = marks_.try_emplace(column, Mark{comma != std::string_view::npos, row_->line});
    const Mark mark{comma != std::string_view::npos, row_->line};
    if (!mark_) mark_ = mark;
    if (is_new && mark_->comma != mark.comma)
      wrong(fmt::format("{}: \"{}\" has a decimal {}, another column (line {}) a decimal {}; write the numbers of a file alike",
                        name, shown(text), mark.comma ? "comma" : "point", mark_->line, mark_->comma ? "comma" : "point"));
    if (!is_new && known->second.comma != (comma != std::string_view::npos))
      wrong(fmt::format("{}: \"{}\" has a decimal {}, line {} a decimal {}; write the numbers of a column alike", name,
                        shown(text), known->second.comma ? "point" : "comma", known->second.line,
                        known->second.comma ? "comma" : "point"));
    return plain;
  }

  [[nodiscard]] std::string comma_hint(std::string_view text) const {
    if (text.find(',') == std::string_view::npos || text.find_first_not_of("0123456789.,+-eE ") != std::string_view::npos)
      return "";
    return sheet_.separator == ',' ? "; a decimal comma is read where semicolons or tabs separate the columns"
                                   : "; write it without marks between the thousands";
  }

  struct Mark {
    bool comma = false;
    std::size_t line = 0;
  };
  const Sheet& sheet_;
  const Space& space_;
  const OutputNames& outputs_;
  Wanted wanted_;
  Mistakes& mistakes_;
  OwnCells cells_;
  Columns columns_;
  const Csv::Row* row_ = nullptr;
  std::map<int, Mark> marks_;  // how the numbers of a column are written …
  std::optional<Mark> mark_;   // … and the first one of the file
};

}  // namespace

ToldFile parse_csv_records(std::string_view text, const std::string& path, const Space& space, const OutputNames& outputs,
                           Wanted wanted, Mistakes& mistakes) {
  const Sheet sheet = parse_sheet(text, path);
  return SheetReader(sheet, space, outputs, wanted, mistakes).read();
}

}  // namespace salvo

#include <fmt/format.h>
#include <salvo/csv.h>
#include <salvo/error.h>

#include <algorithm>
#include <set>

#include "study/nearest.h"
#include "study/text_file.h"

namespace salvo {
namespace {

constexpr std::size_t max_columns = 100'000;
constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";  // spreadsheets begin a file with it

// Walks over the text one record at a time (RFC 4180).
class Reader {
 public:
  Reader(std::string_view text, const std::string& path) : text_(text), path_(path) {
    if (text_.starts_with(utf8_mark)) text_.remove_prefix(utf8_mark.size());
  }

  bool done() const { return at_ >= text_.size(); }
  std::size_t line() const { return line_; }

  [[noreturn]] void fail(std::size_t line, const std::string& problem) const {
    throw InputError(fmt::format("{}:{}: {}", path_, line, problem));
  }

  // Steps over a line with nothing on it: that is no record.
  bool blank_line() {
    const std::string_view rest = text_.substr(at_);
    const std::size_t width = rest.starts_with("\r\n") ? 2 : rest.starts_with('\n') ? 1 : 0;
    at_ += width;
    line_ += width > 0;
    return width > 0;
  }

  std::vector<std::string> record() {
    std::vector<std::string> cells;
    do {
      if (cells.size() == max_columns) fail(line_, fmt::format("more than {} columns", max_columns));
      cells.push_back(!done() && text_[at_] == '"' ? quoted_cell() : plain_cell());
    } while (take(','));
    take('\r');
    if (!done() && !take('\n')) fail(line_, "a carriage return in the middle of a line; put the cell in double quotes");
    ++line_;
    return cells;
  }

 private:
  bool take(char c) {
    if (done() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string plain_cell() {
    const std::size_t start = at_;
    while (!done() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r') {
      if (text_[at_] == '"')
        fail(line_, "a double quote inside a cell; put the cell in double quotes and write \"\" for each of its own");
      if (text_[at_] == '\0') fail(line_, "a NUL byte; expected CSV text");
      ++at_;
    }
    return std::string(text_.substr(start, at_ - start));
  }

  std::string quoted_cell() {
    const std::size_t first_line = line_;
    std::string cell;
    ++at_;
    while (true) {
      if (done()) fail(first_line, "a cell begins with a double quote that is never closed");
      const char c = text_[at_++];
      if (c == '\0') fail(line_, "a NUL byte; expected CSV text");
      if (c == '\n') ++line_;
      if (c != '"') {
        cell += c;
      } else if (take('"')) {
        cell += '"';
      } else {
        break;
      }
    }
    if (!done() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r')
      fail(line_, "text after a closing double quote; expected a comma or the end of the line");
    return cell;
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

Csv parse_csv(std::string_view text, const std::string& path) {
  if (const std::size_t line = first_bad_utf8_line(text))
    throw InputError(fmt::format("{}:{}: expected text in UTF-8, got other bytes", path, line));
  Reader reader(text, path);
  while (!reader.done() && reader.blank_line()) continue;
  if (reader.done()) throw InputError(fmt::format("{}: expected CSV with a header line, got nothing", path));

  Csv csv;
  const std::size_t header_line = reader.line();
  csv.header = reader.record();
  std::set<std::string> names;
  for (std::size_t i = 0; i < csv.header.size(); ++i) {
    const std::string& name = csv.header[i];
    if (name.empty()) reader.fail(header_line, fmt::format("column {} has no name", i + 1));
    if (!names.insert(name).second) reader.fail(header_line, fmt::format("the column \"{}\" is there twice", shown(name)));
  }
  while (!reader.done()) {
    if (reader.blank_line()) continue;
    Csv::Row row{.line = reader.line(), .cells = reader.record()};
    if (row.cells.size() != csv.header.size())
      reader.fail(row.line, fmt::format("expected {} cells, as in the header, got {}", csv.header.size(), row.cells.size()));
    csv.rows.push_back(std::move(row));
  }
  return csv;
}

Csv read_csv(const std::string& path) { return parse_csv(read_text(path), shown_path(path)); }

std::string csv_cell(std::string_view text) {
  const bool edge_space = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos && !edge_space && !text.starts_with(utf8_mark);
  if (plain) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) c == '"' ? cell += "\"\"" : cell += c;
  return cell + '"';
}

}  // namespace salvo

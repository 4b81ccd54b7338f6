#include "text/csv.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <cstring>

#include "text/csv_stream.h"
#include "text/file.h"

namespace salvo {
namespace {

// By the header: the first line with something on it. What stands between quotes is no separator.
char separator_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  std::size_t tabs = 0, semicolons = 0, commas = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n' || c == '\r') break;
    tabs += c == '\t';
    semicolons += c == ';';
    commas += c == ',';
  }
  const std::size_t most = std::max({tabs, semicolons, commas});
  return most == 0 ? ',' : tabs == most ? '\t' : semicolons == most ? ';' : ',';
}

}  // namespace

Csv parse_csv(std::string_view text, const std::string& path, CsvShape shape) {
  CsvStream stream(
      [text](char* to, std::size_t size) mutable {
        const std::size_t count = std::min(size, text.size());
        std::memcpy(to, text.data(), count);
        text.remove_prefix(count);
        return count;
      },
      path, shape);
  Csv csv{.header = stream.header(), .rows = {}};
  while (stream.next()) csv.rows.push_back({.line = stream.line(), .cells = stream.cells()});
  return csv;
}

Sheet parse_sheet(std::string_view text, const std::string& path) {
  const std::string_view first = text.substr(0, text.find_first_of("\r\n"));
  if (first.size() == 5 && first.starts_with("sep=") && std::string_view(",;\t|").find(first[4]) != std::string_view::npos) {
    text.remove_prefix(first.size());  // its line break stays: lines are counted as the file has them
    return {parse_csv(text, path, {.separator = first[4], .loose = true}), first[4]};
  }
  const char separator = separator_of(text);
  return {parse_csv(text, path, {.separator = separator, .loose = true}), separator};
}

Csv read_csv(const std::string& path) { return parse_csv(read_text(path), shown_path(path)); }

}  // namespace salvo

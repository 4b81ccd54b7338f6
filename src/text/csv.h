#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/csv_stream.h"

namespace salvo {

// A table of text cells with a header (RFC 4180: quotes, embedded commas and line breaks, CRLF, a UTF-8 mark).
struct Csv {
  std::vector<std::string> header;
  struct Row {
    std::size_t line = 0;  // where it begins, from 1
    std::vector<std::string> cells;
  };
  std::vector<Row> rows;
};

// Throws InputError with file and line: empty input, duplicate or empty column names, a row of the wrong length,
// an unclosed quote, a NUL byte.
[[nodiscard]] Csv parse_csv(std::string_view text, const std::string& path, CsvShape shape = {});
// The same of what a spreadsheet saves: separated by commas, semicolons or tabs, whichever the header has most of, or as its
// line "sep=;" says; loose.
struct Sheet {
  Csv table;
  char separator = ',';
};
[[nodiscard]] Sheet parse_sheet(std::string_view text, const std::string& path);
[[nodiscard]] Csv read_csv(const std::string& path);        // "-": standard input
[[nodiscard]] std::string csv_cell(std::string_view text);  // quoted where it must be

}  // namespace salvo

#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace salvo {

// Reads up to `size` bytes; 0 at the end.
using ReadBytes = std::function<std::size_t(char* to, std::size_t size)>;

struct CsvShape {
  char separator = ',';
  bool loose = false;  // names of columns may be missing or come twice, and rows may be of any length
};

// A table of text cells with a header (RFC 4180), one row at a time: whatever the size of the file, the memory is a
// row's. Throws InputError with path and line: empty input, duplicate or empty column names, a row of the wrong length or
// of more than 64 MiB, an unclosed quote, a NUL byte, text that is not UTF-8.
class CsvStream {
 public:
  CsvStream(ReadBytes read, std::string path, CsvShape shape = {});  // reads the header

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  bool next();                                                  // the next row; false at the end
  [[nodiscard]] std::size_t line() const { return row_line_; }  // where the row begins, from 1
  [[nodiscard]] std::vector<std::string>& cells() { return cells_; }

  [[noreturn]] void fail(std::size_t line, const std::string& problem) const;

 private:
  static constexpr int kEnd = -1;
  int peek();
  bool take(char c);
  bool blank_line();
  void record();
  void plain_cell(std::string& cell);
  void quoted_cell(std::string& cell);
  void append(std::string& cell, char c);

  ReadBytes read_;
  std::string path_;
  CsvShape shape_;
  std::string buffer_;
  std::size_t at_ = 0, filled_ = 0;
  std::size_t line_ = 1, row_line_ = 1;
  std::size_t row_bytes_ = 0;
  std::vector<std::string> header_, cells_;
};

}  // namespace salvo

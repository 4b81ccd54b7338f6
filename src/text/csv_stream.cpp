#include "text/csv_stream.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <set>

#include "text/csv.h"
#include "text/text.h"

namespace salvo {
namespace {

constexpr std::size_t kMaxColumns = 100'000;
constexpr std::size_t kMaxRowBytes = std::size_t{64} << 20;
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

}  // namespace

CsvStream::CsvStream(ReadBytes read, std::string path, CsvShape shape)
    : read_(std::move(read)), path_(std::move(path)), shape_(shape), buffer_(kBufferBytes, 0) {
  (void)peek();
  if (filled_ >= kUtf8Mark.size() && buffer_.starts_with(kUtf8Mark)) at_ = kUtf8Mark.size();  // spreadsheets begin a file with it
  while (blank_line()) continue;
  if (peek() == kEnd) throw InputError(fmt::format("{}: expected CSV with a header line, got nothing", path_));
  const auto nothing = [&] {
    return std::all_of(cells_.begin(), cells_.end(), [](const auto& c) { return trimmed(c).empty(); });
  };
  do {  // a spreadsheet saves an empty row as its separators
    row_line_ = line_;
    record();
  } while (shape_.loose && nothing() && peek() != kEnd);
  header_ = cells_;
  if (shape_.loose) return;
  std::set<std::string> names;
  for (std::size_t i = 0; i < header_.size(); ++i) {
    if (header_[i].empty()) fail(row_line_, fmt::format("column {} has no name", i + 1));
    if (!names.insert(header_[i]).second) fail(row_line_, fmt::format("the column \"{}\" is there twice", shown(header_[i])));
  }
}

bool CsvStream::next() {
  while (blank_line()) continue;
  if (peek() == kEnd) return false;
  row_line_ = line_;
  record();
  if (!shape_.loose && cells_.size() != header_.size())
    fail(row_line_, fmt::format("expected {} cells, as in the header, got {}", header_.size(), cells_.size()));
  return true;
}

void CsvStream::fail(std::size_t line, const std::string& problem) const {
  throw InputError(fmt::format("{}:{}: {}", path_, line, problem));
}

int CsvStream::peek() {
  if (at_ == filled_) {
    at_ = 0;
    filled_ = read_(buffer_.data(), buffer_.size());
    if (filled_ == 0) return kEnd;
  }
  return static_cast<unsigned char>(buffer_[at_]);
}

bool CsvStream::take(char c) {
  if (peek() != c) return false;
  ++at_;
  return true;
}

// Steps over a line with nothing on it: that is no record.
bool CsvStream::blank_line() {
  const bool carriage = take('\r');
  if (take('\n')) {
    ++line_;
    return true;
  }
  if (carriage) fail(line_, "a carriage return in the middle of a line; put the cell in double quotes");
  return false;
}

void CsvStream::record() {
  std::size_t count = 0;
  row_bytes_ = 0;
  do {
    if (count == kMaxColumns) fail(line_, fmt::format("more than {} columns", kMaxColumns));
    if (count == cells_.size()) cells_.emplace_back();
    std::string& cell = cells_[count++];
    cell.clear();
    const std::size_t first_line = line_;
    peek() == '"' ? quoted_cell(cell) : plain_cell(cell);
    if (const std::size_t line = first_bad_utf8_line(cell))
      fail(first_line + line - 1, "expected text in UTF-8, got other bytes; a spreadsheet saves it so as \"CSV UTF-8\"");
  } while (take(shape_.separator));
  cells_.resize(count);
  take('\r');
  if (peek() != kEnd && !take('\n')) fail(line_, "a carriage return in the middle of a line; put the cell in double quotes");
  ++line_;
}

void CsvStream::append(std::string& cell, char c) {
  if (c == '\0') fail(line_, "a NUL byte; expected CSV text");
  if (++row_bytes_ > kMaxRowBytes) fail(row_line_, fmt::format("a row of more than {} MiB", kMaxRowBytes >> 20));
  cell += c;
}

void CsvStream::plain_cell(std::string& cell) {
  for (int c = peek(); c != kEnd && c != shape_.separator && c != '\n' && c != '\r'; c = peek()) {
    if (c == '"') fail(line_, "a double quote inside a cell; put the cell in double quotes and write \"\" for each of its own");
    append(cell, static_cast<char>(c));
    ++at_;
  }
}

void CsvStream::quoted_cell(std::string& cell) {
  const std::size_t first_line = line_;
  ++at_;
  while (true) {
    const int c = peek();
    if (c == kEnd) fail(first_line, "a cell begins with a double quote that is never closed");
    ++at_;
    if (c == '\n') ++line_;
    if (c != '"') {
      append(cell, static_cast<char>(c));
    } else if (take('"')) {
      append(cell, '"');
    } else {
      break;
    }
  }
  const int after = peek();
  if (after != kEnd && after != shape_.separator && after != '\n' && after != '\r')
    fail(line_, "text after a closing double quote; expected the next cell or the end of the line");
}

std::string csv_cell(std::string_view text) {
  const bool edge_space = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos && !edge_space && !text.starts_with(kUtf8Mark);
  if (plain) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) c == '"' ? cell += "\"\"" : cell += c;
  return cell + '"';
}

}  // namespace salvo

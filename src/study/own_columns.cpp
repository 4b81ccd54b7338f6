#include "study/own_columns.h"

#include <algorithm>

#include "text/numbers.h"
#include "text/text.h"

namespace salvo {
namespace {

constexpr std::size_t kWholeDigits = 15;  // that a double keeps

bool is_label(std::string_view digits) {
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos)
    return digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
  return digits.size() > kWholeDigits || (digits.size() > 1 && digits[0] == '0');
}

}  // namespace

OwnCells::OwnCells(const Sheet& sheet) : sheet_(sheet) {
  if (sheet.separator == ',') return;
  for (const Csv::Row& row : sheet.table.rows)
    for (const std::string& cell : row.cells) {
      std::string plain(trimmed(cell));
      const std::size_t comma = plain.find(',');
      if (comma == std::string::npos) continue;
      plain[comma] = '.';
      commas_ = commas_ || to_double(plain).has_value();
    }
}

// Where decimals have commas 1.234 could be a thousand, or a date: a text keeps what it is.
std::optional<double> OwnCells::number(std::string_view cell) const {
  std::string plain(trimmed(cell));
  if (is_label(plain)) return std::nullopt;
  if (commas_) {
    if (plain.find('.') != std::string::npos) return std::nullopt;
    std::replace(plain.begin(), plain.end(), ',', '.');
  }
  return to_double(plain);
}

OwnKind OwnCells::kind(int column) const {
  const auto at = static_cast<std::size_t>(column);
  bool filled = false;
  for (const Csv::Row& row : sheet_.table.rows) {
    if (at >= row.cells.size() || trimmed(row.cells[at]).empty()) continue;
    if (!number(row.cells[at])) return OwnKind::texts;
    filled = true;
  }
  return filled ? OwnKind::numbers : OwnKind::empty;
}

}  // namespace salvo

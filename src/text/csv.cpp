#include "text/csv.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <cstring>

#include "text/csv_stream.h"
#include "text/file.h"

namespace salvo {

Csv parse_csv(std::string_view text, const std::string& path) {
  CsvStream stream(
      [text](char* to, std::size_t size) mutable {
        const std::size_t count = std::min(size, text.size());
        std::memcpy(to, text.data(), count);
        text.remove_prefix(count);
        return count;
      },
      path);
  Csv csv{.header = stream.header(), .rows = {}};
  while (stream.next()) csv.rows.push_back({.line = stream.line(), .cells = stream.cells()});
  return csv;
}

Csv read_csv(const std::string& path) { return parse_csv(read_text(path), shown_path(path)); }

}  // namespace salvo

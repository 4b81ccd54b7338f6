#include "text/csv.h"

#include <salvo/error.h>
#include <salvo/records.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace {

const salvo::Space& space() {
  static const salvo::Space s({{"rate", salvo::Float{0, 1}},
                               {"stages", salvo::Int{1, 8}},
                               {"metal", salvo::Categorical{{std::string("Pd"), std::int64_t{7}, true}}},
                               {"k", salvo::Fixed{2.5}}});
  return s;
}

// A table that was read is written and read again: it must be the same.
void round_trip(const salvo::Csv& csv) {
  std::string text;
  const auto write = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + salvo::csv_cell(cells[i]);
    text += text.empty() || text.back() == '\n' ? "\"\"\n" : "\n";
  };
  write(csv.header);
  for (const auto& row : csv.rows) write(row.cells);
  const salvo::Csv again = salvo::parse_csv(text, "again");
  if (again.header != csv.header || again.rows.size() != csv.rows.size()) std::abort();
  for (std::size_t i = 0; i < csv.rows.size(); ++i)
    if (again.rows[i].cells != csv.rows[i].cells) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    round_trip(salvo::parse_csv(text, "fuzz.csv"));
    for (const salvo::ToldRow& row : salvo::parse_records(text, "fuzz.csv", space(), salvo::Format::csv).rows) {
      const auto* values = std::get_if<salvo::Values>(&row.outcome);
      if (values && !std::isfinite(values->outputs.at(0))) std::abort();
      if (row.params && space().check(*row.params) != *row.params) std::abort();
    }
  } catch (const salvo::InputError&) {
  }
  return 0;
}

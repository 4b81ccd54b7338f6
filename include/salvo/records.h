#pragma once
#include <salvo/trial.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salvo {

enum class Format { csv, json };  // json: one object per line
template <>
struct Names<Format> {
  static constexpr std::string_view what = "format";
  static constexpr NameList<Format, 3> list{{{Format::csv, "csv"}, {Format::json, "json"}, {Format::json, "jsonl"}}};
};

// One row of what `salvo tell` reads: a trial's outcome (with an id), or a point evaluated elsewhere (without one).
struct ToldRow {
  std::size_t line = 0;
  std::optional<std::int64_t> id;
  std::optional<Params> params;  // checked against the space
  Outcome outcome;
};

// CSV: columns "trial" (or "id"), "value", optionally "state" and "error", and parameters by name.
// JSON: {"trial": 7, "value": 1.5} or {"params": {…}, "value": 1.5}, one per line or one array.
// What `ask` and `export` write can be read back: their other columns are passed over, and so are rows whose state is
// "pending" and that have no outcome yet. A state "failed" without an error gets the error "failed".
// Throws InputError with file, line and column or key.
[[nodiscard]] std::vector<ToldRow> parse_records(std::string_view text, const std::string& path, const Space& space,
                                                 Format format);

[[nodiscard]] std::string csv_header(const Space& space);
[[nodiscard]] std::string to_csv(const Trial& trial, const Space& space);   // one row, no line break
[[nodiscard]] std::string to_json(const Trial& trial, const Space& space);  // one object, no line break

}  // namespace salvo

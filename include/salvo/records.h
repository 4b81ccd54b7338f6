#pragma once
#include <salvo/mistakes.h>
#include <salvo/output.h>
#include <salvo/trial.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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
  std::optional<std::int64_t> id{};
  std::optional<Params> params{};      // of a point evaluated elsewhere: checked against the space
  std::vector<std::string> written{};  // beside a trial: what the row says of each parameter, unchecked; "" where it says nothing
  Outcome outcome{};
  std::vector<std::string> values_written{};  // the value of each output as text, by which a rounded one is known
  std::vector<std::string> tags{};            // words that the trial is to carry
  std::string note{};                         // what somebody says about it
};

struct ToldFile {
  std::vector<ToldRow> rows{};
  std::int64_t num_open = 0;            // rows that have no outcome yet
  std::vector<std::string> kept{};      // "said.operator": columns (keys of JSON) of somebody's own, as they are kept
  std::vector<std::string> left_out{};  // … and those of which nothing can be kept
};

// CSV as spreadsheets save it: separated by commas, semicolons or tabs (then with decimal commas, too), in UTF-8 or UTF-16.
// Columns "trial" (or "id"), "value", optionally "state" and "error", and parameters by name, in any order and case.
// JSON: {"trial": 7, "value": 1.5} or {"params": {…}, "value": 1.5}, one per line or one array.
// With outputs of their own names (has_names) their columns take the place of "value": an empty cell was not measured, and a row
// whose cells are all empty waits. JSON has "values": {"yield": 0.7, "cost": null}, or these names beside the trial.
// Columns "measured.NAME", or "measured": {"NAME": 2}, are what else was measured, "said.NAME" or "said": {"NAME": "…"} texts;
// "tags" are words, "pilot; oven-2", or a list; "note" is what somebody says about the trial. What `ask` and `export` write can
// be read back: their other columns are passed over. A row without an outcome waits for one. A state "failed" without an error
// gets the error "failed". Columns with names of somebody's own are kept beside the value, as numbers where every cell is one and
// as texts otherwise; one that is likely a misspelt name of ours is a mistake. Throws InputError with all mistakes, by file, line
// and column or key. With `mistakes` those of rows go there instead.
[[nodiscard]] ToldFile parse_records(std::string_view text, const std::string& path, const Space& space, Format format,
                                     Mistakes* mistakes = nullptr, const std::vector<Output>& outputs = {});

// The same files for the points in them, whatever else they say: rows with their parameters alone.
[[nodiscard]] ToldFile parse_points(std::string_view text, const std::string& path, const Space& space, Format format,
                                    const std::vector<Output>& outputs = {});

// Whether what a row says of a parameter is the value that its trial has, be it rounded to the digits written.
[[nodiscard]] bool says_same(const Space& space, int parameter, std::string_view written, const Value& value);
// Whether a row says what was told; of an output of which it says nothing that is so. A value may have been rounded by a
// spreadsheet, but not to fewer than 8 digits: 12 for 12.4 is somebody's correction. A failure without a reason is that of the
// trial.
[[nodiscard]] bool says_same(const ToldRow& row, const Outcome& told);

// `measured` are names of what else was measured (measured_names): a column "measured.NAME" for each; `said` those of texts.
// No `outputs`: one, whose column is "value".
[[nodiscard]] std::string csv_header(const Space& space, std::span<const std::string> measured = {},
                                     std::span<const std::string> said = {}, const std::vector<Output>& outputs = {});
[[nodiscard]] std::string to_csv(const Trial& trial, const Space& space, std::span<const std::string> measured = {},
                                 std::span<const std::string> said = {}, const std::vector<Output>& outputs = {});  // one row
[[nodiscard]] std::vector<std::string> measured_names(std::span<const Trial> trials);
[[nodiscard]] std::vector<std::string> said_names(std::span<const Trial> trials);
// One object, no line break.
[[nodiscard]] std::string to_json(const Trial& trial, const Space& space, const std::vector<Output>& outputs = {});

}  // namespace salvo

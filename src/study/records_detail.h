#pragma once
#include <salvo/records.h>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What the CSV and the JSON reader share.
namespace salvo {

// What an export says beside a record, of which nothing is read.
inline constexpr std::array<std::string_view, 5> kPassedOver = {"origin", "asked_at", "told_at", "note", "outside"};

inline constexpr std::string_view kTags = "tags";

// What the columns of other measurements begin with, and those of texts.
inline constexpr std::string_view kMeasured = "measured.", kSaid = "said.";

// What only a history has (export --history), which looks like a sheet and is none.
inline constexpr std::string_view kHistory = "amended_at";
inline constexpr const char* kHistoryProblem =
    "this is the history of a study (\"amended_at\"): expected outcomes, as in what export writes without --history";

// ISO 8601, UTC, to the microsecond: the texts are in order when the times are.
[[nodiscard]] std::string iso_time(double seconds_since_1970);

// One row is wrong: thrown and caught by its reader, which goes on with the next.
struct RowMistake {
  std::string problem;
};

// A record as it was written, before its parts are checked against each other.
struct RawRecord {
  std::size_t line = 0;
  std::optional<std::int64_t> id{};
  std::optional<Params> params{};
  std::vector<std::string> written{};
  std::optional<double> value{};
  std::string value_written{}, state{}, error{};
  std::map<std::string, double> measured{};  // else
  std::map<std::string, std::string> said{};
  std::vector<std::string> tags{};
  [[nodiscard]] bool is_open() const;  // nothing came of it yet
};

// Throws RowMistake. The record must not be open.
[[nodiscard]] ToldRow finish_record(RawRecord raw);

// "" for a column of somebody's own, otherwise what is wrong with it: it is too like one of ours that is missing.
[[nodiscard]] std::string name_problem(std::string_view what, std::string_view name, std::span<const std::string_view> missing);

enum class Wanted { outcomes, points };  // of a file

[[nodiscard]] ToldFile parse_csv_records(std::string_view text, const std::string& path, const Space& space, Wanted wanted,
                                         Mistakes& mistakes);
[[nodiscard]] ToldFile parse_json_records(std::string_view text, const std::string& path, const Space& space, Wanted wanted,
                                          Mistakes& mistakes);

}  // namespace salvo

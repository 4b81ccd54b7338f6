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
inline constexpr std::array<std::string_view, 4> kPassedOver = {"origin", "asked_at", "told_at", "outside"};

inline constexpr std::string_view kTags = "tags", kNote = "note";

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
  std::vector<double> values{};               // of each output; NaN: it says nothing of it …
  std::vector<std::string> values_written{};  // … and this is empty
  std::string state{}, error{};
  std::map<std::string, double> measured{};  // else
  std::map<std::string, std::string> said{};
  std::vector<std::string> tags{};
  std::string note{};
  explicit RawRecord(std::size_t at, std::size_t num_outputs = 1);
  void set(std::size_t output, double value, std::string as_written);
  [[nodiscard]] bool has_value() const;  // of any output
  [[nodiscard]] bool is_open() const;    // nothing came of it yet
};

// What sheets and JSON call a study's outputs: "value" where there is one without a name of its own.
class OutputNames {
 public:
  explicit OutputNames(const std::vector<Output>& outputs);
  [[nodiscard]] bool own() const { return own_; }  // names of their own
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return names_[i]; }
  [[nodiscard]] bool passed(std::size_t i) const { return passed_[i]; }  // told as passed or failed
  [[nodiscard]] int find(std::string_view name, bool any_case) const;    // −1: there is no such output
  [[nodiscard]] std::string listed() const;                              // "yield", "cost" or "purity"
  // The number that a text stands for; none: what is wrong with it is in `expected`.
  [[nodiscard]] std::optional<double> read(std::size_t i, std::string_view text) const;
  [[nodiscard]] std::string expected(std::size_t i) const;  // "a finite number"

 private:
  bool own_;
  std::vector<std::string> names_;
  std::vector<bool> passed_;
};

// Throws RowMistake. The record must not be open.
[[nodiscard]] ToldRow finish_record(RawRecord raw, const OutputNames& outputs);

// "" for a column of somebody's own, otherwise what is wrong with it: it is too like one of ours that is missing.
[[nodiscard]] std::string name_problem(std::string_view what, std::string_view name, std::span<const std::string_view> missing);

// A word that stands for what became of a trial: without one a column "date" is no slip of "state".
[[nodiscard]] bool is_state(std::string_view word);

enum class Wanted { outcomes, points };  // of a file

[[nodiscard]] ToldFile parse_csv_records(std::string_view text, const std::string& path, const Space& space,
                                         const OutputNames& outputs, Wanted wanted, Mistakes& mistakes);
[[nodiscard]] ToldFile parse_json_records(std::string_view text, const std::string& path, const Space& space,
                                          const OutputNames& outputs, Wanted wanted, Mistakes& mistakes);

}  // namespace salvo

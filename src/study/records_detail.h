#pragma once
#include <salvo/records.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the CSV and the JSON reader share.
namespace salvo {

// What an export says beside a record, of which nothing is read.
inline constexpr std::array<std::string_view, 3> kPassedOver = {"origin", "asked_at", "told_at"};

struct RecordPlace {
  const std::string& path;
  std::size_t line;
  [[noreturn]] void fail(const std::string& problem) const;  // throws InputError
};

// A record as it was written, before its parts are checked against each other.
struct RawRecord {
  std::optional<std::int64_t> id;
  std::optional<Params> params;
  std::optional<double> value;
  std::string state, error;
};

// None for a trial that is still pending.
[[nodiscard]] std::optional<ToldRow> finish_record(RawRecord raw, const RecordPlace& place);

[[nodiscard]] std::vector<ToldRow> parse_json_records(std::string_view text, const std::string& path, const Space& space);

}  // namespace salvo

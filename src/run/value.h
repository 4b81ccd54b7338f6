#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "run/process.h"

namespace salvo::runner {

// What one run of the command came to: a finite value and whatever else it measured, or why there is none.
struct Reading {
  std::optional<double> value{};
  std::string error{};
  std::map<std::string, double> others{};
  std::map<std::string, std::string> said{};
};

// The value is the last line of standard output that is not blank: a number, or a JSON object with "value";
// what else in it is a finite number, true or false, or a text is kept by its name, a text up to some length.
// cut: the beginning of `text` is missing, so its first line may be half a line.
[[nodiscard]] Reading read_value(std::string_view text, bool cut = false);

// The same for a finished process: exit code, signal and timeout come first; errors end with what it said on stderr.
[[nodiscard]] Reading read_result(const ProcessResult& result, double timeout);

}  // namespace salvo::runner

#pragma once
#include <salvo/output.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "run/process.h"

namespace salvo::runner {

// What one run of the command came to: a value of each output and whatever else it measured, or why there is none.
struct Reading {
  std::vector<double> outputs{};  // NaN: it was not measured; empty: nothing was
  std::string error{};
  std::map<std::string, double> others{};
  std::map<std::string, std::string> said{};
  [[nodiscard]] bool has_value() const { return !outputs.empty(); }
};

// The value is the last line of standard output that is not blank: a number, or a JSON object with "value";
// what else in it is a finite number, true or false, or a text is kept by its name, a text up to some length.
// Outputs with names of their own: a JSON object with these names, of which some may be null or missing, or as the last lines
// NAME VALUE, NAME: VALUE or NAME = VALUE, up to (from the end) a line that is none or a name that was there.
// One that is wrong is an error, which ends with what was measured all the same.
// cut: the beginning of `text` is missing, so its first line may be half a line.
[[nodiscard]] Reading read_value(std::string_view text, bool cut = false, const std::vector<Output>& outputs = {});

// The same for a finished process: exit code, signal and timeout come first; errors end with what it said on stderr.
[[nodiscard]] Reading read_result(const ProcessResult& result, double timeout, const std::vector<Output>& outputs = {});

}  // namespace salvo::runner

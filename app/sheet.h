#pragma once
#include <salvo/records.h>

#include <span>
#include <string>
#include <string_view>

namespace salvo::app {

// What a file of this name and text holds.
[[nodiscard]] Format guess_format(const std::string& path, std::string_view text);

// Before `ask` writes: throws InputError when the file exists, unless forced, and always when somebody has filled in outcomes.
// An empty file, standard output, pipes and devices are free.
void check_sheet(const std::string& output, const Outputs& outputs, bool force);
[[nodiscard]] bool is_old_sheet(const std::string& output);  // a file with something in it

// Before `export` writes: a file whose outcomes the study has, an earlier export or a sheet that was told, is replaced. One with
// other outcomes never is, and anything else only if forced.
void check_export(const std::string& output, std::span<const Trial> trials, const Space& space, const Outputs& outputs,
                  bool force);

}  // namespace salvo::app

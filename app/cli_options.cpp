#include "cli_options.h"

#include <CLI/CLI.hpp>
#include <utility>
#include <vector>

namespace salvo::app {

void add_format(CLI::App& sub, std::function<void(Format)> use) {
  sub.add_option_function<std::string>(
         "--format", [use = std::move(use)](const std::string& s) { use(parse<Format>(s)); }, "csv or json (one object per line)")
      ->type_name("FORMAT");
}

void add_output(CLI::App& sub, const std::function<void(const std::string&)>& use) {
  sub.add_option_function<std::string>("-o,--output", use, "Write to this file instead of standard output")->type_name("FILE");
}

void add_value(CLI::App& sub, const char* help, const std::function<void(const std::string&)>& use) {
  sub.add_option_function<std::vector<std::string>>(
         "--value",
         [use](const std::vector<std::string>& all) {
           for (const std::string& s : all) use(s);
         },
         help)
      ->type_name("X")
      ->allow_extra_args(false);
}

void add_accept_changes(CLI::App& sub, bool& accept) {
  sub.add_flag_callback(
      "--accept-changes", [&accept] { accept = true; }, "Where the study file's parameters have changed, change the study's");
}

}  // namespace salvo::app

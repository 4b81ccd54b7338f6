#include "cli_import.h"

#include <CLI/CLI.hpp>

#include "cli_options.h"

namespace salvo::app {

const char* const kImportExamples =
    "OLD is the store (.db) or the study file (.toml) of a study of the same objective, or what salvo export wrote of it.\n"
    "Parameters go by their names. Points outside STUDY's parameters are listed and left out; trials that it has already\n"
    "are skipped. All is taken or nothing, and OLD stays as it is.\n\n"
    "Examples:\n  salvo import reactor.toml last-year.db\n"
    "  salvo import reactor.toml old.csv --fill pressure=1 --drop operator";

void add_import_options(CLI::App& sub, const std::function<ImportArgs&()>& args) {
  sub.add_option_function<std::string>(
         "old", [args](const std::string& s) { args().old = s; }, "The other study, or an export of it; -: standard input")
      ->required()
      ->type_name("OLD");
  const auto many = [&](const char* name, const char* type, const char* help,
                        const std::function<void(const std::vector<std::string>&)>& use) {
    sub.add_option_function<std::vector<std::string>>(name, use, help)->type_name(type)->allow_extra_args(false);
  };
  many("--fill", "NAME=VALUE", "What a parameter was that OLD does not have; may be given often",
       [args](const std::vector<std::string>& all) { args().fill = all; });
  many("--drop", "NAME", "Leave out what OLD has and this study has not; may be given often",
       [args](const std::vector<std::string>& all) { args().drop = all; });
  add_format(sub, [args](Format f) { args().format = f; });
}

}  // namespace salvo::app

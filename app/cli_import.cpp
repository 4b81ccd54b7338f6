#include "cli_import.h"

#include <CLI/CLI.hpp>

#include "cli_options.h"

namespace salvo::app {

const char* const kImportExamples =
    "OLD is the store (.db) or the study file (.toml) of a study of the same objective, or what salvo export wrote of it.\n"
    "What was measured on another machine, another material or in a simulation is another objective: --as prior makes it\n"
    "what this study expects, up to an offset and a scale that it learns.\n"
    "Parameters go by their names. Points outside STUDY's parameters are listed and left out; trials that it has already\n"
    "are skipped. All is taken or nothing, and OLD stays as it is.\n\n"
    "Examples:\n  salvo import reactor.toml last-year.db\n"
    "  salvo import reactor.toml old.csv --fill pressure=1 --keep operator\n"
    "  salvo import reactor.toml pilot-plant.db --as prior\n"
    "  salvo import reactor.toml --remove-prior";

void add_import_options(CLI::App& sub, const std::function<ImportArgs&()>& args) {
  sub.add_option_function<std::string>(
         "old", [args](const std::string& s) { args().old = s; }, "The other study, or an export of it; -: standard input")
      ->type_name("OLD");
  const auto many = [&](const char* name, const char* type, const char* help,
                        const std::function<void(const std::vector<std::string>&)>& use) {
    sub.add_option_function<std::vector<std::string>>(name, use, help)->type_name(type)->allow_extra_args(false);
  };
  many("--fill", "NAME=VALUE", "What a parameter was that OLD does not have; may be given often",
       [args](const std::vector<std::string>& all) { args().fill = all; });
  many("--keep", "NAME", "A parameter or column of OLD is kept beside the values, where people see it; may be given often",
       [args](const std::vector<std::string>& all) { args().keep = all; });
  many("--drop", "NAME", "Leave out what OLD has and this study has not; may be given often",
       [args](const std::vector<std::string>& all) { args().drop = all; });
  sub.add_option_function<std::string>(
         "--as", [args](const std::string& s) { args().prior = s == "prior"; },
         "data: trials of the same objective (default); prior: what this study expects")
      ->check(CLI::IsMember({"data", "prior"}))
      ->type_name("data|prior");
  sub.add_flag_callback(
      "--remove-prior", [args] { args().remove_prior = true; }, "Expect nothing any more; without OLD");
  add_format(sub, [args](Format f) { args().format = f; });
}

}  // namespace salvo::app

#include "cli_amend.h"

#include <CLI/CLI.hpp>

#include "cli_options.h"
#include "numbers.h"

namespace salvo::app {

const char* const kAmendExamples =
    "The next ask learns anew, and every change is kept: salvo export STUDY --history. A FILE is what tell takes, with the\n"
    "trials' numbers; rows that say what is known already are skipped. All is taken or nothing.\n\n"
    "Examples:\n  salvo amend reactor.toml --trial 1 --value 4.10 --reason \"the point was missing\"\n"
    "  salvo amend reactor.toml --trial 7 --sd none\n"
    "  salvo amend reactor.toml --trial 7 --fail \"the sample was contaminated\"\n"
    "  salvo amend reactor.toml corrected.csv --reason \"the balance was calibrated\"";
const char* const kForgetExamples =
    "As if they had never been told: they count as abandoned, and their points may be asked for again.\n\n"
    "Example:\n  salvo forget reactor.toml --trial 7 8 --reason \"measured in the other oven\"";
const char* const kReviveExamples =
    "Trials that failed or were abandoned wait for an outcome again; the next run evaluates those it had.\n\n"
    "Example:\n  salvo revive reactor.toml --trial 7 --reason \"the pump is repaired\"";

void add_forget_options(CLI::App& sub, const std::function<AmendArgs&()>& args) {
  sub.add_option_function<std::vector<std::string>>(
         "--trial",
         [args](const std::vector<std::string>& all) {
           for (const std::string& s : all) args().trials.push_back(whole_number<std::int64_t>("--trial", s, 1));
         },
         "Which trial; several with spaces between them")
      ->type_name("N");
  sub.add_option_function<std::string>(
         "--reason", [args](const std::string& s) { args().reason = s; }, "Why, for the history")
      ->type_name("TEXT");
}

void add_amend_options(CLI::App& sub, const std::function<AmendArgs&()>& args) {
  const auto text = [&](const char* name, const char* help, const char* type,
                        const std::function<void(const std::string&)>& use) {
    sub.add_option_function<std::string>(name, use, help)->type_name(type);
  };
  text("file", "CSV or JSON lines with the trials' numbers; -: standard input", "FILE",
       [args](const std::string& s) { args().input = s; });
  add_forget_options(sub, args);
  add_value(sub, "Its value is this; of several outputs NAME=X (NAME=none: not measured), the others stay",
            [args](const std::string& s) { args().value.take(s); });
  text("--sd", "The standard error of its value is this; none: nobody knows it", "S", [args](const std::string& s) {
    args().no_sd = s == "none";
    if (!args().no_sd) args().sd = standard_error("--sd", s);
  });
  text("--fail", "It failed, and why", "WHY", [args](const std::string& s) { args().fail = s; });
}

}  // namespace salvo::app

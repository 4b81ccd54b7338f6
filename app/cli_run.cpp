#include "cli_run.h"

#include <salvo/rules.h>

#include <CLI/CLI.hpp>

#include "numbers.h"

namespace salvo::app {
namespace {

double duration_of(const char* option, const std::string& text) {
  const auto plain = to_double(text), seconds = plain ? plain : to_seconds(text);
  if (!seconds || !(*seconds > 0) || !Duration::allows(*seconds))
    throw InputError(fmt::format("{}: expected {}, more than 0, got \"{}\"", option, Duration::expected(), text));
  return *seconds;
}

}  // namespace

const char* const kRunExamples =
    "Ctrl-C finishes the trials that run; a second one stops at once. The same command goes on where it ended.\n"
    "--time, --target, --patience and --gain are for this run alone; budget.time and the others of the study file are for "
    "all.\n\n"
    "Examples:\n  salvo run reactor.toml --plot reactor.html\n"
    "  salvo run reactor.toml --time 2h --target 0.95\n"
    "  salvo run reactor.db --set budget.evaluations=8000 --set objective.workers=16\n"
    "  salvo run reactor.toml --json | tail -1";

void add_run_options(CLI::App& sub, const std::function<RunArgs&()>& args) {
  sub.add_option_function<std::vector<std::string>>(
         "--plot", [args](const std::vector<std::string>& s) { args().plots = s; },
         "Draw the run in the end (.svg, .png); .html: a page that follows it; may be given often")
      ->type_name("FILE")
      ->allow_extra_args(false);
  sub.add_flag_callback(
      "--trials", [args] { args().trials = true; }, "With --json: an event for every trial too");
  const auto text = [&](const char* name, const char* help, const char* type,
                        const std::function<void(const std::string&)>& use) {
    sub.add_option_function<std::string>(name, use, help)->type_name(type);
  };
  text("--time", "Begin no evaluation after so long: 30s, 90 min, 2h, or seconds", "TIME",
       [args](const std::string& s) { args().time = duration_of("--time", s); });
  text("--target", "Stop when the recommended value is as good as this", "X",
       [args](const std::string& s) { args().target = finite_number("--target", s); });
  text("--patience", "Stop when N evaluations have not improved the recommendation; 0: never", "N",
       [args](const std::string& s) { args().patience = whole_number<std::int64_t>("--patience", s, 0); });
  text("--gain", "Stop when going on is expected to improve the recommendation by less; 0: never", "X",
       [args](const std::string& s) {
         const double gain = finite_number("--gain", s);
         if (gain < 0) throw InputError(fmt::format("--gain: expected a number from 0, got \"{}\"", s));
         args().gain = gain;
       });
}

}  // namespace salvo::app

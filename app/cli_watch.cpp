#include "cli_watch.h"

#include <salvo/rules.h>

#include <CLI/CLI.hpp>

#include "numbers.h"

namespace salvo::app {
namespace {

constexpr double kShortest = 0.1, kLongest = 3600;

double interval_of(const std::string& text) {
  const auto plain = to_double(text), seconds = plain ? plain : to_seconds(text);
  if (!seconds || !(*seconds >= kShortest) || *seconds > kLongest)
    throw InputError(fmt::format("--interval: expected {}, from {} s to 1h, got \"{}\"", Duration::expected(), kShortest, text));
  return *seconds;
}

}  // namespace

const char* const kWatchExamples =
    "Only looks: whoever works on the study is not held up. Ends when the budget is spent and nothing is pending, and with\n"
    "Ctrl-C. Where the output is no terminal it prints one view and ends; with --json an object for each change.\n\n"
    "Examples:\n  salvo watch reactor.toml\n  salvo watch reactor.db --interval 10s\n"
    "  salvo watch reactor.toml --once | mail -s reactor me\n  salvo watch reactor.toml --json | ./alarm";

void add_watch_options(CLI::App& sub, const std::function<WatchArgs&()>& args) {
  sub.add_option_function<std::string>(
         "--interval", [args](const std::string& s) { args().interval = interval_of(s); },
         "Look so often: 0.5s, 10s, or seconds (default: 1)")
      ->type_name("TIME");
  sub.add_flag_callback(
      "--once", [args] { args().once = true; }, "Print one view and end");
}

}  // namespace salvo::app

#include "cli_trials.h"

#include <CLI/CLI.hpp>

#include "cli_options.h"
#include "numbers.h"

namespace salvo::app {

const char* const kAskExamples =
    "Examples:\n  salvo ask reactor.toml 10 -o batch.csv     fill in the column \"value\", then: "
    "salvo tell reactor.toml batch.csv\n"
    "  salvo ask reactor.toml 1 --format json | ./evaluate | salvo tell reactor.toml -\n"
    "  salvo ask reactor.toml 5 --fix temperature=450   the oven is hot: the best for it";
const char* const kEnqueueExamples =
    "Every ask and every run hands them out first, in this order. A FILE is CSV with a column for each parameter, or JSON\n"
    "lines {\"params\": {…}}. Points that wait already, are pending or have a value are left out.\n\n"
    "Examples:\n  salvo enqueue reactor.toml temperature=450 rate=0.2 catalyst=Pd\n  salvo enqueue reactor.toml guesses.csv\n"
    "  salvo enqueue reactor.toml --list\n  salvo enqueue reactor.toml --remove 2 3";
const char* const kTellExamples =
    "CSV: a header with \"trial\" (or the parameters' names) and \"value\"; \"error\" where a trial failed.\n"
    "JSON: {\"trial\": 7, \"value\": 1.5} or {\"params\": {…}, \"value\": 1.5}, one per line.\n"
    "Commas, semicolons or tabs; columns in any order, those of your own are kept; a row without a value waits for one.\n"
    "All is taken or nothing. What was told before, with the same outcome, is skipped.\n\n"
    "Examples:\n  salvo tell reactor.toml results.csv\n  ./evaluate batch.csv | salvo tell reactor.toml -\n"
    "  salvo tell reactor.toml --trial 7 --value 1.5\n  salvo tell reactor.toml --trial 8 --fail \"the pump stopped\"\n"
    "  salvo tell reactor.toml --trial 9 10 11 --abandon";
const char* const kNoteExamples =
    "Kept with the study, shown by export and status; the search does not read it. A new text takes the place of the old one.\n\n"
    "Examples:\n  salvo note reactor.toml --trial 7 \"foam above 450 K\"\n  salvo note reactor.toml \"new oven since Monday\"\n"
    "  salvo note reactor.toml            shows all\n  salvo note reactor.toml --trial 7 --clear";
const char* const kTagExamples =
    "Words by which people find trials again; the search never reads them. export, best and plot take --tag NAME, export has\n"
    "them in the column \"tags\", and tell takes that column.\n\n"
    "Examples:\n  salvo tag reactor.toml pilot oven-2 --trial 7 8\n  salvo tag reactor.toml pilot --trial 8 --remove\n"
    "  salvo tag reactor.toml             shows all\n  salvo export reactor.toml --tag pilot";

namespace {

void take_trials(const std::vector<std::string>& all, TellArgs& to) {
  for (const std::string& s : all) {
    const auto id = whole_number<std::int64_t>("--trial", s, 1);
    to.trial ? to.more.push_back(id) : static_cast<void>(to.trial = id);
  }
}

}  // namespace

void add_ask_options(CLI::App& sub, const std::function<AskArgs&()>& args) {
  sub.add_option_function<std::string>(
         "count", [args](const std::string& s) { args().size = whole_number("COUNT", s, 1, 1000000); },
         "How many (default: the study's batch)")
      ->type_name("COUNT");
  add_format(sub, [args](Format f) { args().format = f; });
  add_output(sub, [args](const std::string& s) { args().output = s; });
  sub.add_flag_callback(
      "--pending", [args] { args().pending = true; }, "Print again the points that wait for an outcome; ask for none");
  sub.add_flag_callback(
      "--force", [args] { args().force = true; }, "Write over FILE if it exists; never over one that holds values");
  sub.add_option_function<std::vector<std::string>>(
         "--fix", [args](const std::vector<std::string>& all) { args().fixed = all; },
         "Only points where these parameters have these values; may be given often")
      ->type_name("NAME=VALUE");
}

void add_enqueue_options(CLI::App& sub, const std::function<EnqueueArgs&()>& args) {
  sub.add_option_function<std::vector<std::string>>(
         "point", [args](const std::vector<std::string>& all) { args().words = all; },
         "A FILE (-: standard input), or a value for each parameter")
      ->type_name("FILE | NAME=VALUE ...");
  add_format(sub, [args](Format f) { args().format = f; });
  sub.add_flag_callback(
      "--again", [args] { args().again = true; }, "Also points that have a value: measure them once more");
  sub.add_flag_callback(
      "--list", [args] { args().list = true; }, "Show what waits");
  sub.add_option_function<std::vector<std::string>>(
         "--remove",
         [args](const std::vector<std::string>& all) {
           for (const std::string& s : all) args().remove.push_back(whole_number<std::int64_t>("--remove", s, 1));
         },
         "Take these out again, by the numbers that --list shows")
      ->type_name("N");
  sub.add_flag_callback(
      "--clear", [args] { args().clear = true; }, "Take all of them out again");
}

void add_tell_options(CLI::App& sub, const std::function<TellArgs&()>& args) {
  sub.add_option_function<std::string>(
         "file", [args](const std::string& s) { args().input = s; }, "CSV or JSON lines; -: standard input")
      ->type_name("FILE");
  add_format(sub, [args](Format f) { args().format = f; });
  const auto text = [&](const char* name, const char* help, const char* type,
                        const std::function<void(const std::string&)>& use) {
    sub.add_option_function<std::string>(name, use, help)->type_name(type);
  };
  sub.add_option_function<std::vector<std::string>>(
         "--trial", [args](const std::vector<std::string>& all) { take_trials(all, args()); },
         "Report this one trial, or several with --fail or --abandon")
      ->type_name("N");
  add_value(sub, "Its value; of several outputs NAME=X, as often as there are values",
            [args](const std::string& s) { args().value.take(s); });
  text("--sd", "The standard error of its value", "S", [args](const std::string& s) { args().sd = standard_error("--sd", s); });
  text("--fail", "It failed, and why", "REASON", [args](const std::string& s) { args().fail = s; });
  sub.add_flag_callback(
      "--abandon", [args] { args().abandon = true; }, "Nobody will evaluate it");
  sub.add_flag_callback(
      "--as-measured", [args] { args().as_measured = true; },
      "Where a row's parameters are not those of its trial, they are what was measured: take them, close the trial");
  sub.add_flag_callback(
      "--again", [args] { args().again = true; },
      "Take rows without a trial although the same were told before: they are second measurements");
}

void add_note_options(CLI::App& sub, const std::function<NoteArgs&()>& args) {
  sub.add_option_function<std::string>(
         "text", [args](const std::string& s) { args().text = s; }, "What is to be remembered (default: show what there is)")
      ->type_name("TEXT");
  sub.add_option_function<std::vector<std::string>>(
         "--trial",
         [args](const std::vector<std::string>& all) {
           for (const std::string& s : all) args().trials.push_back(whole_number<std::int64_t>("--trial", s, 1));
         },
         "About this trial, may be given often (default: about the study)")
      ->type_name("N")
      ->allow_extra_args(false);
  sub.add_flag_callback(
      "--clear", [args] { args().clear = true; }, "Take it back");
}

void add_tag_options(CLI::App& sub, const std::function<TagArgs&()>& args) {
  sub.add_option_function<std::vector<std::string>>(
         "name", [args](const std::vector<std::string>& all) { args().names = all; },
         "Short words, such as pilot or oven-2 (default: show what there is)")
      ->type_name("NAME ...");
  sub.add_option_function<std::vector<std::string>>(
         "--trial",
         [args](const std::vector<std::string>& all) {
           for (const std::string& s : all) args().trials.push_back(whole_number<std::int64_t>("--trial", s, 1));
         },
         "Which trial; several with spaces between them")
      ->type_name("N");
  sub.add_flag_callback(
      "--remove", [args] { args().remove = true; }, "Take these tags off again");
}

void add_tag_filter(CLI::App& sub, const std::function<std::vector<std::string>&()>& tags) {
  sub.add_option_function<std::vector<std::string>>(
         "--tag", [tags](const std::vector<std::string>& all) { tags() = all; },
         "Only trials that carry this tag; given often, all of them")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

}  // namespace salvo::app

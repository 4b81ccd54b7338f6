#include "cli.h"

#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/threads.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli_amend.h"
#include "cli_bench.h"
#include "cli_errors.h"
#include "cli_import.h"
#include "cli_options.h"
#include "cli_plan.h"
#include "cli_pool.h"
#include "cli_run.h"
#include "cli_trials.h"
#include "cli_watch.h"
#include "nearest.h"
#include "numbers.h"
#include "text.h"

namespace salvo::app {
namespace {

const std::vector<std::string> kFormats = {"csv", "json"}, kShells = {"bash", "zsh", "fish"};
const std::vector<std::string> kPlotKinds = {"all",          "progress", "slices", "parallel",   "importance",
                                             "lengthscales", "batches",  "front",  "hypervolume"};

std::string one_of(const char* option, const std::string& text, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), text) != known.end()) return text;
  throw InputError(fmt::format("{}: expected {}, got \"{}\"{}", option, fmt::join(known, ", "), text, suggestion(text, known)));
}

std::pair<std::string, std::string> key_and_value(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(fmt::format("--set: expected key=value (--set model.num_inducing=250), got \"{}\"", text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// The options and where they put what they read.
class Parser {
 public:
  explicit Parser(Invocation& invocation) : to_(invocation) {
    app_.require_subcommand(1);
    app_.get_formatter()->label("SUBCOMMAND", "COMMAND STUDY");
    app_.get_formatter()->label("Subcommands", "Commands");
    app_.get_formatter()->label("REQUIRED", "");
    app_.set_version_flag("--version", "salvo " SALVO_VERSION, "Print the version");
    app_.footer(
        "Examples:\n  salvo init reactor                    write reactor.toml, then edit it\n"
        "  salvo run reactor.toml                run it; Ctrl-C stops, the same command goes on\n"
        "  salvo best reactor.toml --top 5       the best points so far\n"
        "  salvo plot reactor.toml -o run.html   look at it\n\n"
        "Every command has its own --help. Exit codes: 0 fine, 1 the world failed (disk, file, program),\n"
        "2 bad input or usage, 3 all evaluations failed, 130 interrupted.");
    add_common(app_);
    add_init();
    add_run();
    add_ask();
    add_enqueue();
    add_tell();
    add_import();
    add_amend();
    add_note();
    add_look();
    add_theory();
    add_bench();
    add_pool();
    add_study_file();
    add_completion();
  }

  CLI::App& app() { return app_; }

 private:
  // A command whose arguments are of type T; the struct lives in the invocation once the command is seen.
  template <class T>
  CLI::App& command(const char* name, const char* help, const char* example, bool study = true) {
    CLI::App& sub = *app_.add_subcommand(name, help);
    sub.footer(std::string(example));
    sub.preparse_callback([this](std::size_t) { to_.args = T(); });
    if (study) {
      sub.add_option("study", to_.common.study, "The study file (.toml) or the store (.db)")->required()->type_name("STUDY");
    }
    add_common(sub);
    return sub;
  }

  CLI::App& working(CLI::App& sub) {
    add_accept_changes(sub, to_.common.accept_changes);
    return sub;
  }

  template <class T>
  T& args() {
    return std::get<T>(to_.args);
  }

  void add_common(CLI::App& app) {
    app.set_help_flag("-h,--help", "Print this help and end");
    const auto text = [&](const char* name, const char* help, const char* type,
                          const std::function<void(const std::string&)>& use) {
      app.add_option_function<std::string>(name, use, help)->type_name(type)->group("Common options");
    };
    app.add_flag_callback(
           "--json", [this] { to_.common.json = true; }, "Print one JSON object per line, for programs")
        ->group("Common options");
    app.add_flag_callback(
           "-q,--quiet", [this] { to_.common.quiet = true; }, "Print results and errors only")
        ->group("Common options");
    text("--seed", "Seed of the study's random numbers, when it begins", "N",
         [this](const std::string& s) { to_.common.seed = whole_number<std::uint64_t>("--seed", s, 0); });
    text("--threads", "Threads to compute with; 0: one per core. Results do not depend on it", "N", [this](const std::string& s) {
      set_num_threads(whole_number("--threads", s, 0, 4096));
      to_.common.threads_given = true;
    });
    text("--storage", "Keep the study in this file instead of the study file's", "FILE.db", [this](const std::string& s) {
      if (s.empty()) throw InputError("--storage: expected the name of a file, got an empty text");
      to_.common.storage = s;
    });
    app.add_option_function<std::vector<std::string>>(
           "--set",
           [this](const std::vector<std::string>& all) {
             for (const std::string& s : all) to_.common.overrides.push_back(key_and_value(s));
           },
           "Override a key of the study file, as model.num_inducing=250; may be given often")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->group("Common options");
  }

  void add_init() {
    CLI::App& sub = command<InitArgs>("init", "Write a commented study file to start from",
                                      "Example:\n  salvo init reactor        writes reactor.toml", false);
    sub.add_option_function<std::string>(
           "name", [this](const std::string& s) { args<InitArgs>().name = s; },
           "Name of the study; the file is NAME.toml (default: study)")
        ->type_name("NAME");
    sub.add_flag_callback(
        "--force", [this] { args<InitArgs>().force = true; }, "Overwrite a file that exists");
  }

  void add_run() {
    add_run_options(
        working(command<RunArgs>("run", "Run the study until its budget is spent or it is time to stop", kRunExamples)),
        [this]() -> RunArgs& { return args<RunArgs>(); });
  }

  void add_ask() {
    add_ask_options(working(command<AskArgs>("ask", "Hand out points to evaluate", kAskExamples)),
                    [this]() -> AskArgs& { return args<AskArgs>(); });
  }

  void add_enqueue() {
    add_enqueue_options(working(command<EnqueueArgs>("enqueue", "Have points of your own tried next", kEnqueueExamples)),
                        [this]() -> EnqueueArgs& { return args<EnqueueArgs>(); });
  }

  void add_tell() {
    add_tell_options(working(command<TellArgs>("tell", "Report outcomes, of trials handed out or of points evaluated elsewhere",
                                               kTellExamples)),
                     [this]() -> TellArgs& { return args<TellArgs>(); });
  }

  void add_import() {
    add_import_options(working(command<ImportArgs>("import", "Take over the trials of another study, or what it lets one expect",
                                                   kImportExamples)),
                       [this]() -> ImportArgs& { return args<ImportArgs>(); });
  }

  void add_amend() {
    const auto args = [this]() -> AmendArgs& { return this->args<AmendArgs>(); };
    CLI::App& amend = command<AmendArgs>("amend", "Put right outcomes that were told wrong", kAmendExamples);
    add_amend_options(amend, args);
    add_format(amend, [args](Format f) { args().format = f; });
    const auto named = [&](const char* name, const char* help, const char* examples, AmendArgs::What what) {
      CLI::App& sub = command<AmendArgs>(name, help, examples);
      sub.preparse_callback([this, what](std::size_t) {
        to_.args = AmendArgs();
        this->args<AmendArgs>().what = what;
      });
      add_forget_options(sub, args);
    };
    named("forget", "Take back values and failures, as if they had never been told", kForgetExamples, AmendArgs::What::forget);
    named("revive", "Make trials that failed or were abandoned pending again", kReviveExamples, AmendArgs::What::revive);
  }

  void add_note() {
    add_note_options(command<NoteArgs>("note", "Remember something about the study or a trial", kNoteExamples),
                     [this]() -> NoteArgs& { return args<NoteArgs>(); });
    add_tag_options(command<TagArgs>("tag", "Put short words on trials, to find them again", kTagExamples),
                    [this]() -> TagArgs& { return args<TagArgs>(); });
  }

  void add_look() {
    command<StatusArgs>("status", "Show how far the study is and what the model has learned",
                        "Example:\n  salvo status reactor.toml");
    add_watch_options(command<WatchArgs>("watch", "Follow a study that somebody works on, in the terminal", kWatchExamples),
                      [this]() -> WatchArgs& { return args<WatchArgs>(); });
    CLI::App& best =
        command<BestArgs>("best", "Show the best points, by the model's mean",
                          "With several objectives these are the front: the trials that no other one beats in all of them.\n\n"
                          "Examples:\n  salvo best reactor.toml --top 5\n"
                          "  salvo best oven.toml --weights yield=0.7,cost=0.3    one point of the front\n"
                          "  salvo best oven.toml --format csv > front.csv");
    best.add_option_function<std::string>(
            "--top", [this](const std::string& s) { args<BestArgs>().top = whole_number("--top", s, 1); },
            "How many (default: 1)")
        ->type_name("K");
    best.add_flag_callback(
        "--model", [this] { args<BestArgs>().model = true; }, "Learn the model first, even if that takes minutes");
    best.add_option_function<std::string>(
            "--weights", [this](const std::string& s) { args<BestArgs>().weights = s; },
            "Of several objectives how much each counts: the point of the front that suits")
        ->type_name("NAME=W,...");
    add_format(best, [this](Format f) { args<BestArgs>().format = f; });
    add_tag_filter(best, [this]() -> std::vector<std::string>& { return args<BestArgs>().tags; });
    CLI::App& out = command<ExportArgs>("export", "Write every trial, one row each",
                                        "Examples:\n  salvo export reactor.toml -o reactor.csv\n"
                                        "  salvo export reactor.db --format json | grep failed");
    add_format(out, [this](Format f) { args<ExportArgs>().format = f; });
    add_output(out, [this](const std::string& s) { args<ExportArgs>().output = s; });
    out.add_flag_callback(
        "--force", [this] { args<ExportArgs>().force = true; },
        "Write over a FILE that is no export; never over values that the study does not have");
    out.add_flag_callback(
        "--history", [this] { args<ExportArgs>().history = true; }, "Write what was put right instead, and why");
    add_tag_filter(out, [this]() -> std::vector<std::string>& { return args<ExportArgs>().tags; });
    CLI::App& backup = command<BackupArgs>("backup", "Copy the study into a file of its own, while it runs",
                                           "Example:\n  salvo backup reactor.toml reactor-monday.db");
    backup
        .add_option_function<std::string>(
            "file", [this](const std::string& s) { args<BackupArgs>().output = s; }, "Where to; nothing may be there")
        ->required()
        ->type_name("FILE");
    CLI::App& check = command<CheckArgs>("check", "Say whether the study's file is whole, and save what is",
                                         "Examples:\n  salvo check reactor.toml\n  salvo check reactor.db -o whole.jsonl    "
                                         "then: salvo tell new.toml whole.jsonl");
    check
        .add_option_function<std::string>(
            "-o,--output", [this](const std::string& s) { args<CheckArgs>().output = s; },
            "Write the points and values that are whole there, for salvo tell")
        ->type_name("FILE");
    CLI::App& plot = command<PlotArgs>("plot", "Draw the study: progress, slices, parallel coordinates, importance",
                                       "Examples:\n  salvo plot reactor.toml -o reactor.html\n"
                                       "  salvo plot reactor.toml --kind slices -o slices.png\n"
                                       "  salvo plot oven.toml --kind front -o front.svg\n"
                                       "  salvo plot oven.toml --kind importance --of purity -o purity.svg");
    plot.add_option_function<std::string>(
            "--kind", [this](const std::string& s) { args<PlotArgs>().kind = one_of("--kind", s, kPlotKinds); },
            "all, progress, slices, parallel, importance, lengthscales, batches, and of several objectives front or hypervolume "
            "(default: all)")
        ->type_name("KIND");
    plot.add_option_function<std::string>(
            "-o,--output", [this](const std::string& s) { args<PlotArgs>().output = s; }, "Where to draw it: .svg, .png or .html")
        ->required()
        ->type_name("FILE");
    plot.add_option_function<std::string>(
            "--of", [this](const std::string& s) { args<PlotArgs>().shown = s; },
            "Of several outputs the one whose values are drawn (default: the first)")
        ->type_name("NAME");
    add_tag_filter(plot, [this]() -> std::vector<std::string>& { return args<PlotArgs>().tags; });
  }

  void add_theory() {
    CLI::App& plan = command<PlanArgs>("plan", "Say what a run will cost, how large m and M must be and what the theory promises",
                                       kPlanExamples, false);
    plan.add_option("study", to_.common.study, "The study file whose run is to be measured (default: the theory alone)")
        ->type_name("STUDY");
    add_plan_options(plan, [this]() -> PlanArgs& { return args<PlanArgs>(); });
    add_diagnose_options(
        command<DiagnoseArgs>("diagnose", "Say whether the model's approximation can be trusted, and what to change if not",
                              kDiagnoseExamples),
        [this]() -> DiagnoseArgs& { return args<DiagnoseArgs>(); });
  }

  void add_bench() {
    add_bench_options(command<BenchArgs>("bench", "Compare methods: problems × methods × seeds, with tables and pictures",
                                         kBenchExamples, false),
                      [this]() -> BenchArgs& { return args<BenchArgs>(); });
  }

  void add_pool() {
    CLI::App& sub =
        command<PoolArgs>("pool", "Build a pool of candidates from a library, or show what is in one", kPoolExamples, false);
    add_pool_options(sub, [this]() -> PoolArgs& { return args<PoolArgs>(); });
    CLI::App& screen = command<ScreenArgs>("screen", "Search a library of candidates for the best ones", kScreenExamples, false);
    add_screen_options(screen, [this]() -> ScreenArgs& { return args<ScreenArgs>(); });
  }

  void add_study_file() {
    CLI::App& sub = command<StudyFileArgs>("study-file", "Say what the keys of a study file are, or one of them",
                                           "Examples:\n  salvo study-file                 every key\n"
                                           "  salvo study-file budget          a section\n"
                                           "  salvo study-file model.kernel    one key",
                                           false);
    sub.add_option_function<std::string>(
           "key", [this](const std::string& s) { args<StudyFileArgs>().key = s; }, "A key or a section (default: all)")
        ->type_name("KEY");
  }

  void add_completion() {
    CLI::App& sub = command<CompletionArgs>("completion", "Print a completion script for your shell",
                                            "Examples:\n  source <(salvo completion bash)\n"
                                            "  salvo completion zsh > ~/.zfunc/_salvo\n"
                                            "  salvo completion fish > ~/.config/fish/completions/salvo.fish",
                                            false);
    sub.add_option_function<std::string>(
           "shell", [this](const std::string& s) { args<CompletionArgs>().shell = one_of("SHELL", s, kShells); },
           "bash, zsh or fish")
        ->required()
        ->type_name("SHELL");
  }

  Invocation& to_;
  CLI::App app_{"Salvo: large-batch Bayesian optimisation by Thompson sampling from sparse Gaussian processes.", "salvo"};
};

// Of the study file, each once; parameters have names of their own.
std::vector<std::string> keys(const char* ending) {
  std::vector<std::string> out;
  for (const KeyDoc& doc : study_file_keys()) {
    const std::string key = doc.key + ending;
    if (!key.starts_with("parameters.") && std::find(out.begin(), out.end(), key) == out.end()) out.push_back(key);
  }
  return out;
}

}  // namespace

Invocation parse_command_line(int argc, const char* const* argv) {
  Invocation invocation;
  Parser parser(invocation);
  CLI::App& app = parser.app();
  for (int i = 0; i < argc; ++i) invocation.common.command_line += (i ? " " : "") + shell_word(argv[i]);
  // "salvo help" and "salvo help run", as git and others have it, beside "salvo --help" and "salvo run --help".
  std::vector<const char*> words(argv, argv + argc);
  if (argc >= 2 && argc <= 3 && std::string_view(argv[1]) == "help") words = {argv[0], argc == 3 ? argv[2] : "--help", "--help"};
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::CallForHelp&) {
    invocation.print = app.help();
  } catch (const CLI::CallForVersion&) {
    invocation.print = "salvo " SALVO_VERSION "\n";
  } catch (const CLI::ParseError& error) {
    throw InputError(explain(app, error));
  }
  return invocation;
}

std::vector<CommandSpec> command_specs() {
  Invocation unused;
  Parser parser(unused);
  std::vector<CommandSpec> specs;
  for (const CLI::App* sub : parser.app().get_subcommands([](const CLI::App*) { return true; })) {
    CommandSpec spec{.name = sub->get_name(), .help = sub->get_description(), .options = {}, .words = {}};
    if (spec.name == "completion") spec.words = kShells;
    if (spec.name == "pool") spec.words = kPoolActions;
    if (spec.name == "study-file") spec.words = keys("");
    for (const CLI::Option* option : sub->get_options()) {
      if (option->get_positional()) continue;
      const std::string name = option->get_lnames().at(0);
      spec.options.push_back({.long_name = "--" + name,
                              .short_name = option->get_snames().empty() ? "" : "-" + option->get_snames()[0],
                              .help = option->get_description(),
                              .takes_value = option->get_items_expected_max() > 0,
                              .takes_file = option->get_type_name().starts_with("FILE"),
                              .choices = name == "set"      ? keys("=")
                                         : name == "format" ? kFormats
                                         : name == "kind"   ? kPlotKinds
                                         : name == "kernel" ? kPlanKernels
                                                            : std::vector<std::string>()});
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace salvo::app

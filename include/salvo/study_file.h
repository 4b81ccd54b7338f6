#pragma once
#include <salvo/names.h>
#include <salvo/options.h>

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salvo {

enum class Schedule { batch, async };  // batch: wait for the whole batch; async: refill as results arrive
template <>
struct Names<Schedule> {
  static constexpr std::string_view what = "schedule";
  static constexpr NameList<Schedule, 2> list{{{Schedule::batch, "batch"}, {Schedule::async, "async"}}};
};
enum class CommandInput { none, json };  // json: the parameters as one JSON object on standard input
template <>
struct Names<CommandInput> {
  static constexpr std::string_view what = "input";
  static constexpr NameList<CommandInput, 2> list{{{CommandInput::none, "none"}, {CommandInput::json, "json"}}};
};

// What is run for a trial: a program and its arguments, {"python3", "sim.py", "{x}"}, started as they are, or one line for
// /bin/sh. {name} stands for a parameter's value, {trial} for the trial's number, {{ and }} for braces.
struct CommandLine {
  std::string line{};                // for the shell
  std::vector<std::string> words{};  // or these, without a shell

  CommandLine() = default;
  CommandLine(std::string shell_line) : line(std::move(shell_line)) {}          // NOLINT: a text is a line
  CommandLine(const char* shell_line) : line(shell_line) {}                     // NOLINT
  CommandLine(std::vector<std::string> program) : words(std::move(program)) {}  // NOLINT: a list is a program
  CommandLine(std::initializer_list<std::string> program) : words(program) {}
  [[nodiscard]] bool empty() const { return line.empty() && words.empty(); }
  bool operator==(const CommandLine&) const = default;
};

// How a trial is evaluated: a command of the user's, a built-in problem, or a column of the pool that is known already.
struct ObjectiveOptions {
  CommandLine command;
  std::string builtin;                     // or a name of problem_names()
  std::string lookup;                      // or a column that the pool keeps as text, with numbers: for benchmarks
  std::optional<double> noise_variance{};  // of the built-in problem; none: the problem's own
  int workers = 1;
  double timeout = 0;  // seconds; 0: none
  int retries = 0;     // runs after the first, when it failed
  // Exit codes that speak of the machine and not of the point, 128 + n for signal n: EX_TEMPFAIL, SIGHUP, SIGINT, SIGKILL and
  // SIGTERM. What ends so teaches nothing and is tried again.
  std::vector<int> machine_failures{75, 129, 130, 137, 143};
  CommandInput input = CommandInput::none;
  std::string directory;  // where the command runs; empty: beside the study file
  Schedule schedule = Schedule::batch;
  std::optional<double> optimum{};  // of the command's value, where it is known: benchmarks measure regret against it
  CommandLine truth{};              // a command that prints the value without noise, for benchmarks; empty: command has none
  void validate() const;
};

struct Budget {
  int batch = 100;
  std::int64_t evaluations = 5000;
  int initial = 0;  // points of the first design; 0: one batch
  // Reasons to end a run before that, each off unless it is given (stopping.h):
  double time = 0;                 // seconds of a run; 0: any
  std::optional<double> target{};  // the recommended value that is good enough
  std::int64_t patience = 0;       // evaluations without an improvement; 0: any number
  double gain = 0;                 // that going on must be expected to bring; 0: any
};

using Labels = std::map<std::string, std::string>;  // of parameters, by name

struct StudyFile {
  std::string path;  // of the TOML file
  StudyOptions study;
  ObjectiveOptions objective;
  Budget budget;
  std::string storage;                    // path of the database, already resolved against the file's folder
  std::vector<Params> start{};            // points to be tried first
  Labels labels{};                        // what tables and pictures show in place of a parameter's name
  std::map<std::string, Value> before{};  // of parameters: the value that trials had before there was such a one
  [[nodiscard]] const std::string& label(const std::string& parameter) const;  // its name where it has none
};

using Overrides = std::vector<std::pair<std::string, std::string>>;  // {"model.num_inducing", "250"}

// Throws InputError: "reactor.toml:7:3: parameters.rate.scale: expected "linear" or "log", got "lgo"".
[[nodiscard]] StudyFile read_study_file(const std::string& path, const Overrides& overrides = {});
[[nodiscard]] StudyFile parse_study_file(std::string_view text, const std::string& path, const Overrides& overrides = {});
// What a study file may say, as docs/study-file.md has it: the documents and `salvo study-file` are made of these.
struct KeyDoc {
  std::string key;             // "model.kernel"
  std::string type, standard;  // what it may be and what it is otherwise, in Markdown as
  std::string what;            // is what it does
  bool of_pool = false;        // only of a study over a pool
};
[[nodiscard]] std::vector<KeyDoc> study_file_keys();
// A commented study file to start from.
[[nodiscard]] std::string study_file_template(std::string_view name);

}  // namespace salvo

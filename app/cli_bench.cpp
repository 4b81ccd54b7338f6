#include "cli_bench.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "numbers.h"

namespace salvo::app {
namespace {

std::vector<std::string> names_of(const char* option, const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, end - at));
    if (parts.back().empty())
      throw InputError(fmt::format("{}: expected names with commas between them, got \"{}\"", option, text));
    at = end + 1;
  }
  return parts;
}

std::pair<std::string, std::string> key_and_values(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InputError(fmt::format("--vary: expected key=values (--vary model.num_inducing=250,500), got \"{}\"", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

const char* const kBenchExamples =
    "FILE is a benchmark file (docs/benchmarks.md); the word list instead of it names all problems and methods.\n"
    "Runs that have finished are kept: after Ctrl-C, kill -9 or a crash the same command goes on.\n\n"
    "Examples:\n  salvo bench list\n  salvo bench experiments/paper/figure1.toml --quick\n"
    "  salvo bench --problems hartmann6,shekel --methods thompson,random --seeds 10 --set budget.evaluations=1000\n"
    "  salvo bench --problems mine.toml --methods thompson --vary model.num_inducing=250,500 -o mine";

void add_bench_options(CLI::App& sub, const std::function<BenchArgs&()>& args) {
  const auto text = [&](const char* name, const char* help, const char* type,
                        const std::function<void(const std::string&)>& use) {
    sub.add_option_function<std::string>(name, use, help)->type_name(type);
  };
  text("file", "The benchmark file (.toml), or: list", "FILE", [args](const std::string& s) { args().request.path = s; });
  text("--problems", "Built-in problems or study files (.toml), with commas; instead of the file's", "LIST",
       [args](const std::string& s) { args().request.problems = names_of("--problems", s); });
  text("--methods", "Methods, with commas; instead of the file's (default: auto,random)", "LIST",
       [args](const std::string& s) { args().request.methods = names_of("--methods", s); });
  text("--seeds", "Runs of every method on every problem (default: the file's, else 10)", "N",
       [args](const std::string& s) { args().request.seeds = whole_number("--seeds", s, 1, 1'000'000); });
  text("--jobs", "Runs at a time, each a process; 0: one per core (the default)", "N",
       [args](const std::string& s) { args().jobs = whole_number("--jobs", s, 0, 4096); });
  sub.add_option_function<std::vector<std::string>>(
         "--vary",
         [args](const std::vector<std::string>& all) {
           for (const std::string& s : all) args().request.vary.push_back(key_and_values(s));
         },
         "Run every method once with each value, as model.num_inducing=250,500; may be given often")
      ->type_name("KEY=VALUES")
      ->allow_extra_args(false);
  text("-o,--output", "Folder for the runs, the table and the picture (default: NAME-bench)", "FOLDER",
       [args](const std::string& s) {
         if (s.empty()) throw InputError("--output: expected the name of a folder, got an empty text");
         args().output = s;
       });
  text("--note", "A line for the head of the table", "TEXT", [args](const std::string& s) { args().note = s; });
  sub.add_flag_callback(
      "--quick", [args] { args().request.quick = true; }, "The small form that the file's [quick] describes");
  sub.add_flag_callback(
      "--report", [args] { args().report = true; }, "Run nothing; table and picture of the runs that are there");
}

}  // namespace salvo::app

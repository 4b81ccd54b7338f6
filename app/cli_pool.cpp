#include "cli_pool.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <CLI/CLI.hpp>

#include "cli_run.h"
#include "nearest.h"
#include "numbers.h"

namespace salvo::app {
namespace {

std::vector<std::string> names(const char* option, const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    if (out.back().empty()) throw InputError(fmt::format("{}: expected names separated by commas, got \"{}\"", option, text));
    begin = end + 1;
  }
  return out;
}

}  // namespace

const std::vector<std::string> kPoolActions = {"build", "info"};

const char* const kPoolExamples =
    "A library is a CSV file (or SMI, NPY, NPZ), also as .gz; its pool is one compact file that is read at once.\n"
    "SMILES that cannot be read are left out and listed; rows with equal features are one candidate with several ids.\n\n"
    "Examples:\n  salvo pool build library.csv.gz --smiles smiles -o library.pool\n"
    "  salvo pool build library.csv --features mass,charge,volume --id name -o library.pool\n"
    "  salvo pool build bits.npy --packed -o library.pool\n"
    "  salvo pool info library.pool";

void add_library_options(CLI::App& sub, const std::function<PoolBuildOptions&()>& build) {
  const auto text = [&](const char* name, const char* help, const char* type,
                        const std::function<void(const std::string&)>& use) {
    sub.add_option_function<std::string>(name, use, help)->type_name(type)->group("Library");
  };
  text("--smiles", "Features: Morgan fingerprints of the SMILES in this column", "COLUMN",
       [build](const std::string& s) { build().smiles = s; });
  text("--radius", "Radius of the Morgan fingerprints (default: 3)", "R",
       [build](const std::string& s) { build().radius = whole_number("--radius", s, 0, 10); });
  text("--bits", "Bits of a fingerprint (default: 512 for SMILES, else all there are)", "N",
       [build](const std::string& s) { build().bits = whole_number("--bits", s, 1, 1 << 20); });
  text("--hex", "Features: fingerprints in hexadecimal in this column", "COLUMN",
       [build](const std::string& s) { build().hex = s; });
  text("--features", "Features: the numbers in these columns (default: all that begin with a number)", "A,B,...",
       [build](const std::string& s) { build().features = names("--features", s); });
  text("--id", "Column of the ids (default: id, else the SMILES, else the row's number)", "COLUMN",
       [build](const std::string& s) { build().id = s; });
  text("--keep", "Columns to keep as text beside the features", "A,B,...",
       [build](const std::string& s) { build().keep = names("--keep", s); });
  text("--array", "The array of an NPZ file that holds the features", "NAME",
       [build](const std::string& s) { build().array = s; });
  sub.add_flag_callback(
         "--packed", [build] { build().packed = true; }, "The bytes of a NumPy array are bits, as numpy.packbits makes them")
      ->group("Library");
}

void add_pool_options(CLI::App& sub, const std::function<PoolArgs&()>& args) {
  sub.add_option_function<std::string>(
         "action",
         [args](const std::string& s) {
           if (std::find(kPoolActions.begin(), kPoolActions.end(), s) == kPoolActions.end())
             throw InputError(fmt::format("pool: expected build or info, got \"{}\"{}", s, suggestion(s, kPoolActions)));
           args().action = s;
         },
         "build or info")
      ->required()
      ->type_name("ACTION");
  sub.add_option_function<std::string>(
         "file", [args](const std::string& s) { args().file = s; }, "The library to build from, or the pool to show")
      ->required()
      ->type_name("FILE");
  sub.add_option_function<std::string>(
         "-o,--output", [args](const std::string& s) { args().output = s; },
         "The pool to write (default: the library's name with .pool)")
      ->type_name("FILE");
  add_library_options(sub, [args]() -> PoolBuildOptions& { return args().build; });
}

const char* const kScreenExamples =
    "Builds the pool of the library, writes a study file for it and runs that: NAME.pool, NAME.toml and NAME.db, where\n"
    "NAME is the library's unless -o says otherwise. The same command goes on where it ended; so does salvo run NAME.toml.\n"
    "In the command {id}, {smiles} and the name of every other column stand for the candidate's own.\n\n"
    "Examples:\n  salvo screen library.csv.gz --smiles smiles --command \"./dock.sh {smiles}\" --minimize --batch 500 "
    "--evaluations 20000\n"
    "  salvo screen library.pool --lookup yield --maximize --batch 100 --evaluations 5000 --plot recall.html\n"
    "  salvo best library.toml --top 100";

void add_screen_options(CLI::App& sub, const std::function<ScreenArgs&()>& args) {
  sub.add_option_function<std::string>(
         "library", [args](const std::string& s) { args().library = s; }, "The library (CSV, SMI, NPY, NPZ, .gz) or its pool")
      ->required()
      ->type_name("LIBRARY");
  const auto text = [&](const char* name, const char* help, const char* type,
                        const std::function<void(const std::string&)>& use) {
    return sub.add_option_function<std::string>(name, use, help)->type_name(type);
  };
  text("--command", "Evaluates one candidate and prints its value: a line for the shell, or a list of words as in a study file",
       "COMMAND", [args](const std::string& s) { args().command = s; });
  text("--lookup", "Instead of a command: the column of the library that holds the values", "COLUMN",
       [args](const std::string& s) { args().lookup = s; });
  sub.add_flag_callback(
      "--minimize", [args] { args().direction = Direction::minimize; }, "Small values are good");
  sub.add_flag_callback(
      "--maximize", [args] { args().direction = Direction::maximize; }, "Large values are good");
  text("--batch", "Candidates at a time (default: 100)", "N",
       [args](const std::string& s) { args().batch = whole_number("--batch", s, 1, 1000000); });
  text("--evaluations", "Candidates to evaluate in all (default: 5000)", "N",
       [args](const std::string& s) { args().evaluations = whole_number<std::int64_t>("--evaluations", s, 1); });
  text("--workers", "Commands that run at the same time (default: 1)", "N",
       [args](const std::string& s) { args().workers = whole_number("--workers", s, 1, 100000); });
  text("--timeout", "Time for one command, as 90s or 10m", "TIME", [args](const std::string& s) { args().timeout = s; });
  text("-o,--output", "NAME of the study, its pool and its store", "NAME", [args](const std::string& s) { args().output = s; });
  add_run_options(sub, [args]() -> RunArgs& { return args().run; });
  add_library_options(sub, [args]() -> PoolBuildOptions& { return args().build; });
}

}  // namespace salvo::app

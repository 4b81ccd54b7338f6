#pragma once
#include <salvo/bench.h>
#include <salvo/diagnose_options.h>
#include <salvo/plan.h>
#include <salvo/pool_build.h>
#include <salvo/records.h>
#include <salvo/study_file.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "told_values.h"

namespace salvo::app {

// What every command takes.
struct Common {
  std::string study;  // the study file or the store
  bool json = false, quiet = false;
  std::optional<std::uint64_t> seed;
  std::string storage;
  Overrides overrides;
  bool accept_changes = false;  // of the study file's parameters
  bool threads_given = false;
  std::string command_line;  // as typed, to say how to resume
};

struct InitArgs {
  std::string name = "study";
  bool force = false;
};
struct RunArgs {
  std::vector<std::string> plots;
  bool trials = false;
  // Instead of budget.time, budget.target, budget.patience and budget.gain, for this run alone.
  std::optional<double> time, target, gain;
  std::optional<std::int64_t> patience;
};
struct AskArgs {
  std::optional<int> size;
  std::optional<Format> format;
  std::string output;
  bool pending = false, force = false;
  std::vector<std::string> fixed;  // NAME=VALUE
};
struct EnqueueArgs {
  std::vector<std::string> words;  // a FILE, or NAME=VALUE for each parameter
  std::optional<Format> format;
  bool again = false, list = false, clear = false;
  std::vector<std::int64_t> remove;
};
struct TellArgs {
  std::string input;
  std::optional<Format> format;
  std::optional<std::int64_t> trial;
  std::vector<std::int64_t> more;  // trials, with --fail or --abandon
  GivenValues value;
  std::optional<double> sd;
  std::optional<std::string> fail;
  bool abandon = false, again = false, as_measured = false;
};
struct ImportArgs {
  std::string old;  // a store, a study file, or an export
  std::optional<Format> format;
  std::vector<std::string> fill, keep, drop;  // NAME=VALUE, NAME, NAME
  bool prior = false;                         // what is expected, not what was measured
  bool remove_prior = false;
};
struct AmendArgs {
  enum class What { amend, forget, revive } what = What::amend;
  std::string input;
  std::optional<Format> format;
  std::vector<std::int64_t> trials;
  GivenValues value;
  std::optional<double> sd;
  bool no_sd = false;  // nobody knows the standard error
  std::optional<std::string> fail;
  std::string reason;
};
struct StatusArgs {};
struct WatchArgs {
  double interval = 1;  // seconds
  bool once = false;
};
struct BestArgs {
  int top = 1;
  bool model = false;   // learn one first, however long it takes
  std::string weights;  // NAME=NUMBER,… of several objectives
  std::optional<Format> format;
  std::vector<std::string> tags;
};
struct ExportArgs {
  std::optional<Format> format;
  std::string output;
  bool history = false, force = false;
  std::vector<std::string> tags;
};
struct NoteArgs {
  std::vector<std::int64_t> trials;  // none: about the study
  std::optional<std::string> text;   // none: show what there is
  bool clear = false;
};
struct TagArgs {
  std::vector<std::string> names;  // none: show what there is
  std::vector<std::int64_t> trials;
  bool remove = false;
};
struct BackupArgs {
  std::string output;
};
struct CheckArgs {
  std::string output;
};
struct PlotArgs {
  std::string kind = "all";
  std::string output;
  std::string shown;  // the output of the study that is drawn, by name; empty: the first
  std::vector<std::string> tags;
};
struct PlanArgs {
  PlanOptions options;
  std::optional<double> nu;
  bool matern = false;             // --kernel matern: --nu says which
  std::vector<std::string> given;  // options that a study file says by itself
  bool quick = false;
};
struct BenchArgs {
  BenchRequest request;
  int jobs = 0;
  std::string output, note;
  bool report = false;
};
struct DiagnoseArgs {
  DiagnoseOptions options;
  std::string output;
};
struct PoolArgs {
  std::string action;  // "build" or "info"
  std::string file;    // the library, or the pool
  std::string output;
  PoolBuildOptions build;
};
struct ScreenArgs {
  std::string library;  // or a pool
  PoolBuildOptions build;
  std::string command, lookup;
  std::optional<Direction> direction;
  std::optional<int> batch, workers;
  std::optional<std::int64_t> evaluations;
  std::optional<std::string> timeout;
  std::string output;  // OUTPUT.toml, OUTPUT.db and OUTPUT.pool
  RunArgs run;
};
struct StudyFileArgs {
  std::string key;  // empty: all
};
struct CompletionArgs {
  std::string shell;
};
using Args = std::variant<InitArgs, RunArgs, AskArgs, EnqueueArgs, TellArgs, ImportArgs, AmendArgs, StatusArgs, WatchArgs,
                          BestArgs, ExportArgs, NoteArgs, TagArgs, BackupArgs, CheckArgs, PlotArgs, PlanArgs, BenchArgs,
                          DiagnoseArgs, PoolArgs, ScreenArgs, StudyFileArgs, CompletionArgs>;

// Each returns the exit code; failures are exceptions, see main.cpp.
int execute(const Common& common, const InitArgs& args);
int execute(const Common& common, const RunArgs& args);
int execute(const Common& common, const AskArgs& args);
int execute(const Common& common, const EnqueueArgs& args);
int execute(const Common& common, const TellArgs& args);
int execute(const Common& common, const ImportArgs& args);
int execute(const Common& common, const AmendArgs& args);
int execute(const Common& common, const StatusArgs& args);
int execute(const Common& common, const WatchArgs& args);
int execute(const Common& common, const BestArgs& args);
int execute(const Common& common, const ExportArgs& args);
int execute(const Common& common, const NoteArgs& args);
int execute(const Common& common, const TagArgs& args);
int execute(const Common& common, const BackupArgs& args);
int execute(const Common& common, const CheckArgs& args);
int execute(const Common& common, const PlotArgs& args);
int execute(const Common& common, const PlanArgs& args);
int execute(const Common& common, const BenchArgs& args);
int execute(const Common& common, const DiagnoseArgs& args);
int execute(const Common& common, const PoolArgs& args);
int execute(const Common& common, const ScreenArgs& args);
int execute(const Common& common, const StudyFileArgs& args);
int execute(const Common& common, const CompletionArgs& args);

inline constexpr int kExitWorld = 1, kExitInput = 2, kExitAllFailed = 3, kExitInterrupted = 130, kExitReaderGone = 141;

}  // namespace salvo::app

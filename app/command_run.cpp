#include <fmt/core.h>
#include <salvo/error.h>
#include <salvo/run.h>
#include <salvo/threads.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "arguments.h"
#include "front_report.h"
#include "interrupt.h"
#include "json.h"
#include "live.h"
#include "output.h"
#include "plot/picture.h"
#include "progress.h"
#include "report.h"
#include "source.h"
#include "text.h"

namespace salvo::app {
namespace {

constexpr int kMaxReason = 200;  // letters

// Everything the end of a run has to say.
struct Ending {
  RunSummary run;
  std::vector<ShownPoint> best;  // recommended, raw best
  std::optional<ShownFront> front;
  std::optional<Regret> regret;
  Counts counts;
  Seconds seconds;
  double total = 0;
};

std::string_view name_of(RunEnd end) {
  switch (end) {
    case RunEnd::budget_spent:
      return "budget_spent";
    case RunEnd::stopped:
      return "stopped";
    case RunEnd::all_failed:
      return "all_failed";
    case RunEnd::machine_failed:
      return "machine_failed";
    case RunEnd::time_over:
      return "time_over";
    case RunEnd::target_reached:
      return "target_reached";
    case RunEnd::no_improvement:
      return "no_improvement";
  }
  return "";
}

std::string started_event(Study& study, const StudyFile& file) {
  const Counts counts = study.counts();
  return JsonObject()
      .add("event", "started")
      .add("study", study.options().name)
      .add("storage", study.path())
      .add("seed", study.options().seed)
      .add("batch", file.budget.batch)
      .add("budget", file.budget.evaluations)
      .add("evaluations", counts.done + counts.failed)
      .add("pending", counts.pending)
      .add("workers", file.objective.workers)
      .add("threads", num_threads())
      .line();
}

std::string recommended_json(const std::optional<Recommendation>& best, const Outputs& outputs) {
  if (!best) return "null";
  JsonObject out;
  const bool known = is_known({best->mean, best->stddev});
  out.add("trial", best->trial.id)
      .add("mean", known ? best->mean : std::nan(""))  // null
      .add("stddev", known ? best->stddev : std::nan(""));
  return has_names(outputs) ? out.add("feasible", best->feasible).add("allowed", best->allowed).text() : out.text();
}

std::string batch_event(const RunProgress& progress, const Outputs& outputs) {
  JsonObject out;
  out.add("event", "batch")
      .add("batch", progress.batch)
      .add("evaluations", progress.evaluations)
      .add("budget", progress.budget)
      .add("failed", progress.failed)
      .add("best", progress.best)
      .raw("recommended", recommended_json(progress.recommended, outputs))
      .add("seconds", progress.seconds)
      .add("rate", progress.rate)
      .raw("seconds_left", progress.seconds_left < 0 ? "null" : json_number(progress.seconds_left));
  if (progress.front) out.raw("front", front_json(*progress.front, outputs));
  return out.line();
}

std::string finished_event(const Ending& ending, Study& study) {
  const JsonObject seconds = JsonObject()
                                 .add("total", ending.total)
                                 .add("fit", ending.seconds.fit)
                                 .add("draw", ending.seconds.draw)
                                 .add("maximise", ending.seconds.maximise)
                                 .add("store", ending.seconds.store)
                                 .add("evaluating", ending.run.seconds_evaluating);
  JsonObject out;
  out.add("event", "finished")
      .add("evaluations", ending.counts.done + ending.counts.failed)
      .raw("recommended", point_json(recommended_among(ending.best), study.options()))
      .raw("observed_best", point_json(raw_among(ending.best), study.options()))
      .raw("regret", ending.regret ? json_number(ending.regret->regret) : "null")
      .raw("seconds", seconds.text())
      .add("end", name_of(ending.run.end))
      .add("message", ending.run.message)
      .add("reason", ending.run.reason.empty() ? std::optional<std::string>() : ending.run.reason)
      .add("failed", ending.counts.failed)
      .raw("run", JsonObject()
                      .add("evaluations", ending.run.outcomes)
                      .add("failed", ending.run.failures)
                      .add("last_failure", ending.run.failures > 0 ? std::optional(ending.run.last_failure) : std::nullopt)
                      .add("machine_failures", ending.run.machine_failures)
                      .add("left_by_machine", ending.run.left_by_machine)
                      .text())
      .add("storage", study.path());
  if (ending.front) out.raw("front", front_json(ending.front->front, study.options().outputs));
  return out.line();
}

std::string time_split(const Ending& ending) {
  const Seconds& s = ending.seconds;
  std::string text = fmt::format("{} in all:", duration(ending.total));
  const auto part = [&](const char* name, double seconds) { text += fmt::format(" {} {},", name, duration(seconds)); };
  part("fit", s.fit);
  part("draw", s.draw);
  part("maximise", s.maximise);
  part("store", s.store);
  part("evaluating", ending.run.seconds_evaluating);
  const double known = s.fit + s.draw + s.maximise + s.store + ending.run.seconds_evaluating;
  part("the rest", std::max(0.0, ending.total - known));
  text.pop_back();
  return text;
}

// The last words: why it ended early, and that many evaluations failed.
std::string last_lines(const Ending& ending) {
  std::string text;
  const RunSummary& run = ending.run;
  if (run.failures >= 5 && 10 * run.failures >= run.outcomes)
    text += fmt::format("{} of {} evaluations failed; the last: {}\n", count(run.failures), count(run.outcomes),
                        shorten(one_line(run.last_failure), kMaxReason));
  if (run.machine_failures > 0)
    text += fmt::format("The machine ended {}{}; the last: {}\n", plural(run.machine_failures, "attempt"),
                        run.left_by_machine > 0 ? fmt::format(", {} pending for it", plural(run.left_by_machine, "trial")) : "",
                        shorten(one_line(run.last_machine_failure), kMaxReason));
  if (!run.reason.empty()) text += fmt::format("Stopped: {}.\n", run.reason);
  return text;
}

std::string summary(const Ending& ending, Study& study, const std::optional<StudyFile>& file, const Common& common) {
  // A study that options moved to another store is found there only.
  const bool moved = !common.storage.empty() || !common.overrides.empty();
  const std::string given = shell_word(moved ? study.path() : common.study);
  std::string text = fmt::format("{}: {}", study.options().name, ending.run.message);
  text += text.ends_with('.') ? "\n\n" : ".\n\n";
  if (ending.front) {
    constexpr std::size_t kShown = 10;
    text += fmt::format("{}\n  front    {}\n", front_table(ending.front->front, study.options(), file, kShown),
                        front_words(ending.front->front, study.options().outputs));
  } else if (!ending.best.empty()) {
    text += points_table(ending.best, study.options(), file) + "\n";
  }
  if (!ending.best.empty() && !ending.best[0].allowed)
    text += fmt::format("  note     {}\n", nothing_allowed(study.options().outputs));
  if (ending.regret) {
    text += fmt::format("  regret   {} (true value at the recommended point minus the optimum {})\n",
                        number(ending.regret->regret, 3), number(ending.regret->optimum));
  }
  if (common.quiet) return text + last_lines(ending);
  text += fmt::format("  trials   {}, {} failed, {} pending\n", plural(ending.counts.done, "value"), count(ending.counts.failed),
                      count(ending.counts.pending));
  text += fmt::format("  time     {}\n  study    {}\n", time_split(ending), study.path());
  if (ending.run.end == RunEnd::stopped) {
    text += fmt::format("  resume   {}\n", common.command_line);
  } else if (!ending.best.empty() && study.path() != ":memory:") {
    text += fmt::format("  next     salvo best {}{}\n           salvo plot {} -o {}\n", given, ending.front ? "" : " --top 5",
                        given, shell_word(study.options().name + ".html"));
  }
  const std::string last = last_lines(ending);
  return text + (last.empty() ? "" : "\n" + last);
}

// The pictures come before the last line; when one fails, the run's result is still told.
bool draw(Source& source, const RunArgs& args, const Common& common, const RunSummary& run) {
  if (args.plots.empty() || source.study.counts().total() == 0) return true;
  try {
    plot::draw(source.study, source.file, "all", args.plots, plot::RunNote{.words = last_words(run)});
    return true;
  } catch (const Error& error) {
    print_error(fmt::format("salvo: {}\n", error.what()));
    if (common.json) print(JsonObject().add("event", "error").add("message", error.what()).line());
    return false;
  }
}

void check_runnable(const Source& source, const Common& common) {
  if (!source.file) {
    throw InputError(
        fmt::format("{} was not made from a study file, so how to evaluate a point is not known: write a study file "
                    "and run it with --storage {}, or use ask and tell",
                    common.study, common.study));
  }
  const ObjectiveOptions& objective = source.file->objective;
  if (objective.command.empty() && objective.builtin.empty() && objective.lookup.empty()) {
    throw InputError(
        fmt::format("{}: objective: expected command = \"…\" or builtin = \"…\" to run the study; without one use ask "
                    "and tell",
                    source.file->path));
  }
}

// A budget that the initial design spends alone is hardly what was meant.
void note_unused_model(Study& study, std::int64_t evaluations) {
  const StudyOptions& options = study.options();
  const int design = options.num_initial > 0 ? options.num_initial : options.batch;
  if (design < evaluations || info(options.method()).model == ModelUse::none || study.counts().done > 0) return;
  print_error(
      fmt::format("salvo: note: the initial design has {} points, so all {} evaluations are of it and the model chooses none. "
                  "Give budget.batch or budget.initial, a tenth of the evaluations or less\n",
                  count(design), count(evaluations)));
}

Budget budget_of(const StudyFile& file, const RunArgs& args) {
  Budget budget = file.budget;
  if (args.time) budget.time = *args.time;
  if (args.target) budget.target = args.target;
  if (args.patience) budget.patience = *args.patience;
  if (args.gain) budget.gain = *args.gain;
  return budget;
}

void tell_failing(const Failing& news, const std::function<void(const std::string&)>& emit, bool json) {
  print_error(fmt::format("salvo: {} of the last {} evaluations failed; the last: {}\n", count(news.failed), count(news.of),
                          shorten(one_line(news.reason), kMaxReason)));
  if (json)
    emit(JsonObject().add("event", "failing").add("failed", news.failed).add("of", news.of).add("reason", news.reason).line());
}

// In a study that has values a few failures do not end a run, but a run that brought nothing else is no success.
bool brought_nothing(const RunSummary& run) {
  return run.end != RunEnd::stopped && run.failures > 0 && run.failures == run.outcomes;
}

}  // namespace

int execute(const Common& common, const RunArgs& args) {
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& path : args.plots) {
    plot::check_target(path);
    check_output(common, path, "--plot");
  }
  Source source = open_for_work(common);
  check_runnable(source, common);
  if (!common.quiet) note_unused_model(source.study, source.file->budget.evaluations);
  if (common.json) print(started_event(source.study, *source.file));

  Interrupt interrupt;
  Progress display;
  bool reader_gone = false;
  const auto emit = [&](const std::string& line) {
    try {
      if (!reader_gone) print(line);
    } catch (const BrokenPipe&) {
      reader_gone = true;  // nobody listens: end as after Ctrl-C
      Interrupt::raise();
    }
  };
  RunOptions options;
  options.objective = source.file->objective;
  options.budget = budget_of(*source.file, args);
  options.stop = interrupt.flag();
  LivePages pages(source, args.plots);
  if (common.json || !common.quiet || pages.any()) {  // it has its price
    options.progress = [&](const RunProgress& progress) {
      if (common.json && progress.batch_done) emit(batch_event(progress, source.study.options().outputs));
      if (!common.json && !common.quiet) display.show(progress, source.file->budget.batch);
      pages.follow(progress);
    };
  }
  options.failing = [&](const Failing& news) {
    display.clear();
    tell_failing(news, emit, common.json);
  };
  if (common.json && args.trials) {
    const StudyOptions& of = source.study.options();
    options.finished = [&](const Trial& trial) {
      emit(JsonObject().add("event", "trial").raw("trial", to_json(trial, of.space(), of.outputs)).line());
    };
  }
  Ending ending;
  try {
    ending.run = run(source.study, options);
  } catch (const std::exception& error) {
    pages.end(fmt::format("The run has ended with an error: {}.", one_line(error.what())));
    throw;
  }
  display.clear();
  if (reader_gone) {
    pages.end(last_words(ending.run));
    return kExitReaderGone;
  }

  ending.best = best_points(source.study);
  ending.front = front_of(source.study, source.study.trials());
  if (!ending.best.empty()) ending.regret = regret_at(options.objective, ending.best[0].trial.params);
  ending.counts = source.study.counts();
  if (ending.counts.total() == 0 && pages.begun()) pages.end(last_words(ending.run));  // stopped before its first ask
  const bool drawn = draw(source, args, common, ending.run);
  ending.seconds = source.study.seconds();
  ending.total = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (ending.run.end == RunEnd::all_failed || ending.run.end == RunEnd::machine_failed) {
    print_error(fmt::format("salvo: {}\n", ending.run.message));
    if (common.json) print(finished_event(ending, source.study));
    return ending.run.end == RunEnd::all_failed ? kExitAllFailed : kExitWorld;
  }
  print(common.json ? finished_event(ending, source.study) : summary(ending, source.study, source.file, common));
  if (ending.run.end == RunEnd::stopped) return kExitInterrupted;
  if (brought_nothing(ending.run)) {
    print_error(fmt::format(
        "salvo: {} of this run failed, the last with: {}\n",
        ending.run.outcomes == 1 ? "the only evaluation" : fmt::format("all {} evaluations", count(ending.run.outcomes)),
        ending.run.last_failure));
    return kExitAllFailed;
  }
  return drawn ? 0 : kExitWorld;
}

}  // namespace salvo::app

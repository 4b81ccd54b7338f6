#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "json.h"
#include "progress.h"
#include "text.h"
#include "watch.h"

namespace salvo::app {
namespace {

constexpr std::size_t kFewReasons = 3, kFewWorkers = 5, kFewIds = 6, kFewQueued = 2, kFewTold = 5;
constexpr int kBarCells = 24, kWidestReason = 160;

// "process 4711 on lab3"; who asked by hand has no name.
std::string worker_words(const Worker& worker) {
  if (worker.owner.empty()) return "asked for by hand";
  std::istringstream words(worker.owner);
  std::string host, pid;
  if (!(words >> host >> pid)) return one_line(worker.owner);
  return one_line(
      fmt::format("process {} on {}{}", pid, host, worker.gone ? ", which is gone: the next run takes them over" : ""));
}

std::string point_words(const Params& params, const Source& source) {
  std::string text;
  const auto& parameters = source.study.space().parameters();
  for (std::size_t i = 0; i < params.size(); ++i) {
    const std::string& name = parameters[i].name;
    text += fmt::format("{}{}={}", i > 0 ? "  " : "", source.file ? source.file->label(name) : name, value_text(params[i]));
  }
  return one_line(text);
}

std::string ago(double then, double now) { return duration(std::max(0.0, now - then)); }

std::string progress_words(const WatchView& view) {
  const std::int64_t n = view.evaluations();
  std::string text;
  if (view.budget > 0) {
    const double share = static_cast<double>(n) / static_cast<double>(view.budget);
    text = fmt::format("{}▏ {:.0f}%  {} of {} evaluations", bar(share, kBarCells), 100 * share, count(n), count(view.budget));
  } else {
    text = plural(n, "evaluation");
  }
  if (view.pace.rate > 0) text += fmt::format(", {} per second lately", number(view.pace.rate, 3));
  if (view.seconds_left > 0) text += fmt::format(", left {}", duration(view.seconds_left));
  return text;
}

std::string failed_lines(const WatchView& view) {
  if (view.counts.failed == 0) return "";
  std::string text = fmt::format("  failed   {} of the last {}\n", count(view.failed), plural(view.of, "evaluation"));
  for (std::size_t i = 0; i < std::min(kFewReasons, view.reasons.size()); ++i)
    text += fmt::format("           {} × {}\n", count(view.reasons[i].count), shorten(view.reasons[i].reason, kWidestReason));
  if (view.reasons.size() > kFewReasons)
    text +=
        fmt::format("           and {}\n", plural(static_cast<std::int64_t>(view.reasons.size() - kFewReasons), "other reason"));
  return text;
}

std::string pending_lines(const WatchView& view, double now) {
  if (view.workers.empty())
    return view.end.empty() ? "  pending  nothing: the next batch is being computed, or nobody works on the study\n" : "";
  std::string text = fmt::format("  pending  {}\n", plural(view.counts.pending, "trial"));
  for (std::size_t i = 0; i < std::min(kFewWorkers, view.workers.size()); ++i) {
    const Worker& worker = view.workers[i];
    std::vector<std::string> ids;
    for (std::size_t k = 0; k < std::min(kFewIds, worker.trials.size()); ++k) ids.push_back(std::to_string(worker.trials[k]));
    if (worker.trials.size() > kFewIds) ids.emplace_back("…");
    text += fmt::format("           {}: {}, for {}{} (trial {})\n", worker_words(worker), count(std::ssize(worker.trials)),
                        worker.trials.size() > 1 ? "up to " : "", ago(worker.since, now), fmt::join(ids, ", "));
  }
  if (view.workers.size() > kFewWorkers) text += fmt::format("           and {} more\n", view.workers.size() - kFewWorkers);
  return text;
}

std::string queue_lines(const WatchView& view, const Source& source) {
  if (view.queue.empty()) return "";
  std::string text = fmt::format("  queue    {} to be tried next\n", plural(std::ssize(view.queue), "point"));
  for (std::size_t i = 0; i < std::min(kFewQueued, view.queue.size()); ++i)
    text += fmt::format("           {}\n", point_words(view.queue[i].params, source));
  return text;
}

std::string value_words(const Trial& trial, const Outputs& outputs) {
  const auto* values = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
  if (!values) return std::string(to_string(trial.state()));
  std::string text;
  for (std::size_t k = 0; k < values->outputs.size(); ++k)
    text += (k == 0 ? "" : "  ") + value_text(values->outputs[k], outputs[k]);
  return text;
}

// "±" and the model's word are in the table; this is the line one looks at.
std::string best_line(const WatchView& view, const Outputs& outputs) {
  if (view.front) return "";
  const ShownPoint *first = recommended_among(view.best), *raw = raw_among(view.best);
  const std::string seen = raw ? fmt::format("raw best {} (trial {})", value_words(raw->trial, outputs), count(raw->trial.id))
                               : nothing_allowed(outputs);
  if (!first) return raw ? fmt::format("  best     {}\n", seen) : "";
  const std::string sure = first->outputs.size() > 1 ? fmt::format(", feasible {:.0f}%", 100 * first->feasible) : "";
  return fmt::format("  best     recommended {} (trial {}{}), {}\n", with_error(*first->mean, *first->stddev),
                     count(first->trial.id), sure, seen);
}

std::string last_lines(const WatchView& view, const Source& source, double now, std::size_t most) {
  if (view.last.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(most, view.last.size()); ++i) {
    const Trial& trial = view.last[i];
    rows.push_back({count(trial.id), value_words(trial, source.study.options().outputs),
                    fmt::format("{} ago", ago(trial.told_at, now)), std::string(to_string(trial.source)),
                    point_words(trial.params, source)});
  }
  return "\n  The last outcomes\n" + columns(rows);
}

// Cut to what the screen has room for.
std::string fitted(const std::string& text, int most_columns, int most_rows) {
  if (most_columns <= 0 && most_rows <= 0) return text;
  std::string out;
  int rows = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const bool more = end + 1 < text.size();
    if (most_rows > 0 && ++rows == most_rows && more) return fmt::format("{}  …\n", out);
    const std::string line = text.substr(at, end - at);
    out += (most_columns > 0 ? shorten(line, most_columns) : line) + "\n";
    at = end + 1;
  }
  return out;
}

std::string workers_json(const WatchView& view) {
  std::vector<std::string> all;
  for (const Worker& worker : view.workers)
    all.push_back(JsonObject()
                      .add("owner", worker.owner)
                      .raw("trials", fmt::format("[{}]", fmt::join(worker.trials, ",")))
                      .add("since", worker.since)
                      .add("gone", worker.gone)
                      .text());
  return fmt::format("[{}]", fmt::join(all, ","));
}

std::string reasons_json(const WatchView& view) {
  std::vector<std::string> all;
  for (const FailureReason& each : view.reasons)
    all.push_back(JsonObject().add("reason", each.reason).add("count", each.count).text());
  return fmt::format("[{}]", fmt::join(all, ","));
}

}  // namespace

std::string watch_end_words(const WatchView& view) {
  if (view.end == "budget_spent")
    return fmt::format("The budget of {} is spent and nothing is pending.", plural(view.budget, "evaluation"));
  if (view.end == "nothing_left") return "Every candidate of the pool has been tried.";
  return "";
}

std::string watch_text(const WatchView& view, const Source& source, double now, int width, int height) {
  const StudyOptions& options = source.study.options();
  std::string text = fmt::format("{} ({}, {})\n\n", one_line(options.name), aims(options.outputs), date_time(now));
  text += fmt::format("  progress {}\n", progress_words(view));
  text += fmt::format("  trials   {} with a value, {} failed, {} abandoned, {} pending\n", count(view.counts.done),
                      count(view.counts.failed), count(view.counts.abandoned), count(view.counts.pending));
  text += best_line(view, options.outputs);
  if (view.front) text += front_lines(*view.front, options.outputs);
  text += failed_lines(view) + pending_lines(view, now) + queue_lines(view, source);
  text += fmt::format("  study    {}\n", source.study.path());
  text += last_lines(view, source, now, kFewTold);
  if (view.front)
    text += fmt::format("\n{}", front_table(view.front->front, options, source.file, 10));
  else if (!view.best.empty())
    text += fmt::format("\n{}", points_table(view.best, options, source.file));
  if (view.model_due) text += fmt::format("\n  model    {}\n", kNotLearned);
  return fitted(text, width, height);
}

std::string watch_json(const WatchView& view, const Source& source) {
  const StudyOptions& options = source.study.options();
  std::vector<std::string> last;
  for (std::size_t i = 0; i < std::min(kFewTold, view.last.size()); ++i)
    last.push_back(to_json(view.last[i], options.space(), options.outputs));
  JsonObject out;
  out.add("event", "watch")
      .add("study", source.study.options().name)
      .add("storage", source.study.path())
      .add("direction", aims(options.outputs))
      .raw("budget", view.budget >= 0 ? std::to_string(view.budget) : "null")
      .add("evaluations", view.evaluations())
      .add("done", view.counts.done)
      .add("failed", view.counts.failed)
      .add("abandoned", view.counts.abandoned)
      .add("pending", view.counts.pending)
      .add("queued", std::ssize(view.queue))
      .add("rate", view.pace.rate)
      .raw("seconds_left", view.seconds_left >= 0 ? json_number(view.seconds_left) : "null")
      .raw("last_outcome", view.pace.last > 0 ? json_number(view.pace.last) : "null")
      .raw("recommended", point_json(recommended_among(view.best), options))
      .raw("observed_best", point_json(raw_among(view.best), options))
      .add("model_due", view.model_due)
      .raw("failed_lately", JsonObject().add("failed", view.failed).add("of", view.of).raw("reasons", reasons_json(view)).text())
      .raw("workers", workers_json(view))
      .raw("last", fmt::format("[{}]", fmt::join(last, ",")))
      .add("end", view.end.empty() ? std::nullopt : std::optional(view.end));
  if (view.front) out.raw("front", front_json(view.front->front, options.outputs));
  return out.line();
}

}  // namespace salvo::app

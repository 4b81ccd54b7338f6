#include <fmt/format.h>
#include <salvo/encoding.h>
#include <salvo/importance.h>

#include <algorithm>

#include "arguments.h"
#include "front_report.h"
#include "history.h"
#include "json.h"
#include "output.h"
#include "pace.h"
#include "report.h"
#include "source.h"
#include "tagged.h"
#include "text.h"

namespace salvo::app {
namespace {

std::string local_json(const std::optional<ModelReport::Local>& local) {
  if (!local) return "null";
  return JsonObject()
      .add("share", local->share)
      .add("length", local->length)
      .add("turned", local->turned)
      .add("noise", local->noise)
      .text();
}

// Where it came from and, once there is a model, what it is worth.
std::string prior_json(const std::optional<PriorChange>& prior, const std::optional<ModelReport>& model) {
  if (!prior) return "null";
  JsonObject out;
  out.add("from", prior->from).add("trials", prior->num_trials);
  if (!model || !model->prior) return out.raw("points", "null").raw("slope", "null").raw("explained", "null").text();
  return out.add("points", model->prior->num_points)
      .add("slope", model->prior->slope)
      .add("explained", model->prior->explained)
      .text();
}

std::string prior_text(const PriorChange& prior, const std::optional<ModelReport>& model) {
  std::string worth;
  if (model && model->prior && model->prior->num_points == 0)
    worth = "; none of its points lies in the parameters as they are now";
  else if (model && model->prior)
    worth = fmt::format("; it explains {:.0f}% of the variance of the values, 1 there is {} here", 100 * model->prior->explained,
                        number(model->prior->slope, 3));
  return fmt::format("  prior    {} of {}, since {}{}\n", plural(prior.num_trials, "value"), shorten(one_line(prior.from), 60),
                     date_time(prior.at), worth);
}

std::string failing_json(const std::optional<ModelReport::Failing>& failing) {
  if (!failing) return "null";
  return JsonObject()
      .add("failures", failing->num_failures)
      .add("share", failing->share)
      .add("anywhere", failing->anywhere)
      .text();
}

std::string tags_json(const std::map<std::string, std::int64_t>& tagged) {
  JsonObject out;
  for (const auto& [name, trials] : tagged) out.add(name, trials);
  return out.text();
}

std::string tags_text(const std::map<std::string, std::int64_t>& tagged) {
  std::string text;
  for (const auto& [name, trials] : tagged)
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", name, plural(trials, "trial"));
  return fmt::format("  tags     {}\n", shorten(text, 200));
}

std::string model_json(const std::optional<ModelReport>& model) {
  if (!model) return "null";
  JsonObject scales;
  for (std::size_t i = 0; i < model->coordinates.size(); ++i) scales.add(model->coordinates[i], model->lengthscales[i]);
  return JsonObject()
      .add("observations", model->num_observations)
      .add("inducing", model->num_inducing)
      .add("kernel", model->kernel)
      .raw("lengthscales", scales.text())
      .add("signal_stddev", model->signal_stddev)
      .add("noise_stddev", model->noise_stddev)
      .add("mean", model->mean)
      .add("theta_over_tau", model->theta_over_tau)
      .add("jitter", model->jitter)
      .add("type", to_string(model->type))
      .add("features", model->num_features)
      .add("alpha", model->alpha)
      .add("captured", model->captured)
      .raw("fit", JsonObject()
                      .add("message", model->fit.message)
                      .add("evaluations", model->fit.num_evaluations)
                      .add("bound", model->fit.bound)
                      .add("jitter", model->fit.jitter)
                      .text())
      .add("sizes", model->sizes)
      .add("transform", to_string(model->transform))
      .raw("local", local_json(model->local))
      .raw("failing", failing_json(model->failing))
      .text();
}

std::string importance_json(const Importance* found) {
  if (!found) return "null";
  JsonObject out;
  for (const ParameterImportance& each : found->parameters)
    out.raw(each.name, JsonObject()
                           .add("total", each.total.value)
                           .add("total_stddev", each.total.stddev)
                           .add("first", each.first.value)
                           .add("first_stddev", each.first.stddev)
                           .text());
  return out.text();
}

// "catalyst 52% ± 3%, temperature 31% ± 2%": those that matter, five at most.
std::string importance_text(const Importance& found, const std::optional<StudyFile>& file) {
  std::string text;
  std::size_t shown = 0;
  for (const ParameterImportance& each : found.parameters) {
    if (shown == 5 || (shown > 0 && each.total.value < 0.01)) break;
    text += fmt::format("{}{} {:.0f}% ± {:.0f}%", shown > 0 ? ", " : "", shorten(file ? file->label(each.name) : each.name, 30),
                        100 * each.total.value, 100 * each.total.stddev);
    ++shown;
  }
  if (shown < found.parameters.size())
    text += fmt::format("; {} less", plural(static_cast<std::int64_t>(found.parameters.size() - shown), "other"));
  return fmt::format("  matters  {} (shares of the variance over the space, interactions included)\n", text);
}

// Conditions as they are written, the numbers that follow, and how much of the box is left.
std::string where_json(const Space& space, double share) {
  std::vector<std::string> following;
  for (int i = 0; i < static_cast<int>(space.parameters().size()); ++i)
    if (space.follows(i)) following.push_back(space.parameters()[static_cast<std::size_t>(i)].name);
  return JsonObject().raw("conditions", json_list(space.where())).raw("follow", json_list(following)).add("share", share).text();
}

std::string where_text(const Space& space, double share) {
  constexpr std::size_t kShown = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, space.where().size()); ++i)
    text += fmt::format("  {}    {}\n", i == 0 ? "where" : "     ", shorten(one_line(space.where()[i]), 100));
  if (space.where().size() > kShown)
    text += fmt::format("           and {} more (--json shows all)\n", space.where().size() - kShown);
  std::string following;
  for (int i = 0; i < static_cast<int>(space.parameters().size()); ++i)
    if (space.follows(i)) following += (following.empty() ? "" : ", ") + space.parameters()[static_cast<std::size_t>(i)].name;
  if (!following.empty()) text += fmt::format("           from the others by an equality: {}\n", shorten(following, 100));
  if (share == 0)
    text += "           the conditions leave so little of the box that no random point of it keeps them\n";
  else if (share < 0.01)
    text += fmt::format("           the conditions leave {}% of the box\n", number(100 * share, 2));
  return text;
}

std::string model_text(const ModelReport& model, const std::optional<StudyFile>& file) {
  if (model.num_observations == 0) return "  model    none: nobody has measured it yet\n";
  std::string text =
      fmt::format("  model    {}, kernel {}, {} inducing {}", plural(model.num_observations, "observation"), model.kernel,
                  count(model.num_inducing), model.type == ModelType::inducing_points ? "points" : "features");
  if (model.num_features > 0)
    text += fmt::format(", {} features a path, α {}", count(model.num_features), number(model.alpha, 3));
  text += "\n";
  if (model.local)
    text +=
        fmt::format("           around the best point: {:.0f}% of a batch, within {} of the box{}\n", 100 * model.local->share,
                    number(model.local->length, 2), model.local->turned ? ", along axes of its own" : "");
  if (model.failing && model.failing->anywhere)
    text += fmt::format("           {}, which have nothing to do with the point: nothing is learned from them (model.failures)\n",
                        plural(model.failing->num_failures, "failure"));
  else if (model.failing)
    text += fmt::format("           {} to learn from: expects more in {:.0f}% of the space (model.failures)\n",
                        plural(model.failing->num_failures, "failure"), 100 * model.failing->share);
  if (!model.fit.message.empty())
    text += fmt::format("           fit: {} ({}, jitter {})\n", model.fit.message,
                        plural(model.fit.num_evaluations, "evaluation"), number(model.fit.jitter, 2));
  if (model.transform == Transform::squeeze)
    text += "           values span decades: those worse than the median are seen logarithmically (model.transform)\n";
  if (!model.sizes.empty()) text += fmt::format("           sizes: {}\n", model.sizes);
  if (model.captured < 0.99)
    text += fmt::format(
        "           the eigenfunctions of a path carry {:.0f}% of the prior's variance: use more, or inducing "
        "points with Fourier features\n",
        100 * model.captured);
  text += fmt::format("           signal {}, noise {} (standard deviations), mean {}, θ/τ {}, jitter {}\n",
                      number(model.signal_stddev), number(model.noise_stddev), number(model.mean),
                      number(model.theta_over_tau, 3), number(model.jitter, 2));
  const std::vector<std::string>& names = model.coordinates;
  if (!names.empty()) text += "           length-scales, shortest first:\n";
  std::vector<std::pair<double, std::string>> scales;
  for (std::size_t i = 0; i < names.size(); ++i) scales.emplace_back(model.lengthscales[i], coordinate_label(file, names[i]));
  std::stable_sort(scales.begin(), scales.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(kShown, scales.size()); ++i) {
    text += fmt::format("             {}  {}\n", pad(number(scales[i].first, 3), 8), shorten(scales[i].second, 40));
  }
  if (scales.size() > kShown) text += fmt::format("             and {} more (--json shows all)\n", scales.size() - kShown);
  return text;
}

}  // namespace

int execute(const Common& common, const StatusArgs&) {
  Source source = open_to_look(common);
  Study& study = source.study;
  const StudyOptions& options = study.options();
  const Counts counts = study.counts();
  const std::vector<Trial> trials = study.trials();
  const Pace now = pace(trials);
  const Failures failing = failures(trials);
  const bool unlearned = study.learning_is_long();  // a question is answered at once, with what there is
  const std::vector<ShownPoint> best = unlearned ? raw_best(study) : best_points(study);
  const std::vector<ModelReport> models = unlearned ? std::vector<ModelReport>() : study.model_reports();
  const std::optional<ModelReport> model = models.empty() ? std::nullopt : std::optional(models[0]);
  const std::optional<ShownFront> front = unlearned ? std::nullopt : front_of(study, trials);
  const bool shared = model && !options.pool();
  const bool conditions = !options.pool() && !options.space().where().empty();
  const double share = conditions ? Encoding(options.space()).share() : 1;
  const Importance shares = shared ? importance(study) : Importance();
  const std::vector<Amendment> amended = study.amendments();
  const std::vector<SpaceChange> changed = study.space_changes();
  const auto outside = std::count_if(trials.begin(), trials.end(), [](const Trial& trial) { return trial.outside; });
  const std::map<std::string, std::int64_t> tagged = num_tagged(study.tags());
  const auto queued = std::ssize(study.queue());
  const std::optional<PriorChange> prior = study.prior();
  const std::int64_t budget = source.file ? source.file->budget.evaluations : -1;  // −1: not known

  if (common.json) {
    JsonObject out;
    out.add("event", "status")
        .add("study", options.name)
        .add("storage", study.path())
        .add("direction", aims(options.outputs))
        .add("seed", options.seed)
        .add("method", to_string(options.method()))
        .raw("budget", budget >= 0 ? std::to_string(budget) : "null")
        .add("done", counts.done)
        .add("failed", counts.failed)
        .add("abandoned", counts.abandoned)
        .add("pending", counts.pending)
        .add("queued", queued)
        .raw("failed_lately", JsonObject().add("failed", failing.lately).add("of", failing.of).text())
        .add("last_failure", counts.failed > 0 ? std::optional(failing.last) : std::nullopt)
        .add("rate", now.rate)
        .raw("last_outcome", now.last > 0 ? json_number(now.last) : "null")
        .raw("recommended", point_json(recommended_among(best), options))
        .raw("observed_best", point_json(raw_among(best), options))
        .raw("model", model_json(model))
        .raw("prior", prior_json(prior, model))
        .raw("importance", importance_json(shared ? &shares : nullptr))
        .add("model_due", unlearned)
        .add("amended", std::ssize(amended))
        .add("space_changes", std::ssize(changed))
        .add("outside", static_cast<std::int64_t>(outside))
        .raw("tags", tags_json(tagged));
    if (conditions) out.raw("where", where_json(options.space(), share));
    if (has_names(options.outputs)) out.raw("outputs", outputs_json(options.outputs, trials));
    if (has_names(options.outputs)) out.add("feasible", feasible_share(options.outputs, trials));
    if (front) out.raw("front", front_json(front->front, options.outputs)).raw("hypervolumes", growth_json(front->growth));
    if (models.size() > 1) {
      JsonObject all;
      for (const ModelReport& each : models) all.raw(each.output, model_json(each));
      out.raw("models", all.text());
    }
    print(out.line());
    return 0;
  }
  std::string text = fmt::format("{} ({}, seed {})\n\n", one_line(options.name), aims(options.outputs), options.seed);
  const std::string of = budget >= 0 ? fmt::format(" of {}", count(budget)) : "";
  text += fmt::format("  trials   {}{} evaluations: {} with a value, {} failed; {} abandoned, {} pending\n",
                      count(counts.done + counts.failed), of, count(counts.done), count(counts.failed), count(counts.abandoned),
                      count(counts.pending));
  if (const std::string remark = study.note(kRemark).value_or(""); !remark.empty())
    text += fmt::format("  note     {}\n", shorten(one_line(remark), 100));
  if (!tagged.empty()) text += tags_text(tagged);
  if (queued > 0) text += fmt::format("  queue    {} to be tried next (salvo enqueue --list)\n", plural(queued, "point"));
  if (prior) text += prior_text(*prior, model);
  if (!amended.empty())
    text += fmt::format("  amended  {}, last trial {}: {} → {}{}\n", plural(std::ssize(amended), "outcome"), amended.back().id,
                        in_words(amended.back().before, options.outputs), in_words(amended.back().after, options.outputs),
                        amended.back().reason.empty() ? "" : fmt::format(" ({})", shorten(one_line(amended.back().reason), 60)));
  if (!changed.empty())
    text += fmt::format("  space    changed {}, last on {}: {}\n",
                        changed.size() == 1 ? "once" : plural(std::ssize(changed), "time"), date_time(changed.back().at),
                        shorten(one_line(fmt::format("{}", fmt::join(changed.back().words, "; "))), 120));
  if (outside > 0)
    text += fmt::format("  outside  {} {} outside the parameters as they are now: history, without a say in the model\n",
                        plural(outside, "trial"), outside == 1 ? "lies" : "lie");
  if (counts.failed > 0)
    text += fmt::format("  failed   {} of the last {}; the last: {}\n", count(failing.lately), plural(failing.of, "evaluation"),
                        shorten(one_line(failing.last), 200));
  if (now.last > 0) text += fmt::format("  last     {}\n", date_time(now.last));
  if (now.rate > 0) text += fmt::format("  rate     {} evaluations per second lately\n", number(now.rate, 3));
  text += fmt::format("  study    {}\n", study.path());
  if (conditions) text += where_text(options.space(), share);
  if (const Pool* pool = options.pool()) {
    text += fmt::format("  pool     {}: {}, {} left\n", pool->path(), plural(pool->size(), "candidate"),
                        count(static_cast<std::int64_t>(study.num_left())));
  }
  if (has_names(options.outputs)) text += outputs_text(options.outputs, trials);
  if (front) {
    constexpr std::size_t kShown = 10;
    text += fmt::format("{}\n{}", front_lines(*front, options.outputs), front_table(front->front, options, source.file, kShown));
  } else if (!best.empty()) {
    text += fmt::format("\n{}", points_table(best, options, source.file));
  }
  if (!best.empty() && !best[0].allowed) text += fmt::format("  note     {}\n", nothing_allowed(options.outputs));
  if (shared) text += fmt::format("\n{}", importance_text(shares, source.file));
  for (const ModelReport& each : models)
    text += fmt::format("\n{}{}", models.size() > 1 ? fmt::format("  of       {}\n", each.output) : "",
                        model_text(each, source.file));
  if (unlearned) text += fmt::format("\n  model    {}\n", kNotLearned);
  print(text);
  return 0;
}

}  // namespace salvo::app

#include "plan_study.h"

#include <fmt/format.h>
#include <salvo/encoding.h>
#include <salvo/error.h>
#include <salvo/forecast.h>
#include <salvo/threads.h>

#include <algorithm>
#include <cmath>

#include "json.h"
#include "output.h"
#include "source.h"
#include "text.h"

namespace salvo::app {
namespace {

constexpr double kSeconds = 8, kQuickSeconds = 2;

std::string bytes_text(double size) {
  if (size < 1e6) return fmt::format("{} kB", number(size / 1e3, 3));
  return size < 1e9 ? fmt::format("{} MB", number(size / 1e6, 3)) : fmt::format("{} GB", number(size / 1e9, 3));
}

// What the theory says of the study's own m and M; a pool has no such theory.
std::optional<Plan> theory_of(const StudyFile& file, PlanOptions options) {
  const auto* search = std::get_if<SpaceSearch>(&file.study.search);
  if (!search) return std::nullopt;
  options.kernel = joint(search->model.kernel.value_or(KernelType::matern52));
  options.num_dims = std::clamp(Encoding(search->space).num_dims(), 1, 100);
  options.batch = file.budget.batch;
  options.steps = std::max<std::int64_t>(1, (file.budget.evaluations + options.batch - 1) / options.batch);
  if (search->model.num_inducing > 0) options.num_inducing = search->model.num_inducing;
  if (search->model.num_features > 0) options.num_features = search->model.num_features;
  if (search->model.num_candidates > 0) options.num_candidates = search->model.num_candidates;
  return plan(options);
}

// The rule of the study's kind of model.
const RulePlan& rule_of(const StudyFile& file, const Plan& theory) {
  const auto& model = std::get<SpaceSearch>(file.study.search).model;
  return theory.rules.at(model.type == ModelType::inducing_points ? 0 : 1);
}

bool suffices(const RulePlan& rule, const PlanOptions& options) {
  return rule.m <= options.num_inducing && rule.M <= options.num_features;
}

std::string sizes_words(const StudyFile& file, const Plan& theory) {
  const RulePlan& rule = rule_of(file, theory);
  const PlanOptions& o = theory.options;
  const auto size = [](double x) {
    return std::isinf(x) ? "no number" : x < 1e9 ? count(static_cast<std::int64_t>(x)) : number(x, 2);
  };
  std::string text = fmt::format("  theory   m = {}, M = {}: ", count(o.num_inducing), count(o.num_features));
  if (suffices(rule, o))
    return text + fmt::format("they suffice for κ ≤ {} (needed: {} and {})\n", number(o.kappa, 2), size(rule.m), size(rule.M));
  if (std::isinf(rule.m))
    text += fmt::format("by the paper's theory no number is enough for κ ≤ {} with this kernel in {} dimensions",
                        number(o.kappa, 2), count(o.num_dims));
  else
    text += fmt::format("for κ ≤ {} the paper's theory asks for m = {} and M = {}{}", number(o.kappa, 2), size(rule.m),
                        size(rule.M), rule.more_than_data ? ", more than there will be observations" : "");
  return text +
         fmt::format(
             ".\n           That is usual and does not keep samples from being good (docs/theory.md). What they are on your "
             "values\n           says, after a run: salvo diagnose {}\n",
             shell_word(file.path));
}

std::string rests_on(const Forecast& made) {
  if (made.whole()) return fmt::format("the whole run, rehearsed in memory with made-up values in {}", duration(made.measuring));
  return fmt::format(
      "{} of {} evaluations, rehearsed in memory with made-up values, and larger studies of up to {} observations; "
      "measured for {} with {}",
      count(made.rehearsed), count(made.evaluations), count(made.largest), duration(made.measuring),
      plural(num_threads(), "thread"));
}

std::string forecast_text(const StudyFile& file, const Forecast& made, const std::optional<Plan>& theory) {
  std::string text =
      fmt::format("Plan of {}: {} in {} of {}\n\n", one_line(file.study.name), plural(made.evaluations, "evaluation"),
                  made.batches == 1 ? "1 batch" : fmt::format("{} batches", count(made.batches)), count(made.batch));
  text += fmt::format("  time     {} of Salvo's own, beside the evaluations: learning {}, choosing {}, storing {}\n",
                      duration(made.seconds()), duration(made.learning), duration(made.choosing), duration(made.storing));
  if (made.storing_one_by_one > 2 * made.storing)
    text += fmt::format("           (storing {} where outcomes come one by one)\n", duration(made.storing_one_by_one));
  text += fmt::format("           a batch takes {} on average and {} at most; the model is fitted {} times\n",
                      duration(made.mean_batch), duration(made.longest_batch), count(made.num_fits));
  text += fmt::format("  memory   {} at most\n", bytes_text(made.memory));
  text += fmt::format("  disk     {} ({} a trial), and the log beside it while the study is open\n", bytes_text(made.disk),
                      bytes_text(made.bytes_per_trial));
  if (made.num_inducing > 0)
    text += fmt::format("  model    m = {} and M = {} at {} observations; θ/τ {} there, for the made-up values\n",
                        count(made.num_inducing), count(made.num_features), count(made.model_observations),
                        number(made.theta_over_tau, 3));
  if (theory) text += sizes_words(file, *theory);
  return text + fmt::format("\n  It rests on {}.\n", rests_on(made));
}

std::string measured_json(const Forecast& made) {
  std::vector<std::string> all;
  constexpr const char* kKinds[] = {"nothing", "points", "all"};
  for (const MeasuredAsk& ask : made.measured)
    all.push_back(JsonObject()
                      .add("observations", ask.observations)
                      .add("learned", kKinds[static_cast<int>(ask.kind)])
                      .add("learning", ask.learning)
                      .add("choosing", ask.choosing)
                      .text());
  return fmt::format("[{}]", fmt::join(all, ","));
}

std::string theory_json(const StudyFile& file, const std::optional<Plan>& theory) {
  if (!theory) return "null";
  const RulePlan& rule = rule_of(file, *theory);
  return JsonObject()
      .add("kernel", to_string(theory->options.kernel))
      .add("dims", theory->options.num_dims)
      .add("inducing", theory->options.num_inducing)
      .add("features", theory->options.num_features)
      .add("kappa", theory->options.kappa)
      .add("m", rule.m)
      .add("M", rule.M)
      .add("suffice", suffices(rule, theory->options))
      .text();
}

std::string forecast_json(const StudyFile& file, const Forecast& made, const std::optional<Plan>& theory) {
  return JsonObject()
      .add("event", "forecast")
      .add("study", file.study.name)
      .add("evaluations", made.evaluations)
      .add("batch", made.batch)
      .add("batches", made.batches)
      .raw("seconds", JsonObject()
                          .add("total", made.seconds())
                          .add("learning", made.learning)
                          .add("choosing", made.choosing)
                          .add("storing", made.storing)
                          .add("storing_one_by_one", made.storing_one_by_one)
                          .add("mean_batch", made.mean_batch)
                          .add("longest_batch", made.longest_batch)
                          .text())
      .add("fits", made.num_fits)
      .add("memory", made.memory)
      .add("base_memory", made.base_memory)
      .add("disk", made.disk)
      .add("bytes_per_trial", made.bytes_per_trial)
      .add("inducing", made.num_inducing)
      .add("features", made.num_features)
      .add("theta_over_tau", made.theta_over_tau)
      .raw("theory", theory_json(file, theory))
      .raw("rests_on", JsonObject()
                           .add("whole", made.whole())
                           .add("rehearsed", made.rehearsed)
                           .add("largest", made.largest)
                           .add("seconds", made.measuring)
                           .add("threads", num_threads())
                           .raw("asks", measured_json(made))
                           .text())
      .line();
}

}  // namespace

int plan_study(const Common& common, const PlanArgs& args) {
  if (!args.given.empty())
    throw InputError(
        fmt::format("{}: the study file says that itself; override a key of it with --set, as --set "
                    "model.num_inducing=250 (salvo study-file names them)",
                    args.given.front()));
  if (names_store(common.study))
    throw InputError(
        fmt::format("{}: expected a study file (.toml), got the store of a study. salvo status says how far it is, salvo "
                    "watch how long it will take yet",
                    common.study));
  StudyFile file = read_study_file(common.study, common.overrides);
  if (common.seed) file.study.seed = *common.seed;
  const std::optional<Plan> theory = theory_of(file, args.options);
  const Forecast made =
      forecast(file.study, {.evaluations = file.budget.evaluations, .seconds = args.quick ? kQuickSeconds : kSeconds});
  print(common.json ? forecast_json(file, made, theory) : forecast_text(file, made, theory));
  return 0;
}

}  // namespace salvo::app

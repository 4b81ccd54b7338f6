#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "arguments.h"
#include "import_plan.h"
#include "json.h"
#include "output.h"
#include "source.h"
#include "text.h"

namespace salvo::app {
namespace {

// Nothing of what was there before is lost: --history has it.
void import_prior(const Common& common, Study& study, const OldStudy& old, const ImportPlan& plan) {
  std::vector<Values> values;
  for (const Outcome& outcome : plan.outcomes) values.push_back(std::get<Values>(outcome));
  if (values.size() < 2)
    throw InputError(
        fmt::format("{}: expected at least two trials with a value that are points of the study in {}, got {}; nothing "
                    "was imported",
                    old.from, study.path(), values.size()));
  std::error_code unknown;
  if (std::filesystem::equivalent(old.storage, study.path(), unknown))
    throw InputError(fmt::format("{}: expected another study, got this one: its values are known to it", old.from));
  const std::optional<PriorChange> before = study.prior();
  study.set_prior(plan.points, values, old.from);
  if (common.json) {
    print(JsonObject()
              .add("event", "prior")
              .add("from", old.from)
              .add("taken", std::ssize(values))
              .add("failed", plan.num_failed)
              .add("left_out", std::ssize(plan.left_out) + old.num_without + old.num_outside)
              .add("replaced", before ? std::optional(before->from) : std::nullopt)
              .line());
  } else if (!common.quiet) {
    print(fmt::format("The prior is {} of {}{}. The next ask learns how much it is worth; salvo status says it.\n",
                      plural(std::ssize(values), "value"), one_line(old.from),
                      before ? fmt::format(", in place of what came from {}", one_line(before->from)) : ""));
  }
}

int remove_prior(const Common& common, const ImportArgs& args) {
  if (!args.old.empty() || !args.fill.empty() || !args.keep.empty() || !args.drop.empty() || args.prior)
    throw InputError("--remove-prior: expected nothing else, got an OLD study or options of it");
  Source source = open_for_work(common);
  const std::vector<PriorChange> all = source.study.priors();  // what cannot be read is removed as well
  if (!source.study.remove_prior())
    throw InputError(fmt::format("--remove-prior: the study in {} has no prior; nothing was changed", source.study.path()));
  if (common.json)
    print(JsonObject().add("event", "prior_removed").add("from", all.back().from).line());
  else if (!common.quiet)
    print(fmt::format("The study expects nothing any more: the prior from {} is gone. The next ask learns anew.\n",
                      one_line(all.back().from)));
  return 0;
}

void say(const OldStudy& old, const ImportPlan& plan) {
  std::string text;
  for (const std::string& note : plan.notes) text += fmt::format("salvo: note: {}\n", one_line(note));
  if (old.num_without > 0)
    text += fmt::format("salvo: note: {} of {} {} no outcome; left out\n", plural(old.num_without, "trial"), old.from,
                        old.num_without == 1 ? "has" : "have");
  if (old.num_outside > 0)
    text += fmt::format("salvo: note: {} of {} {} outside its own parameters as they are now; left out\n",
                        plural(old.num_outside, "trial"), old.from, old.num_outside == 1 ? "lies" : "lie");
  if (!plan.left_out.empty()) {
    text += fmt::format("salvo: note: {} no {} of this study; left out:\n",
                        plan.left_out.size() == 1 ? "1 trial is" : count(std::ssize(plan.left_out)) + " trials are",
                        plan.left_out.size() == 1 ? "point" : "points");
    constexpr std::size_t kShown = 10;
    for (std::size_t i = 0; i < std::min(kShown, plan.left_out.size()); ++i)
      text += fmt::format("  {}\n", one_line(plan.left_out[i]));
    if (plan.left_out.size() > kShown)
      text += fmt::format("  and {} more\n", count(static_cast<std::int64_t>(plan.left_out.size() - kShown)));
  }
  if (!text.empty()) print_error(text);
}

}  // namespace

int execute(const Common& common, const ImportArgs& args) {
  if (args.remove_prior) return remove_prior(common, args);
  if (args.old.empty())
    throw InputError("import: OLD: expected the other study, its store, its study file or an export, got nothing");
  const OldStudy old = read_old_study(args.old, args.format, outputs_of(common));
  Source source = open_for_work(common);
  Study& study = source.study;
  if (study.options().pool())
    throw InputError(
        fmt::format("import: expected a study of parameters, got one over a pool: salvo tell {} takes candidates and values",
                    shell_word(common.study)));
  if (old.trials.empty())
    throw InputError(fmt::format("{}: expected at least one trial with a value or a failure, got none", old.from));
  ImportPlan plan;
  study.exclusively([&] {  // who imports the same beside it finds it known
    plan = plan_import(study, old, args);
    if (!common.quiet) say(old, plan);
    if (plan.points.empty() && !args.prior)
      throw InputError(plan.num_known > 0
                           ? fmt::format("{}: {} in the study already, with the same outcome; nothing was imported", old.from,
                                         plan.num_known == 1 ? "its trial is" : fmt::format("all {} trials are", plan.num_known))
                           : fmt::format("{}: none of its {} trials is a point of the study in {}; nothing was imported",
                                         old.from, old.trials.size(), study.path()));
    if (args.prior) return;
    const std::vector<std::int64_t> ids = study.add(plan.points, plan.outcomes);
    Tags tags;
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (!plan.tags[i].empty()) tags[ids[i]] = plan.tags[i];
    if (!tags.empty()) study.tag(tags);
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (!plan.remarks[i].empty()) study.annotate(ids[i], plan.remarks[i]);
  });
  if (args.prior) {  // learned where no ask waits for it
    import_prior(common, study, old, plan);
    return 0;
  }
  const auto failures = std::count_if(plan.outcomes.begin(), plan.outcomes.end(),
                                      [](const Outcome& outcome) { return std::holds_alternative<Failure>(outcome); });
  const std::int64_t taken = std::ssize(plan.points);
  if (common.json) {
    print(JsonObject()
              .add("event", "imported")
              .add("from", old.from)
              .add("taken", taken)
              .add("values", taken - failures)
              .add("failed", static_cast<std::int64_t>(failures))
              .add("known", plan.num_known)
              .add("left_out", std::ssize(plan.left_out) + old.num_without + old.num_outside)
              .line());
  } else if (!common.quiet) {
    std::string text =
        fmt::format("Imported {} from {}: {}", plural(taken, "trial"), old.from, plural(taken - failures, "value"));
    if (failures > 0) text += fmt::format(", {}", plural(failures, "failure"));
    if (plan.num_known > 0)
      text += fmt::format("; {} known already", plan.num_known == 1 ? "1 was" : count(plan.num_known) + " were");
    print(text + ".\n");
  }
  return 0;
}

}  // namespace salvo::app

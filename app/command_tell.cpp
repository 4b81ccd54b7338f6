#include <fmt/core.h>
#include <salvo/error.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "arguments.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "sheet.h"
#include "source.h"
#include "tell_plan.h"
#include "text.h"
#include "text/encoding.h"
#include "text/numbers.h"
#include "text/text.h"

namespace salvo::app {
namespace {

struct Taken {
  std::int64_t values = 0, failed = 0, abandoned = 0, added = 0, as_measured = 0, told_before = 0, open = 0;
  std::vector<std::string> kept{}, left_out{};
  [[nodiscard]] std::int64_t outcomes() const { return values + failed + abandoned + added + as_measured; }
};

// Of the columns of somebody's own those of which something was taken: a row that was told before, or failed, leaves nothing.
std::vector<std::string> kept_of(const TellPlan& plan, const std::vector<std::string>& names) {
  std::set<std::string> there;
  const auto look = [&](const Values& values) {
    for (const auto& [name, value] : values.others) there.insert("measured." + name);
    for (const auto& [name, text] : values.said) there.insert("said." + name);
  };
  for (const Values& values : plan.values) look(values);
  for (const Told& told : plan.outcomes)
    if (const auto* values = std::get_if<Values>(&told.outcome)) look(*values);
  std::vector<std::string> out;
  std::copy_if(names.begin(), names.end(), std::back_inserter(out),
               [&](const std::string& name) { return there.contains(name); });
  return out;
}

void count_outcomes(const TellPlan& plan, Taken& taken) {
  for (const Told& told : plan.outcomes)
    ++(std::holds_alternative<Values>(told.outcome)      ? taken.values
       : std::holds_alternative<Abandoned>(told.outcome) ? taken.abandoned
                                                         : taken.failed);
  taken.abandoned -= plan.num_closed;
}

// Of several outputs those of which no row says anything: forgotten, most likely, or not measured yet.
void note_untold(const std::vector<ToldRow>& rows, const Outputs& outputs) {
  std::string names;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const bool told = std::any_of(rows.begin(), rows.end(), [&](const ToldRow& row) {
      const auto* values = std::get_if<Values>(&row.outcome);
      return !values || !std::isnan(values->outputs[k]);
    });
    if (!told) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", outputs[k].name);
  }
  if (rows.empty() || names.empty()) return;
  print_error(fmt::format("salvo: note: no row says anything of {}: not measured\n", names));
}

// Of the sheet: " \"value\"", or "s \"yield\" or \"purity\"".
std::string column_words(const Outputs& outputs) {
  std::vector<std::string_view> names;
  for (const salvo::Output& output : outputs) names.push_back(output.name);
  return (names.size() == 1 ? " " : "s ") + listed(names);
}

Taken tell_file(Study& study, const Common& common, const TellArgs& args) {
  const std::string path = args.input == "-" ? "standard input" : args.input, text = to_utf8(read_input(args.input), path);
  const Format format = args.format.value_or(guess_format(args.input, text));
  Mistakes mistakes(path);
  const ToldFile file = parse_records(text, path, study.space(), format, &mistakes, study.options().outputs);
  const TellRules rules{.study = common.study, .file = args.input, .again = args.again, .as_measured = args.as_measured};
  TellPlan plan;
  const auto take = [&] {
    plan = plan_tell(study, file, rules, mistakes);
    if (file.rows.empty())
      throw InputError(file.num_open == 0
                           ? fmt::format("{}: expected at least one row with an outcome, got none", path)
                           : fmt::format("{}: expected at least one row with an outcome, got none: {} no value yet; fill in the "
                                         "column{}",
                                         path,
                                         file.num_open == 1 ? "its row has" : fmt::format("its {} rows have", file.num_open),
                                         column_words(study.options().outputs)));
    if (!common.quiet && study.options().outputs.size() > 1) note_untold(file.rows, study.options().outputs);
    // Several transactions: the points first, since a file told again finds them, and then closes the trials that they belong to.
    // Tags and notes come last: they go with what was taken, and a file told again finds those that are missing.
    Tags tags = plan.tags;
    std::map<std::int64_t, std::string> notes = plan.notes;
    if (!plan.points.empty()) {
      const std::vector<std::int64_t> ids = study.add(plan.points, plan.values);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!plan.point_tags[i].empty()) tags[ids[i]] = plan.point_tags[i];
        if (!plan.point_notes[i].empty()) notes[ids[i]] = plan.point_notes[i];
      }
    }
    if (!plan.outcomes.empty()) study.tell(plan.outcomes);
    if (!tags.empty()) study.tag(tags);
    for (const auto& [id, said] : notes) study.annotate(id, said);
  };
  // Points without a trial are known by their parameters: who tells the same file beside it must find them.
  const bool unnumbered = std::any_of(file.rows.begin(), file.rows.end(), [](const ToldRow& row) { return !row.id; });
  unnumbered || args.as_measured ? study.exclusively(take) : take();
  Taken taken{.added = std::ssize(plan.points) - plan.num_moved,
              .as_measured = plan.num_moved,
              .told_before = plan.num_told_before,
              .open = file.num_open,
              .kept = kept_of(plan, file.kept),
              .left_out = file.left_out};
  count_outcomes(plan, taken);
  if (!common.quiet) note_own(taken.kept, taken.left_out, format == Format::csv ? "columns" : "keys");
  return taken;
}

// The same rule as for a file: what was told before with the same outcome is fine.
Taken tell_some(Study& study, const Common& common, const TellArgs& args) {
  ToldRow row{.outcome = Abandoned{}};
  const Outputs& outputs = study.options().outputs;
  if (args.value.any()) {
    Values values{outputs_of(args.value, outputs)};
    for (const double value : values.outputs) row.values_written.push_back(std::isnan(value) ? "" : shortest(value));
    if (args.sd && outputs.size() > 1)
      throw InputError(
          fmt::format("tell: --sd: standard errors are for a study with one output, this one has {}", outputs.size()));
    if (args.sd) values.others[kStandardError] = *args.sd;
    row.outcome = std::move(values);
  }
  if (args.fail) row.outcome = Failure{args.fail->empty() ? "no reason given" : *args.fail};
  std::vector<std::int64_t> ids = {*args.trial};
  for (const std::int64_t id : args.more)
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  Taken taken;
  std::vector<Told> outcomes;
  for (const std::int64_t id : ids) {
    const std::optional<Trial> trial = study.trial(id);
    if (!trial || !trial->outcome) {
      outcomes.push_back({id, row.outcome});
    } else if (says_same(row, *trial->outcome)) {
      ++taken.told_before;
    } else {
      throw InputError(fmt::format("tell: trial {} {}. Nothing was changed. {}", id, told_words(*trial, outputs),
                                   amend_advice(common.study, id, row.outcome, outputs)));
    }
  }
  if (!outcomes.empty()) study.tell(outcomes);
  (args.value.any() ? taken.values : args.fail ? taken.failed : taken.abandoned) = std::ssize(outcomes);
  return taken;
}

void check(const TellArgs& args) {
  const int outcomes = args.value.any() + args.fail.has_value() + args.abandon;
  if (args.input.empty() && !args.trial) {
    throw InputError("tell: expected a FILE (- for standard input) or --trial N; see salvo tell --help");
  }
  if (!args.input.empty() && (args.trial || outcomes > 0)) {
    throw InputError("tell: a FILE and --trial, --value, --fail or --abandon exclude each other");
  }
  if (args.sd && !args.value.any())
    throw InputError("tell: --sd is the standard error of --value X; in a FILE it is the column \"sd\"");
  if (args.trial && (args.again || args.as_measured)) {
    throw InputError("tell: --again and --as-measured are for the rows of a FILE, not for --trial");
  }
  if (args.trial && outcomes != 1) {
    throw InputError(
        fmt::format("tell: --trial {} needs one of --value X, --fail REASON or --abandon, got {}", *args.trial, outcomes));
  }
  if (!args.more.empty() && args.value.any())
    throw InputError(
        fmt::format("tell: --value is of one trial, got {}; give the others theirs in a FILE", args.more.size() + 1));
}

std::string summary(const Taken& told) {
  std::string text;
  const auto part = [&](std::int64_t n, const std::string& what) {
    if (n > 0) text += (text.empty() ? ": " : ", ") + what;
  };
  part(told.values, plural(told.values, "value"));
  part(told.failed, plural(told.failed, "failure"));
  part(told.abandoned, count(told.abandoned) + " abandoned");
  part(told.added, plural(told.added, "point") + " evaluated elsewhere");
  part(told.as_measured, plural(told.as_measured, "point") + " as measured, in place of what was asked for");
  text = "Took " + plural(told.outcomes(), "outcome") + text;
  if (told.told_before > 0)
    text += fmt::format("; {} {} told before", count(told.told_before), told.told_before == 1 ? "was" : "were");
  if (told.open > 0) text += fmt::format("; {} no value yet", told.open == 1 ? "1 row has" : count(told.open) + " rows have");
  return text + ".\n";
}

}  // namespace

int execute(const Common& common, const TellArgs& args) {
  check(args);
  Source source = open_for_work(common);
  const Taken told = args.trial ? tell_some(source.study, common, args) : tell_file(source.study, common, args);
  if (common.json) {
    print(JsonObject()
              .add("event", "told")
              .add("taken", told.outcomes())
              .add("values", told.values)
              .add("failed", told.failed)
              .add("abandoned", told.abandoned)
              .add("added", told.added)
              .add("as_measured", told.as_measured)
              .add("told_before", told.told_before)
              .add("open", told.open)
              .raw("kept", json_list(told.kept))
              .raw("left_out", json_list(told.left_out))
              .line());
  } else if (!common.quiet) {
    print(summary(told));
  }
  return 0;
}

}  // namespace salvo::app

#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/mistakes.h>

#include <algorithm>
#include <map>
#include <set>

#include "arguments.h"
#include "history.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "sheet.h"
#include "source.h"
#include "tell_plan.h"
#include "text.h"
#include "text/encoding.h"

namespace salvo::app {
namespace {

const char* name_of(AmendArgs::What what) {
  return what == AmendArgs::What::amend ? "amend" : what == AmendArgs::What::forget ? "forget" : "revive";
}

void check(const AmendArgs& args) {
  const auto fail = [&](const std::string& problem) {
    throw InputError(fmt::format("{0}: {1}; see salvo {0} --help", name_of(args.what), problem));
  };
  const bool error = args.sd.has_value() || args.no_sd;
  const int outcomes = (args.value.any() || error ? 1 : 0) + args.fail.has_value();
  if (args.what != AmendArgs::What::amend) {
    if (args.trials.empty()) fail("expected --trial N");
    return;
  }
  if (args.input.empty() && args.trials.empty()) fail("expected --trial N or a FILE (- for standard input)");
  if (!args.input.empty() && (!args.trials.empty() || outcomes > 0))
    fail("a FILE and --trial, --value, --sd or --fail exclude each other; in a FILE a standard error is the column \"sd\"");
  if (args.input.empty() && outcomes != 1)
    fail(fmt::format("--trial {} needs one of --value X or --fail WHY (or --sd S), got {} (salvo forget takes a value back)",
                     args.trials[0], outcomes));
  if (args.value.any() && args.trials.size() > 1) fail("--value is for one trial; several come in a FILE");
}

// What a file says, decided before anything is changed.
struct Wanted {
  std::vector<Correction> corrections{};
  std::int64_t same = 0;  // rows that say what is known
  Tags tags{};            // of trials, without those that they carry already
  std::map<std::int64_t, std::string> notes{};
  std::vector<std::string> kept{}, left_out{};  // columns (or keys) of somebody's own
  const char* what = "columns";
};

// Why a row cannot be one of a correction; empty: it can.
std::string problem_of(const ToldRow& row, const std::optional<Trial>& trial, const Space& space, std::int64_t num_trials) {
  if (!row.id) return "expected the number of a trial, got none";
  if (!trial) return fmt::format("there is no trial {}; the study has {}", *row.id, num_trials);
  if (!trial->outcome) return fmt::format("trial {} is pending: tell its outcome instead", *row.id);
  for (std::size_t i = 0; i < row.written.size(); ++i)
    if (!row.written[i].empty() && !says_same(space, static_cast<int>(i), row.written[i], trial->params[i]))
      return fmt::format(
          "{}: trial {} was asked for at {}, the file has {}; expected the number of the trial that was measured there",
          space.parameters()[i].name, *row.id, to_string(trial->params[i]), one_line(row.written[i]));
  return "";
}

Wanted from_file(Study& study, const AmendArgs& args) {
  const std::string path = args.input == "-" ? "standard input" : args.input, text = to_utf8(read_input(args.input), path);
  const Format format = args.format.value_or(guess_format(args.input, text));
  Mistakes mistakes(path);
  const ToldFile file = parse_records(text, path, study.space(), format, &mistakes, study.options().outputs);
  Wanted out{.kept = file.kept, .left_out = file.left_out, .what = format == Format::csv ? "columns" : "keys"};
  const Tags tags = study.tags();
  const std::map<std::int64_t, std::string> notes = study.annotations();
  std::set<std::int64_t> ids;
  for (const ToldRow& row : file.rows) {
    const std::optional<Trial> trial = row.id ? study.trial(*row.id) : std::nullopt;
    std::string problem = problem_of(row, trial, study.space(), study.counts().total());
    if (problem.empty() && !ids.insert(*row.id).second)
      problem = fmt::format("trial {} is there twice; expected one outcome for each", *row.id);
    if (!problem.empty()) {
      mistakes.add(row.line, problem);
      continue;
    }
    Outcome outcome = row.outcome;
    if (const auto* values = std::get_if<Values>(&row.outcome))
      outcome = corrected(*trial, *values);  // what else was measured stays, unless the row says otherwise
    if (trial->outcome == outcome)
      ++out.same;
    else
      out.corrections.push_back({*row.id, std::move(outcome), args.reason});
    const auto carried = tags.find(*row.id);
    for (const std::string& name : row.tags)
      if (carried == tags.end() || std::find(carried->second.begin(), carried->second.end(), name) == carried->second.end())
        out.tags[*row.id].push_back(name);
    const auto said = notes.find(*row.id);
    if (!row.note.empty() && (said == notes.end() || said->second != row.note)) out.notes[*row.id] = row.note;
  }
  mistakes.raise("Nothing of the file was taken.");
  if (file.rows.empty()) throw InputError(fmt::format("{}: expected at least one row with an outcome, got none", path));
  return out;
}

Wanted wanted_of(Study& study, const AmendArgs& args) {
  if (!args.input.empty()) return from_file(study, args);
  Wanted out;
  std::set<std::int64_t> ids;
  for (const std::int64_t id : args.trials) {
    if (!ids.insert(id).second) continue;
    std::optional<Outcome> outcome;
    if (args.what == AmendArgs::What::forget) outcome = Abandoned{};
    if (args.fail) outcome = Failure{args.fail->empty() ? "no reason given" : *args.fail};
    const std::optional<Trial> trial = study.trial(id);
    if (args.value.any() || args.sd || args.no_sd) {
      const auto* before = trial && trial->outcome ? std::get_if<Values>(&*trial->outcome) : nullptr;
      const Outputs& outputs = study.options().outputs;
      if (outputs.size() > 1 && args.sd)
        throw InputError(
            fmt::format("amend: --sd: standard errors are for a study with one output, this one has {}", outputs.size()));
      if (!args.value.any() && !before)
        throw InputError(fmt::format("amend: trial {} has no value that could have a standard error; nothing was changed", id));
      Values now = before ? *before : Values{};
      now.outputs = outputs_of(args.value, outputs, now.outputs);
      if (args.no_sd) now.others.erase(kStandardError);
      if (args.sd) now.others[kStandardError] = *args.sd;
      outcome = std::move(now);
    }
    if (outcome && trial && trial->outcome == outcome)
      ++out.same;
    else
      out.corrections.push_back({id, std::move(outcome), args.reason});
  }
  return out;
}

// Each by its own name, by which its errors begin.
void take(Study& study, const AmendArgs& args, const Wanted& wanted) {
  std::vector<std::int64_t> ids;
  for (const Correction& each : wanted.corrections) ids.push_back(each.id);
  if (args.what == AmendArgs::What::forget)
    study.forget(ids, args.reason);
  else if (args.what == AmendArgs::What::revive)
    study.revive(ids, args.reason);
  else
    study.amend(wanted.corrections);
  if (!wanted.tags.empty()) study.tag(wanted.tags);
  for (const auto& [id, said] : wanted.notes) study.annotate(id, said);
}

}  // namespace

int execute(const Common& common, const AmendArgs& args) {
  check(args);
  Source source = open_to_look(common);
  const Wanted wanted = wanted_of(source.study, args);
  const std::vector<Correction>& corrections = wanted.corrections;
  std::vector<std::optional<Outcome>> before;
  for (const Correction& each : corrections) {
    const std::optional<Trial> trial = source.study.trial(each.id);
    before.push_back(trial ? trial->outcome : std::nullopt);
  }
  take(source.study, args, wanted);
  if (!common.quiet) note_own(wanted.kept, wanted.left_out, wanted.what);
  if (common.json) {
    JsonObject out;
    out.add("event", "amended").add("taken", std::ssize(corrections)).add("same", wanted.same);
    if (!wanted.notes.empty()) out.add("notes", std::ssize(wanted.notes));
    if (!wanted.tags.empty()) out.add("tagged", std::ssize(wanted.tags));
    print(out.line());
    return 0;
  }
  if (common.quiet) return 0;
  std::string text;
  const Outputs& outputs = source.study.options().outputs;
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(kShown, corrections.size()); ++i)
    text += fmt::format("trial {}: {} → {}\n", corrections[i].id, in_words(before[i], outputs),
                        in_words(corrections[i].outcome, outputs));
  if (corrections.size() > kShown)
    text += fmt::format("and {} more\n", count(static_cast<std::int64_t>(corrections.size() - kShown)));
  if (wanted.same > 0) text += fmt::format("{} had that outcome already.\n", plural(wanted.same, "trial"));
  if (!wanted.notes.empty()) text += fmt::format("{} taken.\n", plural(std::ssize(wanted.notes), "note"));
  if (!wanted.tags.empty()) text += fmt::format("Tags put on {}.\n", plural(std::ssize(wanted.tags), "trial"));
  if (!corrections.empty())
    text += fmt::format("{} put right; the next ask learns anew.\n", plural(std::ssize(corrections), "outcome"));
  print(text);
  return 0;
}

}  // namespace salvo::app

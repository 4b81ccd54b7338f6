#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <set>

#include "arguments.h"
#include "history.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "sheet.h"
#include "source.h"
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

std::vector<Correction> from_file(Study& study, const AmendArgs& args, std::int64_t& same) {
  const std::string path = args.input == "-" ? "standard input" : args.input, text = to_utf8(read_input(args.input), path);
  const std::vector<ToldRow> rows = parse_records(text, path, study.space(), args.format.value_or(guess_format(args.input, text)),
                                                  nullptr, study.options().outputs)
                                        .rows;
  std::vector<Correction> out;
  std::set<std::int64_t> ids;
  for (const ToldRow& row : rows) {
    const auto fail = [&](const std::string& problem) { throw InputError(fmt::format("{}:{}: {}", path, row.line, problem)); };
    if (!row.id) fail("expected the number of a trial, got none");
    if (!ids.insert(*row.id).second) fail(fmt::format("trial {} is there twice; expected one outcome for each", *row.id));
    const std::optional<Trial> trial = study.trial(*row.id);
    for (std::size_t i = 0; trial && i < row.written.size(); ++i)
      if (!row.written[i].empty() && !says_same(study.space(), static_cast<int>(i), row.written[i], trial->params[i]))
        fail(
            fmt::format("{}: trial {} was asked for at {}, the file has {}; expected the number of the trial that was measured "
                        "there",
                        study.space().parameters()[i].name, *row.id, to_string(trial->params[i]), one_line(row.written[i])));
    Outcome outcome = row.outcome;
    if (const auto* values = std::get_if<Values>(&row.outcome); values && trial && trial->outcome)
      outcome = corrected(*trial, *values);  // what else was measured stays, unless the row says otherwise
    if (trial && trial->outcome == outcome)
      ++same;
    else
      out.push_back({*row.id, std::move(outcome), args.reason});
  }
  if (rows.empty()) throw InputError(fmt::format("{}: expected at least one row with an outcome, got none", path));
  return out;
}

std::vector<Correction> corrections(Study& study, const AmendArgs& args, std::int64_t& same) {
  if (!args.input.empty()) return from_file(study, args, same);
  std::vector<Correction> out;
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
      ++same;
    else
      out.push_back({id, std::move(outcome), args.reason});
  }
  return out;
}

// Each by its own name, by which its errors begin.
void take(Study& study, const AmendArgs& args, const std::vector<Correction>& wanted) {
  std::vector<std::int64_t> ids;
  for (const Correction& each : wanted) ids.push_back(each.id);
  if (args.what == AmendArgs::What::forget)
    study.forget(ids, args.reason);
  else if (args.what == AmendArgs::What::revive)
    study.revive(ids, args.reason);
  else
    study.amend(wanted);
}

}  // namespace

int execute(const Common& common, const AmendArgs& args) {
  check(args);
  Source source = open_to_look(common);
  std::int64_t same = 0;
  const std::vector<Correction> wanted = corrections(source.study, args, same);
  std::vector<std::optional<Outcome>> before;
  for (const Correction& each : wanted) {
    const std::optional<Trial> trial = source.study.trial(each.id);
    before.push_back(trial ? trial->outcome : std::nullopt);
  }
  take(source.study, args, wanted);
  if (common.json) {
    print(JsonObject().add("event", "amended").add("taken", std::ssize(wanted)).add("same", same).line());
    return 0;
  }
  if (common.quiet) return 0;
  std::string text;
  const Outputs& outputs = source.study.options().outputs;
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(kShown, wanted.size()); ++i)
    text += fmt::format("trial {}: {} → {}\n", wanted[i].id, in_words(before[i], outputs), in_words(wanted[i].outcome, outputs));
  if (wanted.size() > kShown) text += fmt::format("and {} more\n", count(static_cast<std::int64_t>(wanted.size() - kShown)));
  if (same > 0) text += fmt::format("{} had that outcome already.\n", plural(same, "trial"));
  if (!wanted.empty()) text += fmt::format("{} put right; the next ask learns anew.\n", plural(std::ssize(wanted), "outcome"));
  print(text);
  return 0;
}

}  // namespace salvo::app

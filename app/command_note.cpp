#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>

#include "arguments.h"
#include "json.h"
#include "output.h"
#include "source.h"
#include "text.h"
#include "text/text.h"

namespace salvo::app {
namespace {

void show(const Common& common, Study& study, const std::vector<std::int64_t>& wanted) {
  const std::string remark = wanted.empty() ? study.note(kRemark).value_or("") : "";
  if (!remark.empty())
    print(common.json ? JsonObject().add("event", "note").add("text", remark).line() : one_line(remark) + "\n");
  for (const auto& [id, text] : study.annotations()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), id) == wanted.end()) continue;
    print(common.json ? JsonObject().add("event", "note").add("trial", id).add("text", text).line()
                      : fmt::format("trial {}: {}\n", id, one_line(text)));
  }
}

void say_cleared(const Common& common, const std::vector<std::int64_t>& trials) {
  if (common.json)
    print(JsonObject().add("event", "note_cleared").raw("trials", fmt::format("[{}]", fmt::join(trials, ","))).line());
  else if (!common.quiet)
    print(trials.empty()
              ? "The note of the study is gone.\n"
              : fmt::format("The note{} of trial{} {} {} gone.\n", trials.size() == 1 ? "" : "s", trials.size() == 1 ? "" : "s",
                            fmt::join(trials, ", "), trials.size() == 1 ? "is" : "are"));
}

}  // namespace

int execute(const Common& common, const NoteArgs& args) {
  if (args.clear && args.text) throw InputError("note: expected a TEXT or --clear, got both");
  if (args.text && args.text->empty()) throw InputError("note: expected a TEXT, got an empty one; --clear takes a note back");
  if (args.text && !is_text(*args.text))
    throw InputError(fmt::format("note: expected text in UTF-8, got \"{}\"", one_line(*args.text)));
  if (!args.clear && !args.text) {
    Source source = open_to_look(common);
    show(common, source.study, args.trials);
    return 0;
  }
  Source source = open_to_look(common);  // as corrections do: it concerns no point
  Study& study = source.study;
  for (const std::int64_t id : args.trials)
    if (!study.trial(id))
      throw InputError(fmt::format("note: there is no trial {}; the study has {}", id, study.counts().total()));
  const std::string text = args.text.value_or("");
  if (args.trials.empty()) study.set_note(kRemark, text);
  for (const std::int64_t id : args.trials) study.annotate(id, text);
  args.clear ? say_cleared(common, args.trials) : show(common, study, args.trials);
  return 0;
}

}  // namespace salvo::app

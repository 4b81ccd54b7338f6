#include <fmt/core.h>
#include <salvo/error.h>

#include "arguments.h"
#include "assignments.h"
#include "output.h"
#include "sheet.h"
#include "source.h"
#include "text.h"

namespace salvo::app {
namespace {

void write_trials(Output& out, const std::vector<Trial>& trials, const StudyOptions& options, Format format) {
  const Space& space = options.space();
  if (format == Format::csv) out.write(csv_header(space, {}, {}, options.outputs) + "\n");
  for (const Trial& trial : trials)
    out.write((format == Format::csv ? to_csv(trial, space, {}, {}, options.outputs) : to_json(trial, space, options.outputs)) +
              "\n");
  out.finish();
}

// Nobody has seen these points, so nobody will evaluate them; those that somebody wanted wait again.
void take_back(Study& study, const std::vector<Trial>& trials) {
  std::vector<Told> outcomes;
  std::vector<Params> wanted;
  for (const Trial& trial : trials) {
    outcomes.push_back({trial.id, Abandoned{}});
    if (trial.source == salvo::Source::queue) wanted.push_back(trial.params);
  }
  study.tell(outcomes);
  if (!wanted.empty()) study.enqueue(wanted, true);
}

// What is given of the points; with nothing left to choose there is one point, and the queue is for that.
std::map<std::string, Value> fixed_of(const AskArgs& args, const Space& space) {
  std::map<std::string, Value> fixed = assignments("--fix", args.fixed, space);
  std::int64_t given = 0;
  for (int i = 0; i < static_cast<int>(space.parameters().size()); ++i)
    given += !space.may_be_left_out(i) && fixed.contains(space.parameters()[static_cast<std::size_t>(i)].name) ? 1 : 0;
  if (given == space.num_free())
    throw InputError(
        "--fix: expected at least one parameter that is left to choose, got a value for every one. To have one point tried: "
        "salvo "
        "enqueue, with these values");
  return fixed;
}

// No error: who asks by hand may want more.
void note_spent(const Counts& counts, std::int64_t budget, std::int64_t handed_out) {
  const std::int64_t over = counts.total() - counts.abandoned - budget;
  if (over <= 0) return;
  print_error(over >= handed_out
                  ? fmt::format("salvo: note: the budget of {} evaluations is spent; handing out beyond it\n", count(budget))
                  : fmt::format("salvo: note: the last {} of these points are beyond the budget of {} evaluations\n", count(over),
                                count(budget)));
}

}  // namespace

int execute(const Common& common, const AskArgs& args) {
  if (args.pending && args.size) throw InputError("ask: --pending prints what was handed out before; leave the count out");
  if (args.pending && !args.fixed.empty()) throw InputError("ask: --pending prints what was handed out before; leave --fix out");
  check_output(common, args.output);
  Output out(args.output);  // writes nothing yet
  check_sheet(args.output, is_old_sheet(args.output) ? outputs_of(common) : Outputs(), args.force);
  Source source = args.pending ? open_to_look(common) : open_for_work(common);
  const Space& space = source.study.options().space();
  const Format format = args.format.value_or(common.json ? Format::json : Format::csv);
  if (args.pending) {
    write_trials(out, source.study.pending(), source.study.options(), format);
    return 0;
  }
  const int batch = source.file ? source.file->budget.batch : source.study.options().batch;
  const int wanted = args.size.value_or(batch);
  const std::vector<Trial> trials = source.study.ask({.size = wanted, .fixed = fixed_of(args, space)});
  if (std::ssize(trials) < wanted && !common.quiet) {
    print_error(fmt::format("salvo: note: {} candidates were asked for, but only {} were left in the pool; these are the last\n",
                            wanted, trials.size()));
  }
  try {
    write_trials(out, trials, source.study.options(), format);
  } catch (const Error& error) {
    take_back(source.study, trials);
    throw Error(fmt::format("{}; the points were taken back", error.what()));
  } catch (const BrokenPipe&) {  // ask | head: what was cut off is nobody's
    take_back(source.study, trials);
    if (!common.quiet)
      print_error(
          fmt::format("salvo: the output was closed before all was read; taken back: {}\n", plural(std::ssize(trials), "point")));
    throw;
  }
  if (!common.quiet && source.file) note_spent(source.study.counts(), source.file->budget.evaluations, std::ssize(trials));
  return 0;
}

}  // namespace salvo::app

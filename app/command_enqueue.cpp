#include <fmt/core.h>
#include <salvo/error.h>
#include <salvo/mistakes.h>
#include <salvo/records.h>

#include <algorithm>
#include <optional>

#include "arguments.h"
#include "assignments.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "sheet.h"
#include "source.h"
#include "text.h"
#include "text/encoding.h"

namespace salvo::app {
namespace {

void check(const EnqueueArgs& args) {
  const int ways = (args.words.empty() ? 0 : 1) + (args.list ? 1 : 0) + (args.clear ? 1 : 0) + (args.remove.empty() ? 0 : 1);
  if (ways != 1)
    throw InputError(
        fmt::format("enqueue: expected one of a FILE, a point (NAME=VALUE …), --list, --remove N and --clear, got {}",
                    ways == 0 ? "none" : "several"));
}

Params point_of(const std::vector<std::string>& words, const Space& space) {
  const std::map<std::string, Value> given = assignments("enqueue", words, space);
  std::vector<std::optional<Value>> values;
  std::string missing;
  for (int i = 0; i < static_cast<int>(space.parameters().size()); ++i) {
    const std::string& name = space.parameters()[static_cast<std::size_t>(i)].name;
    const auto found = given.find(name);
    if (found == given.end() && !space.may_be_left_out(i)) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", name);
    values.push_back(found == given.end() ? std::nullopt : std::optional(found->second));
  }
  if (!missing.empty())
    throw InputError(fmt::format(
        "enqueue: expected a value for each parameter, got none for {}. (salvo ask --fix gives some and has the rest chosen)",
        missing));
  try {
    return space.check_offered(space.completed(values));
  } catch (const std::invalid_argument& error) {
    throw InputError(fmt::format("enqueue: {}", error.what()));
  }
}

std::vector<Params> points_of(const EnqueueArgs& args, const Space& space, const Outputs& outputs) {
  const bool file = args.words.size() == 1 && args.words[0].find('=') == std::string::npos;
  if (!file) return {point_of(args.words, space)};
  const std::string& input = args.words[0];
  const std::string path = input == "-" ? "standard input" : input, text = to_utf8(read_input(input), path);
  std::vector<Params> out;
  Mistakes mistakes(path);
  for (const ToldRow& row : parse_points(text, path, space, args.format.value_or(guess_format(input, text)), outputs).rows) {
    try {
      out.push_back(space.check_offered(row.params.value()));
    } catch (const std::invalid_argument& error) {
      mistakes.add(row.line, error.what());
    }
  }
  mistakes.raise();
  if (out.empty()) throw InputError(fmt::format("{}: expected at least one row with a point, got none", path));
  return out;
}

int list_queue(const Common& common) {
  Study study = open_to_look(common).study;
  const std::vector<Queued> queue = study.queue();
  if (queue.empty() && !common.json && !common.quiet) print("Nothing waits.\n");
  for (const Queued& each : queue) {
    if (common.json) {
      print(JsonObject()
                .add("event", "queued")
                .add("number", each.id)
                .raw("params", json_params(each.params, study.space()))
                .line());
      continue;
    }
    std::string text = fmt::format("{:>4} ", each.id);
    for (std::size_t i = 0; i < each.params.size(); ++i)
      text += fmt::format(" {}={}", study.space().parameters()[i].name, one_line(to_string(each.params[i])));
    print(text + "\n");
  }
  return 0;
}

int remove(const Common& common, Study& study, std::vector<std::int64_t> ids, bool all) {
  if (all) {
    ids.clear();
    for (const Queued& each : study.queue()) ids.push_back(each.id);
  }
  const std::int64_t removed = study.unqueue(ids);
  if (!all && removed < std::ssize(ids))
    print_error(fmt::format("salvo: note: {} of these numbers {} not in the queue (any more)\n", std::ssize(ids) - removed,
                            std::ssize(ids) - removed == 1 ? "is" : "are"));
  if (common.json)
    print(JsonObject().add("event", "unqueued").add("removed", removed).add("waiting", std::ssize(study.queue())).line());
  else if (!common.quiet)
    print(fmt::format("Took {} out of the queue.\n", plural(removed, "point")));
  return 0;
}

}  // namespace

int execute(const Common& common, const EnqueueArgs& args) {
  check(args);
  if (args.list) return list_queue(common);
  Source source = open_for_work(common);
  Study& study = source.study;
  if (args.clear || !args.remove.empty()) return remove(common, study, args.remove, args.clear);
  if (args.again && study.options().pool())
    throw InputError("enqueue: --again: a candidate of a pool is handed out once; a second value of it: salvo tell FILE --again");
  const std::vector<Params> points = points_of(args, study.space(), study.options().outputs);
  const std::int64_t queued = study.enqueue(points, args.again), left_out = std::ssize(points) - queued,
                     waiting = std::ssize(study.queue());
  if (common.json) {
    print(JsonObject().add("event", "enqueued").add("queued", queued).add("left_out", left_out).add("waiting", waiting).line());
    return 0;
  }
  if (common.quiet) return 0;
  std::string text = fmt::format("Queued {}", plural(queued, "point"));
  if (left_out > 0)
    text += left_out == 1
                ? "; 1 waits already, is pending or has a value (--again: measure it once more)"
                : fmt::format("; {} wait already, are pending or have a value (--again: measure them once more)", left_out);
  print(
      fmt::format("{}. {} {}, and will be handed out first.\n", text, plural(waiting, "point"), waiting == 1 ? "waits" : "wait"));
  return 0;
}

}  // namespace salvo::app

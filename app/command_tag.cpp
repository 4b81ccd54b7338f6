#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <set>

#include "arguments.h"
#include "json.h"
#include "output.h"
#include "source.h"
#include "text.h"

namespace salvo::app {
namespace {

// A line for each tag: those that are named, or those of these trials, or all.
void show_tags(const Common& common, Study& study, const TagArgs& args) {
  const std::set<std::int64_t> wanted(args.trials.begin(), args.trials.end());
  std::map<std::string, std::vector<std::int64_t>> trials;
  for (const auto& [id, names] : study.tags())
    for (const std::string& name : names)
      if (wanted.empty() || wanted.contains(id)) trials[name].push_back(id);
  for (const auto& [name, ids] : trials) {
    constexpr std::size_t kShown = 20;
    const std::vector<std::int64_t> some(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, ids.size())));
    print(common.json
              ? JsonObject().add("event", "tag").add("name", name).raw("trials", fmt::format("[{}]", fmt::join(ids, ","))).line()
              : fmt::format("{}: {} {}{}\n", name, ids.size() == 1 ? "trial" : "trials", fmt::join(some, ", "),
                            ids.size() > kShown ? fmt::format(" and {} more", count(std::ssize(ids) - 20)) : ""));
  }
}

}  // namespace

int execute(const Common& common, const TagArgs& args) {
  if (args.remove && args.names.empty()) throw InputError("tag: --remove: expected the tags to take off, got none");
  if (!args.names.empty() && args.trials.empty())
    throw InputError("tag: expected --trial N for the trials that the tags are for, got none");
  Source source = open_to_look(common);  // as notes do: it concerns no point
  Study& study = source.study;
  if (args.names.empty()) {
    show_tags(common, study, args);
    return 0;
  }
  Tags tags;
  for (const std::int64_t id : args.trials) tags[id] = args.names;
  args.remove ? study.untag(tags) : study.tag(tags);
  if (common.json) {
    print(JsonObject()
              .add("event", args.remove ? "untagged" : "tagged")
              .raw("tags", json_list(args.names))
              .raw("trials", fmt::format("[{}]", fmt::join(args.trials, ",")))
              .line());
  } else if (!common.quiet) {
    const auto num = std::ssize(tags);
    print(fmt::format("{} {} {}{}.\n", plural(num, "trial"),
                      args.remove ? (num == 1 ? "no longer carries" : "no longer carry") : (num == 1 ? "carries" : "carry"),
                      fmt::join(args.names, ", "), args.remove ? "" : " now"));
  }
  return 0;
}

}  // namespace salvo::app

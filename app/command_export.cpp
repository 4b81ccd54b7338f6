#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "arguments.h"
#include "history.h"
#include "json.h"
#include "output.h"
#include "sheet.h"
#include "source.h"
#include "tagged.h"
#include "text/csv.h"
#include "text/formula.h"
#include "text/tags.h"

namespace salvo::app {

int execute(const Common& common, const ExportArgs& args) {
  check_output(common, args.output);
  Source source = open_to_look(common);
  const Space& space = source.study.options().space();
  const Outputs& outputs = source.study.options().outputs;
  const Format format = args.format.value_or(common.json ? Format::json : Format::csv);
  if (args.history) {
    if (!args.tags.empty()) throw InputError("export: --history has no trials that could carry a --tag; give one of them");
    if (!args.force && std::filesystem::is_regular_file(args.output) && std::filesystem::file_size(args.output) > 0)
      throw InputError(fmt::format("--output {}: it exists; name another file, or give --force to write over it", args.output));
    Output out(args.output);
    if (format == Format::csv) out.write(history_header(outputs) + "\n");
    std::vector<std::pair<double, std::string>> lines;
    const auto add = [&](const auto& change) {
      lines.emplace_back(change.at,
                         (format == Format::csv ? history_csv(change, outputs) : history_json(change, outputs)) + "\n");
    };
    for (const Amendment& change : source.study.amendments()) add(change);
    for (const SpaceChange& change : source.study.space_changes()) add(change);
    for (const PriorChange& change : source.study.priors()) add(change);
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [at, line] : lines) out.write(line);
    out.finish();
    return 0;
  }
  std::vector<Trial> trials = source.study.trials();
  Output out(args.output);  // writes nothing yet
  check_export(args.output, trials, space, outputs, args.force);
  const Tagged tagged(source.study, args.tags);
  trials.erase(std::remove_if(trials.begin(), trials.end(), [&](const Trial& trial) { return !tagged(trial); }), trials.end());
  const std::vector<std::string> measured = measured_names(trials), said = said_names(trials);
  const std::map<std::int64_t, std::string> notes = source.study.annotations();
  const bool with_tags = !tagged.all().empty() && space.find("tags") < 0;  // a parameter of that name has the column
  if (format == Format::csv)
    out.write(csv_header(space, measured, said, outputs) + (notes.empty() ? "" : ",note") + (with_tags ? ",tags" : "") + "\n");
  for (const Trial& trial : trials) {
    const auto carried = tagged.all().find(trial.id);
    const std::vector<std::string> tags = carried == tagged.all().end() ? std::vector<std::string>() : carried->second;
    std::string row = format == Format::csv ? to_csv(trial, space, measured, said, outputs) : to_json(trial, space, outputs);
    const auto note = notes.find(trial.id);
    const std::string text = note == notes.end() ? "" : note->second;
    if (format == Format::csv && !notes.empty()) row += ',' + csv_cell(guarded(text));
    if (format == Format::csv && with_tags) row += ',' + csv_cell(guarded(joined_tags(tags)));
    if (format == Format::json && !text.empty()) row.insert(row.size() - 1, ",\"note\":" + json_string(text));
    if (format == Format::json && !tags.empty()) row.insert(row.size() - 1, ",\"tags\":" + json_list(tags));
    out.write(row + "\n");
  }
  out.finish();
  const auto outside = std::count_if(trials.begin(), trials.end(), [](const Trial& trial) { return trial.outside; });
  if (outside > 0 && !common.quiet)
    print_error(fmt::format("salvo: note: {} of these {} outside the parameters as they are now (--format json says which)\n",
                            outside, outside == 1 ? "lies" : "lie"));
  return 0;
}

}  // namespace salvo::app

#include "plot/picture.h"

#include <fmt/core.h>
#include <salvo/error.h>

#include <algorithm>
#include <chrono>

#include "output.h"
#include "plot/data.h"
#include "plot/figures.h"
#include "plot/slices.h"
#include "text.h"
#include "text/text.h"

namespace salvo::app::plot {
namespace {

bool wanted(const std::string& kind, std::string_view name) { return kind == "all" || kind == name; }

// The number of the output that is asked for, the first one when none is.
int output_named(const StudyOptions& options, const std::string& name) {
  if (name.empty()) return 0;
  const int found = find_output(options.outputs, name);
  std::vector<std::string_view> names;
  for (const salvo::Output& output : options.outputs) names.push_back(output.name);
  if (found < 0) throw InputError(fmt::format("--of: no output is called \"{}\"{}", one_line(name), hint(name, names)));
  return found;
}

// A candidate is not a point of a space, and a front is of all objectives.
void check_kind(const Study& study, const std::string& kind, const std::string& output) {
  if ((kind == "front" || kind == "hypervolume") && study.options().num_objectives() < 2)
    throw InputError(fmt::format("plot: a study with one objective has no {}; expected another --kind", kind));
  if ((kind == "front" || kind == "hypervolume") && !output.empty())
    throw InputError(fmt::format("--of: --kind {} is of all objectives; expected another --kind, or no --of, got \"{}\"", kind,
                                 one_line(output)));
  if (study.options().pool() && (kind == "front" || kind == "hypervolume")) return;
  if (study.options().pool() && kind != "all" && kind != "progress" && kind != "batches")
    throw InputError(fmt::format("plot: a study over a pool has no {}; expected --kind all, progress or batches", kind));
}

// Pictures of a pool, and those that a page shows as they are.
std::vector<std::pair<std::string, Figure>> still_figures(const Data& data, bool pool, const std::string& kind) {
  std::vector<std::pair<std::string, Figure>> out;
  if (pool && wanted(kind, "progress") && !data.known.empty()) out.emplace_back("Recall", recall_figure(data));
  if (kind == "batches" || (pool && kind == "all")) out.emplace_back("Batches", batches_figure(data));
  if (data.front && wanted(kind, "hypervolume")) out.emplace_back("Hypervolume", hypervolume_figure(data));
  if (!pool && wanted(kind, "lengthscales")) out.emplace_back("Length-scales", lengthscales_figure(data));
  return out;
}

Picture picture_of(const Data& data, Study& study, const std::string& kind) {
  const bool pool = study.options().pool() != nullptr;
  Picture picture{.title = one_line(data.name), .figures = {}};
  if (data.front && wanted(kind, "front")) picture.figures.push_back(front_figure(data));
  if (data.front && wanted(kind, "hypervolume")) picture.figures.push_back(hypervolume_figure(data));
  if (wanted(kind, "progress")) picture.figures.push_back(progress_figure(data));
  if (!pool && wanted(kind, "slices")) picture.figures.push_back(slices_figure(data, study));
  if (!pool && wanted(kind, "parallel")) picture.figures.push_back(parallel_figure(data));
  if (!pool && wanted(kind, "importance")) picture.figures.push_back(importance_figure(data));
  for (auto& [name, figure] : still_figures(data, pool, kind))
    if (name != "Hypervolume") picture.figures.push_back(std::move(figure));
  return picture;
}

Report report_of(const Data& data, Study& study, const std::string& kind) {
  const bool pool = study.options().pool() != nullptr;
  Report report;
  for (const char* part : {"progress", "importance", "parallel", "slices"})
    if (wanted(kind, part) && (!pool || std::string_view(part) == "progress")) report.parts.emplace_back(part);
  if (data.front && wanted(kind, "front")) report.parts.emplace_back("front");
  if (!pool && wanted(kind, "slices")) report.slices = posterior_slices(data, study);
  report.still = still_figures(data, pool, kind);
  report.unscripted = progress_figure(data);
  return report;
}

}  // namespace

void draw(Study& study, const std::optional<StudyFile>& file, const std::string& kind, const std::vector<std::string>& paths,
          const std::optional<RunNote>& run, const std::vector<std::string>& tags, const std::string& output) {
  check_kind(study, kind, output);
  const Data data = read_data(study, file, true, tags, output_named(study.options(), output));
  std::optional<Picture> picture;
  for (const std::string& path : paths) {
    if (is_html(path)) {
      Report report = report_of(data, study, kind);
      report.run = run;
      replace_file(path, report_html(data, report));
    } else {
      if (!picture) picture = picture_of(data, study, kind);
      write(*picture, path);
    }
  }
}

void draw_running(Study& study, const std::optional<StudyFile>& file, const std::vector<std::string>& paths, const RunNote& run) {
  const auto begin = std::chrono::steady_clock::now();
  const Data data = read_data(study, file, !study.learning_is_long());
  Report report = report_of(data, study, "all");
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  report.run = run;
  report.run->every = std::max(run.every, run.times * spent.count());
  const std::string page = report_html(data, report);
  for (const std::string& path : paths) replace_file(path, page);
}

}  // namespace salvo::app::plot

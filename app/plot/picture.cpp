#include "plot/picture.h"

#include <fmt/core.h>
#include <salvo/error.h>

#include "plot/data.h"
#include "plot/figures.h"
#include "text.h"

namespace salvo::app::plot {

Picture draw(Study& study, const std::optional<StudyFile>& file, const std::string& kind) {
  const Data data = read_data(study, file);
  Picture picture{.title = one_line(data.name), .figures = {}};
  const auto wanted = [&](std::string_view name) { return kind == "all" || kind == name; };
  if (wanted("progress")) picture.figures.push_back(progress_figure(data));
  if (study.options().pool()) {  // a candidate is not a point of a space
    if (kind != "all" && kind != "progress" && kind != "batches")
      throw InputError(fmt::format("plot: a study over a pool has no {}; expected --kind all, progress or batches", kind));
    if (wanted("progress") && !data.known.empty()) picture.figures.push_back(recall_figure(data));
    if (wanted("batches")) picture.figures.push_back(batches_figure(data));
    return picture;
  }
  if (kind == "batches") picture.figures.push_back(batches_figure(data));
  if (wanted("slices")) picture.figures.push_back(slices_figure(data, study));
  if (wanted("parallel")) picture.figures.push_back(parallel_figure(data));
  if (wanted("lengthscales")) picture.figures.push_back(lengthscales_figure(data));
  return picture;
}

}  // namespace salvo::app::plot

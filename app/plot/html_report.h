#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plot/data.h"
#include "plot/page.h"
#include "plot/slices.h"

namespace salvo::app::plot {

// What a page that is written while a study runs says of the run.
struct RunNote {
  bool running = false;
  double every = 5;  // seconds after which the page loads itself anew,
  double times = 0;  // … or so many times what reading and drawing took, where that is longer
  std::string words;
};

// A page of HTML to look around in: one file that needs no network. Its charts are drawn by a script from one block of JSON.
struct Report {
  std::vector<std::string> parts;  // "progress", "importance", "parallel", "slices", "front"
  std::vector<Slice> slices;
  std::vector<std::pair<std::string, Figure>> still;  // pictures without a script of their own, by their names
  std::optional<Figure> unscripted;                   // for readers without JavaScript
  std::optional<RunNote> run;
};

[[nodiscard]] std::string report_json(const Data& data, const Report& report);
[[nodiscard]] std::string report_html(const Data& data, const Report& report);

}  // namespace salvo::app::plot

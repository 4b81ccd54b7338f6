#include <fmt/core.h>

#include "arguments.h"
#include "json.h"
#include "output.h"
#include "plot/picture.h"
#include "source.h"

namespace salvo::app {

int execute(const Common& common, const PlotArgs& args) {
  plot::check_target(args.output);
  check_output(common, args.output);
  Source source = open_to_look(common);
  plot::draw(source.study, source.file, args.kind, {args.output}, {}, args.tags, args.shown);
  if (common.json) {
    print(JsonObject().add("event", "plotted").add("kind", args.kind).add("file", args.output).line());
  } else if (!common.quiet) {
    print(fmt::format("Wrote {}.\n", args.output));
  }
  return 0;
}

}  // namespace salvo::app

#include "pool_build.h"

#include <fmt/core.h>
#include <salvo/error.h>

#include <filesystem>

#include "output.h"
#include "progress.h"
#include "text.h"

namespace salvo::app {

std::string pool_path_for(const std::string& library) {
  if (library == "-") throw InputError("pool build: a library from standard input has no name: say where to write with -o FILE");
  std::filesystem::path path(library);
  if (path.extension() == ".gz") path.replace_extension();
  return path.replace_extension(".pool").string();
}

std::string library_flag(std::string_view option, std::string_view value) {
  return value.empty() ? fmt::format("--{}", option) : fmt::format("--{} {}", option, value);
}

PoolBuildSummary build_pool_showing(PoolBuildOptions options, const std::string& path, const Common& common) {
  Progress display;
  if (!common.json && !common.quiet) {
    options.progress = [&](const PoolBuildProgress& p) {
      display.show(fmt::format("reading {}  {}{}", options.library, plural(p.rows, "row"),
                               p.share < 0 ? "" : fmt::format("  {:.0f}%", 100 * p.share)));
    };
  }
  if (!options.spelling) options.spelling = library_flag;
  options.bad_rows = path + ".bad.csv";
  PoolBuildSummary built = build_pool(options, path);
  display.clear();
  if (built.num_bad > 0) {
    std::string text = fmt::format("salvo: note: {} of {} left out because the SMILES cannot be read; all are in {}\n",
                                   count(built.num_bad), plural(built.num_rows, "row"), options.bad_rows);
    for (const std::string& example : built.bad_examples) text += fmt::format("  {}\n", one_line(example));
    print_error(text);
  }
  return built;
}

std::string build_text(const PoolBuildSummary& built) {
  std::string text = fmt::format("{} from {}", plural(built.num_candidates, "candidate"), plural(built.num_rows, "row"));
  if (built.num_duplicates > 0) text += fmt::format(", {}", plural(built.num_duplicates, "duplicate"));
  if (built.num_bad > 0) text += fmt::format(", {} left out", count(built.num_bad));
  return text + fmt::format(", {}", duration(built.seconds));
}

}  // namespace salvo::app

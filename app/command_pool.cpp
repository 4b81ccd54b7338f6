#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/pool.h>

#include <algorithm>
#include <filesystem>

#include "arguments.h"
#include "json.h"
#include "output.h"
#include "pool_build.h"
#include "text.h"

namespace salvo::app {
namespace {

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) text += (i ? ", " : "") + shorten(one_line(names[i]), 40);
  if (names.size() > kShown) text += fmt::format(", … ({} in all)", names.size());
  return text;
}

std::string pool_json(const char* event, const std::string& path, const Pool& pool) {
  return JsonObject()
      .add("event", event)
      .add("file", path)
      .add("candidates", pool.size())
      .add("ids", pool.num_ids())
      .add("kind", to_string(pool.kind()))
      .add("features", static_cast<std::int64_t>(pool.num_features()))
      .raw("columns", json_list(pool.columns()))
      .raw("texts", json_list(pool.texts()))
      .add("made_by", pool.made_by())
      .add("bytes", pool.num_bytes())
      .add("checksum", pool.checksum())
      .line();
}

// Bits set on average, over at most 100,000 candidates spread evenly.
double mean_bits(const Pool& pool) {
  const std::int64_t step = std::max<std::int64_t>(1, pool.size() / 100'000);
  std::int64_t sum = 0, rows = 0;
  for (std::int64_t row = 0; row < pool.size(); row += step, ++rows)
    for (int w = 0; w < pool.words_per_row(); ++w) sum += __builtin_popcountll(pool.bits(row)[w]);
  return static_cast<double>(sum) / static_cast<double>(rows);
}

int show_info(const Common& common, const std::string& path) {
  const Pool pool = Pool::open(path);
  if (common.json) {
    print(pool_json("pool", path, pool));
    return 0;
  }
  std::string text = fmt::format("{}: {}\n\n", path, plural(pool.size(), "candidate"));
  if (pool.kind() == PoolKind::bits) {
    text +=
        fmt::format("  features  {} bits, {} of them set on average\n", count(pool.num_features()), number(mean_bits(pool), 3));
  } else {
    text += fmt::format("  features  {}: {}\n", plural(pool.num_features(), "number"), names_text(pool.columns()));
  }
  if (!pool.made_by().empty()) text += fmt::format("  made by   {}\n", one_line(pool.made_by()));
  text += fmt::format("  ids       {}, from {} to {}\n", count(pool.num_ids()), shorten(one_line(pool.id(0)), 40),
                      shorten(one_line(pool.id(pool.size() - 1)), 40));
  if (!pool.texts().empty()) text += fmt::format("  kept      {}\n", names_text(pool.texts()));
  text += fmt::format("  size      {} MB, {} bytes a candidate\n", number(static_cast<double>(pool.num_bytes()) / 1e6, 3),
                      count(pool.num_bytes() / pool.size()));
  text += fmt::format("  checksum  {}\n", pool.checksum());
  print(text);
  return 0;
}

}  // namespace

int execute(const Common& common, const PoolArgs& args) {
  if (args.action == "info") return show_info(common, args.file);
  PoolBuildOptions options = args.build;
  options.library = args.file;
  const std::string output = args.output.empty() ? pool_path_for(args.file) : args.output;
  const PoolBuildSummary built = build_pool_showing(options, output, common);
  if (common.json) {
    print(pool_json("built", output, Pool::open(output)));
  } else if (!common.quiet) {
    print(fmt::format("Wrote {}: {}.\n", output, build_text(built)));
  }
  return 0;
}

}  // namespace salvo::app

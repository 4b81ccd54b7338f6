// The paper's experiment on molecules, and its kin: how much of the best a campaign finds. One process a replicate.
#include <fmt/core.h>
#include <salvo/threads.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "experiments.h"
#include "paper/campaign.h"
#include "paper/recall_picture.h"
#include "support/replicates.h"

namespace salvo::experiments {
namespace {

using Json = nlohmann::ordered_json;

struct MoleculeSettings {
  std::string library = "cep", data, out = "molecules";
  std::vector<std::string> methods{"tanimoto-auto", "arccosine-500", "arccosine-2000", "bnn-ts",
                                   "bnn-greedy",    "greedy",        "random"};
  int seeds = 3, jobs = 1, batch = 100, batches = 50;
  std::int64_t size = 2'300'000;
  double noise = 0, alpha = PoolModelOptions{}.alpha;
  std::string inducing = "uniform", floor = "0.5";
};

std::optional<double> floor_of(const MoleculeSettings& s) {
  if (s.floor == "none") return std::nullopt;
  double value = 0;
  const char* end = s.floor.data() + s.floor.size();
  const auto [rest, wrong] = std::from_chars(s.floor.data(), end, value);
  if (wrong != std::errc() || rest != end)
    throw std::invalid_argument(fmt::format("--floor: expected a number or none, got {}", s.floor));
  return value;
}

double middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

// Median, lowest and highest of the seeds at each batch.
RecallLine line_of(const std::string& label, const std::vector<Json>& runs, const char* key, int batch) {
  RecallLine line{label, {}, {}, {}, {}};
  for (std::size_t i = 0; i < runs.front().at(key).size(); ++i) {
    std::vector<double> values;
    for (const Json& run : runs) values.push_back(run.at(key).at(i).get<double>());
    line.x.push_back(static_cast<double>(batch) * static_cast<double>(i + 1));
    line.median.push_back(middle(values));
    line.low.push_back(*std::min_element(values.begin(), values.end()));
    line.high.push_back(*std::max_element(values.begin(), values.end()));
  }
  return line;
}

int run(const MoleculeSettings& s) {
  const Library library = load_library(s.library, s.data, s.size);
  const std::string tip_name = fmt::format("top {:g}%", 100 * library.tip);
  fmt::print("{}: {} candidates of {} bits; {}\n", library.name, library.pool.size(), library.pool.num_features(),
             library.remark);
  fmt::print("{:<16} {:>9} {:>9} {:>20} {:>9} {:>6}\n", "method", "top 10%", tip_name, "lowest and highest", "seconds", "GB");
  const int count = s.seeds * static_cast<int>(s.methods.size());
  const auto texts = replicate(
      count, s.jobs,
      [&](int i) {
        set_num_threads(s.jobs > 1 ? 1 : 0);
        const CampaignOptions options{.method = s.methods[static_cast<std::size_t>(i / s.seeds)],
                                      .batch = s.batch,
                                      .num_batches = s.batches,
                                      .noise = s.noise,
                                      .alpha = s.alpha,
                                      .floor = floor_of(s),
                                      .show_progress = s.jobs == 1 && isatty(STDERR_FILENO) == 1,
                                      .inducing = parse<PoolInducing>(s.inducing),
                                      .seed = static_cast<std::uint64_t>(i % s.seeds)};
        const Curve curve = run_campaign(library, options);
        return Json{{"method", options.method}, {"seed", options.seed},     {"top", curve.top},
                    {"tip", curve.tip},         {"seconds", curve.seconds}, {"gigabytes", curve.gigabytes}}
            .dump();
      },
      [&](int i, const std::string& text) {
        if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r{} of {} {}", i + 1, count, text.empty() ? "failed\n" : "\033[K");
      });
  RecallPanel top{"top 10% found", {}}, tip{tip_name + " found", {}};
  Json out{{"library", s.library},   {"candidates", library.pool.size()},
           {"batch", s.batch},       {"batches", s.batches},
           {"noise", s.noise},       {"alpha", s.alpha},
           {"inducing", s.inducing}, {"floor", s.floor},
           {"runs", Json::array()}};
  bool complete = true;
  for (std::size_t m = 0; m < s.methods.size(); ++m) {
    std::vector<Json> runs;
    for (int seed = 0; seed < s.seeds; ++seed) {
      const std::string& text = texts[m * static_cast<std::size_t>(s.seeds) + static_cast<std::size_t>(seed)];
      complete = complete && !text.empty();
      if (!text.empty()) runs.push_back(Json::parse(text));
    }
    if (runs.empty()) continue;
    std::vector<double> seconds, memory;
    for (const Json& run : runs) {
      out["runs"].push_back(run);
      seconds.push_back(run.at("seconds").get<double>());
      memory.push_back(run.at("gigabytes").get<double>());
    }
    top.lines.push_back(line_of(s.methods[m], runs, "top", s.batch));
    tip.lines.push_back(line_of(s.methods[m], runs, "tip", s.batch));
    fmt::print("{:<16} {:>9.4f} {:>9.4f} {:>11.4f} {:>8.4f} {:>9.1f} {:>6.2f}\n", s.methods[m], top.lines.back().median.back(),
               tip.lines.back().median.back(), top.lines.back().low.back(), top.lines.back().high.back(), middle(seconds),
               *std::max_element(memory.begin(), memory.end()));
  }
  std::ofstream(s.out + ".json") << out.dump(1) << "\n";
  if (!top.lines.empty())
    write_recall(s.out + ".svg",
                 fmt::format("{}: {} candidates, batches of {}, {} seeds", s.library, library.pool.size(), s.batch, s.seeds),
                 {top, tip});
  fmt::print("wrote {0}.json and {0}.svg\n", s.out);
  return complete ? 0 : 1;
}

}  // namespace

int run_molecules(Arguments& arguments) {
  MoleculeSettings s;
  if (const char* folder = std::getenv("SALVO_DATA")) s.data = folder;
  arguments.option("library", s.library, "which one: the paper's is cep, zinc is drawn like it",
                   {"cep", "enamine", "gb1", "tfbind8", "zinc", "made"});
  arguments.option("--data", s.data, "folder of the files (or SALVO_DATA)");
  arguments.list("--methods", s.methods, "KERNEL-m (m: a number or auto), greedy, bnn-ts, bnn-ts-floor, bnn-greedy, random");
  arguments.option("--seeds", s.seeds, "replicates of each method", {1, 1000});
  arguments.option("--jobs", s.jobs, "replicates at a time", {1, 256});
  arguments.option("--batch", s.batch, "candidates a batch", {1, 100000});
  arguments.option("--batches", s.batches, "after the random first one", {0, 100000});
  arguments.option("--size", s.size, "candidates of zinc or made", {1000, 100000000});
  arguments.option("--noise", s.noise, "standard deviation of the noise, in units of the values' own", {0, 100});
  arguments.option("--alpha", s.alpha, "spread of the samples", {0, 100});
  arguments.option("--floor", s.floor, "worse values count as this, in deviations above the first batch's mean; or none");
  arguments.option("--inducing", s.inducing, "how inducing points are chosen", {"uniform", "greedy", "leaders"});
  arguments.option("--out", s.out, "JSON and SVG are written here");
  arguments.parse();
  (void)floor_of(s);  // a wrong one fails at once
  keep_memory();
  return run(s);
}

}  // namespace salvo::experiments

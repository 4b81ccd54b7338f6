#pragma once
#include <salvo/pool_model.h>

#include <string>
#include <vector>

#include "paper/library.h"

namespace salvo::experiments {

struct CampaignOptions {
  std::string method = "arccosine-500";  // KERNEL-m, greedy, bnn-ts, bnn-greedy or random
  int batch = 100, num_batches = 50;     // after the random first one
  double noise = 0;                      // standard deviation added to what is told, in units of the values' own
  double alpha = PoolModelOptions{}.alpha;
  std::optional<double> floor = PoolModelOptions{}.floor;
  bool show_progress = false;
  PoolInducing inducing = PoolInducing::uniform;
  std::uint64_t seed = 0;
};

struct Curve {
  std::vector<double> top;  // [batches + 1] share of the top 10% that was found
  std::vector<double> tip;  // of the library's tip, 1% or 0.1%
  double seconds = 0;
  double gigabytes = 0;  // at its highest
};

// Candidates at least as good as the last of the best `share`.
[[nodiscard]] std::vector<bool> best_of(const std::vector<double>& values, double share);

[[nodiscard]] Curve run_campaign(const Library& library, const CampaignOptions& options);

}  // namespace salvo::experiments

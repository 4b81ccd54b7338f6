#include "pool/choose.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace salvo {
namespace {

// How many of each sample's best to look for at first. Samples that differ mostly find one that is free among a few, and every
// one more lowers the bar for all rows; those who find none come again. Samples that agree all want the same: their lists are as
// long as the batch, if they fit. Not in subsets of their own, where they hardly meet.
std::int64_t first_depth(const Scored& samples, bool subsets, std::int64_t wanted, std::int64_t fitting) {
  constexpr double kAgree = 0.5;
  const std::int64_t few = std::clamp<std::int64_t>(samples.num_rows / 30'000, 8, 64);
  return std::min(wanted, samples.alpha < kAgree && !subsets ? std::max(few, fitting) : few);
}

struct Search {
  const Scored& samples;
  const compute::RowSet& blocked;
  bool screen;
  Key key;
  std::vector<compute::RandomSubset> subsets;  // one per path, or none
  PoolChoice& out;

  // The `depth` best of each of these samples.
  std::vector<std::vector<compute::Ranked>> best(std::span<const int> which, std::int64_t depth, bool whole_pool) {
    std::vector<compute::RandomSubset> theirs;
    if (!subsets.empty() && !whole_pool)
      for (const int b : which) theirs.push_back(subsets[static_cast<std::size_t>(b)]);
    compute::Scores scores = samples.score(which, blocked,
                                           {.depth = static_cast<int>(depth),
                                            .screen = screen,
                                            .key = key.fold(static_cast<std::uint64_t>(out.num_passes)),
                                            .subsets = theirs});
    out.num_scored += scores.num_scored;
    out.num_kept += scores.num_kept;
    out.num_refined += scores.num_refined;
    out.num_rescored += scores.num_rescored;
    ++out.num_passes;
    return std::move(scores.best);
  }
};

void finish(const std::vector<compute::Ranked>& chosen, PoolChoice& out) {
  out.values.resize(static_cast<Eigen::Index>(chosen.size()));
  for (const compute::Ranked& at : chosen) {
    out.values(static_cast<Eigen::Index>(out.rows.size())) = at.value;
    out.rows.push_back(at.row);
  }
}

}  // namespace

Scored scored(const PoolPaths& paths) {
  const auto score = [&paths](std::span<const int> which, const compute::RowSet& blocked, compute::ScoreOptions options) {
    PoolPaths probes;
    if (options.screen && paths.alpha > 0) {
      probes = draw_pool_paths(*paths.gp, *paths.prior, compute::kNumProbes, paths.alpha, options.key.fold("probes"));
      options.probes = &probes;
    }
    return static_cast<int>(which.size()) == paths.size() ? score_pool(paths, blocked, options)
                                                          : score_pool(paths.only(which), blocked, options);
  };
  return {paths.kernel->rows.size(), paths.size(), paths.alpha, score};
}

Scored scored(std::span<const PoolPaths> outputs, std::span<const compute::Samples* const> probes,
              const compute::PoolWorth& worth) {
  const auto score = [outputs, probes, &worth](std::span<const int> which, const compute::RowSet& blocked,
                                               compute::ScoreOptions options) {
    std::vector<PoolPaths> parts;
    std::vector<const compute::Samples*> samples;
    parts.reserve(outputs.size());
    for (const PoolPaths& paths : outputs)
      samples.push_back(static_cast<int>(which.size()) == paths.size() ? &paths : &parts.emplace_back(paths.only(which)));
    return compute::score_pool(samples, probes, worth.only(which), blocked, options);
  };
  return {outputs[0].kernel->rows.size(), worth.num_members(), outputs[0].alpha, score};
}

PoolChoice choose_rows(const Scored& drawn, int count, std::span<const std::int64_t> taken, const ChooseOptions& options,
                       Key key) {
  const std::int64_t N = drawn.num_rows;
  compute::RowSet blocked(N);
  std::int64_t free = N;
  for (const std::int64_t row : taken) free -= blocked.insert(row) ? 1 : 0;
  const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(count, free));
  PoolChoice out;
  if (wanted == 0) return out;
  Search search{drawn, blocked, options.screen, key.fold("screen"), {}, out};

  if (drawn.num_samples == 1 && count > 1) {
    const int all[] = {0};
    const auto lists = search.best(all, static_cast<std::int64_t>(wanted), true);
    finish(lists[0], out);
    return out;
  }

  if (options.subset > 0 && options.subset < N)
    for (int b = 0; b < drawn.num_samples; ++b)
      search.subsets.emplace_back(N, options.subset, key.fold(static_cast<std::uint64_t>(b)));
  struct Sample {
    std::vector<compute::Ranked> list;
    std::int64_t depth = 0;   // the list holds that many of its best, all there are when it is shorter
    bool whole_pool = false;  // its subset is used up
  };
  std::vector<Sample> samples(wanted);
  std::vector<int> again(wanted);  // samples that need a longer list
  std::iota(again.begin(), again.end(), 0);
  std::vector<compute::Ranked> chosen;
  // The lists hold what the full order begins with, so handing out anew with longer ones gives what the full order would.
  const std::int64_t all = static_cast<std::int64_t>(wanted);
  const auto fitting = [&](std::size_t lists) {
    return options.byte_budget / 8 / static_cast<std::int64_t>(sizeof(compute::Ranked) * lists);
  };
  for (std::int64_t depth = first_depth(drawn, !search.subsets.empty(), all, fitting(wanted)); !again.empty();
       depth = std::min(all, std::max(2 * depth, fitting(std::max<std::size_t>(1, again.size()))))) {
    for (const bool whole : {false, true}) {
      std::vector<int> which;
      for (const int b : again)
        if (samples[static_cast<std::size_t>(b)].whole_pool == whole) which.push_back(b);
      if (which.empty()) continue;
      auto found = search.best(which, depth, whole);
      for (std::size_t i = 0; i < which.size(); ++i) {
        Sample& sample = samples[static_cast<std::size_t>(which[i])];
        sample.depth = depth;
        sample.list = std::move(found[i]);
      }
    }
    chosen.clear();
    again.clear();
    std::vector<bool> used(static_cast<std::size_t>(N));
    for (std::size_t b = 0; b < wanted; ++b) {
      Sample& sample = samples[b];
      const auto free_one = std::find_if(sample.list.begin(), sample.list.end(),
                                         [&](const compute::Ranked& at) { return !used[static_cast<std::size_t>(at.row)]; });
      if (free_one == sample.list.end()) {
        if (std::ssize(sample.list) < sample.depth) {
          if (sample.whole_pool || search.subsets.empty()) throw std::runtime_error("PoolModel::choose: scores are not finite");
          sample.whole_pool = true;  // its subset has no more
        }
        again.push_back(static_cast<int>(b));
        continue;
      }
      chosen.push_back(*free_one);
      used[static_cast<std::size_t>(free_one->row)] = true;
    }
  }
  finish(chosen, out);
  return out;
}

}  // namespace salvo

#include "pool/choose.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "pool/score.h"
#include "pool/subset.h"

namespace salvo {
namespace {

// How many of each sample's best to look for at first: most samples find one that is free among them, and every one more
// lowers the bar for all rows. Those who find none come again.
std::int64_t first_depth(std::int64_t size, std::int64_t wanted) {
  return std::min(std::clamp<std::int64_t>(size / 30'000, 8, 64), wanted);
}

struct Search {
  const PoolPaths& paths;
  const std::vector<bool>& blocked;
  ScoreOptions options;
  std::vector<RandomSubset> subsets;  // one per path, or none
  PoolChoice& out;

  // Lists that hold the `depth` best of each of these paths.
  std::vector<std::vector<Contender>> contenders(std::span<const int> which, std::int64_t depth, bool whole_pool) {
    options.depth = static_cast<int>(depth);
    options.excluded = nullptr;
    if (!subsets.empty() && !whole_pool)
      options.excluded = [this, which](int b, std::int64_t row) {
        return !subsets[static_cast<std::size_t>(which[static_cast<std::size_t>(b)])].contains(row);
      };
    Scores scores = static_cast<int>(which.size()) == paths.size() ? score_pool(paths, blocked, options)
                                                                   : score_pool(paths.only(which), blocked, options);
    out.num_scored += scores.num_scored;
    out.num_refined += scores.num_refined;
    out.num_rescored += scores.num_rescored;
    ++out.num_passes;
    return std::move(scores.contenders);
  }

  // The best of these rows that are not used: in double precision where their intervals leave it open.
  Ranked best(int path, const std::vector<Contender>& rows, const std::vector<bool>& used) {
    double low = -std::numeric_limits<double>::infinity();
    for (const Contender& at : rows)
      if (!used[static_cast<std::size_t>(at.row)]) low = std::max(low, at.low);
    std::vector<Contender> close;
    for (const Contender& at : rows)
      if (!used[static_cast<std::size_t>(at.row)] && at.high >= low) close.push_back(at);
    out.num_rescored += std::ssize(close);
    return rank(paths, path, close).front();
  }
};

void finish(const std::vector<Ranked>& chosen, PoolChoice& out) {
  out.values.resize(static_cast<Eigen::Index>(chosen.size()));
  for (const Ranked& at : chosen) {
    out.values(static_cast<Eigen::Index>(out.rows.size())) = at.value;
    out.rows.push_back(at.row);
  }
}

}  // namespace

PoolChoice choose_rows(const PoolPaths& paths, int count, std::span<const std::int64_t> taken, const ChooseOptions& options,
                       Key key) {
  const std::int64_t N = paths.gp->kernel().pool.size();
  std::vector<bool> blocked(static_cast<std::size_t>(N));
  std::int64_t free = N;
  for (const std::int64_t row : taken) {
    free -= blocked[static_cast<std::size_t>(row)] ? 0 : 1;
    blocked[static_cast<std::size_t>(row)] = true;
  }
  const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(count, free));
  PoolChoice out;
  if (wanted == 0) return out;
  Search search{
      paths, blocked, {.screen = options.screen, .key = key.fold("screen"), .byte_budget = options.byte_budget}, {}, out};

  if (paths.size() == 1 && count > 1) {
    const int all[] = {0};
    const auto lists = search.contenders(all, static_cast<std::int64_t>(wanted), true);
    std::vector<Ranked> ranked = rank(paths, 0, lists[0]);
    out.num_rescored += std::ssize(ranked);
    ranked.resize(wanted);
    finish(ranked, out);
    return out;
  }

  if (options.subset > 0 && options.subset < N)
    for (int b = 0; b < paths.size(); ++b)
      search.subsets.emplace_back(N, options.subset, key.fold(static_cast<std::uint64_t>(b)));
  struct Sample {
    std::vector<Contender> list;
    std::int64_t depth = 0;   // the list holds that many of its best, all there are when it is shorter
    bool whole_pool = false;  // its subset is used up
  };
  std::vector<Sample> samples(wanted);
  std::vector<int> again(wanted);  // samples that need a longer list
  std::iota(again.begin(), again.end(), 0);
  std::vector<Ranked> chosen;
  // The lists hold what the full order begins with, so handing out anew with longer ones gives what the full order would.
  for (std::int64_t depth = first_depth(N, static_cast<std::int64_t>(wanted)); !again.empty();
       depth = static_cast<std::int64_t>(wanted)) {  // deep enough for any
    for (const bool whole : {false, true}) {
      std::vector<int> which;
      for (const int b : again)
        if (samples[static_cast<std::size_t>(b)].whole_pool == whole) which.push_back(b);
      if (which.empty()) continue;
      auto found = search.contenders(which, depth, whole);
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
      const auto gone = std::count_if(sample.list.begin(), sample.list.end(),
                                      [&](const Contender& at) { return used[static_cast<std::size_t>(at.row)]; });
      const bool enough = gone < sample.depth && gone < std::ssize(sample.list);
      if (!enough) {
        if (std::ssize(sample.list) < sample.depth) sample.whole_pool = true;  // its subset has no more
        again.push_back(static_cast<int>(b));
        continue;
      }
      chosen.push_back(search.best(static_cast<int>(b), sample.list, used));
      used[static_cast<std::size_t>(chosen.back().row)] = true;
    }
  }
  finish(chosen, out);
  return out;
}

}  // namespace salvo

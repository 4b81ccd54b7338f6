#include "pool/choose.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "pool/score.h"
#include "pool/subset.h"

namespace salvo {
namespace {

constexpr int kDepth = 8;  // of a sample's best at first; those who lose them all to others come again

struct Search {
  const PoolPaths& paths;
  const std::vector<bool>& blocked;
  ScoreOptions options;
  std::vector<RandomSubset> subsets;  // one per path, or none
  PoolChoice& out;

  // The `depth` best of each of these paths.
  std::vector<std::vector<Ranked>> best(std::span<const int> which, int depth, bool whole_pool) {
    options.depth = depth;
    if (!subsets.empty() && !whole_pool)
      options.excluded = [this, which](int b, std::int64_t row) {
        return !subsets[static_cast<std::size_t>(which[static_cast<std::size_t>(b)])].contains(row);
      };
    else
      options.excluded = nullptr;
    Scores scores = static_cast<int>(which.size()) == paths.size() ? best_rows(paths, blocked, options)
                                                                   : best_rows(paths.only(which), blocked, options);
    out.num_scored += scores.num_scored;
    out.num_refined += scores.num_refined;
    out.num_rescored += scores.num_rescored;
    ++out.num_passes;
    return std::move(scores.best);
  }
};

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
  std::vector<double> values;

  if (paths.size() == 1 && count > 1) {
    const int all[] = {0};
    const auto best = search.best(all, static_cast<int>(wanted), true);
    for (const Ranked& at : best[0]) {
      out.rows.push_back(at.row);
      values.push_back(at.value);
    }
    out.values = Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
    return out;
  }

  if (options.subset > 0 && options.subset < N)
    for (int b = 0; b < paths.size(); ++b)
      search.subsets.emplace_back(N, options.subset, key.fold(static_cast<std::uint64_t>(b)));
  std::vector<int> again(wanted);  // samples that need a longer list
  std::iota(again.begin(), again.end(), 0);
  std::vector<std::vector<Ranked>> lists(wanted);
  std::vector<char> whole_pool(wanted, 0);  // its subset is used up
  // Lists are exact beginnings of each sample's order, so handing out again with longer ones gives what the full order
  // would have given.
  for (std::int64_t depth = std::min<std::int64_t>(kDepth, free); !again.empty();
       depth = std::min<std::int64_t>(8 * depth, free)) {
    for (const char whole : {char{0}, char{1}}) {
      std::vector<int> which;
      for (const int b : again)
        if (whole_pool[static_cast<std::size_t>(b)] == whole) which.push_back(b);
      if (which.empty()) continue;
      auto found = search.best(which, static_cast<int>(depth), whole != 0);
      for (std::size_t i = 0; i < which.size(); ++i) {
        const auto b = static_cast<std::size_t>(which[i]);
        // A list that is shorter than asked for holds all that the subset has left.
        if (std::ssize(found[i]) < depth && !search.subsets.empty()) whole_pool[b] = 1;
        lists[b] = std::move(found[i]);
      }
    }
    out.rows.clear();
    values.clear();
    again.clear();
    std::vector<bool> used(static_cast<std::size_t>(N));
    for (std::size_t b = 0; b < wanted; ++b) {
      const auto at =
          std::find_if(lists[b].begin(), lists[b].end(), [&](const Ranked& r) { return !used[static_cast<std::size_t>(r.row)]; });
      if (at == lists[b].end()) {
        again.push_back(static_cast<int>(b));
        continue;
      }
      used[static_cast<std::size_t>(at->row)] = true;
      out.rows.push_back(at->row);
      values.push_back(at->value);
    }
  }
  out.values = Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
  return out;
}

}  // namespace salvo

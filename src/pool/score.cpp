#include "pool/score.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "math/parallel.h"
#include "pool/loops.h"
#include "pool/screen.h"

namespace salvo {
namespace {

constexpr std::int64_t kRows = 512;  // of a chunk: its scores for 500 paths take 1 MB
constexpr double kNothing = -std::numeric_limits<double>::infinity();

struct Found {
  int path;
  Contender at;
};

// The contenders so far, and for each path the depth-th largest lower end: a row whose upper end is below it is not among
// its best.
class Front {
 public:
  Front(int num_paths, int depth)
      : lists(static_cast<std::size_t>(num_paths)),
        floor(static_cast<std::size_t>(num_paths), kNothing),
        depth_(static_cast<std::size_t>(depth)),
        lows_(static_cast<std::size_t>(num_paths)) {}

  void insert(const Found& found) {
    const auto b = static_cast<std::size_t>(found.path);
    if (found.at.high < floor[b]) return;
    lists[b].push_back(found.at);
    ++size;
    if (found.at.low <= floor[b]) return;
    std::vector<double>& heap = lows_[b];  // the smallest first
    heap.push_back(found.at.low);
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
    if (heap.size() > depth_) {
      std::pop_heap(heap.begin(), heap.end(), std::greater<>());
      heap.pop_back();
    }
    if (heap.size() == depth_) floor[b] = heap.front();
  }

  void prune() {
    size = 0;
    for (std::size_t b = 0; b < lists.size(); ++b) {
      std::erase_if(lists[b], [&](const Contender& at) { return at.high < floor[b]; });
      size += lists[b].size();
    }
  }

  // Puts values in place of intervals and keeps the depth best of each path: what ties leave open cannot grow.
  void settle(const PoolPaths& paths) {
    parallel_for(std::ssize(lists), [&](std::int64_t b) {
      auto& list = lists[static_cast<std::size_t>(b)];
      std::vector<Ranked> ranked = rank(paths, static_cast<int>(b), list);
      ranked.resize(std::min(ranked.size(), depth_));
      list.clear();
      for (const Ranked& at : ranked) list.push_back({at.row, at.value, at.value});
    });
    prune();
  }

  std::vector<std::vector<Contender>> lists;
  std::vector<double> floor;
  std::size_t size = 0;

 private:
  std::size_t depth_;
  std::vector<std::vector<double>> lows_;
};

// Scores rows [begin, end) by the screen, and in single precision where that leaves a path's best open.
std::vector<Found> score_chunk(const Screen& screen, const FloatPaths& refined, const std::vector<double>& floor,
                               const std::vector<bool>& blocked, const ScoreOptions& options, std::int64_t begin,
                               std::int64_t end, std::int64_t& num_refined) {
  const int B = refined.paths.size();
  static thread_local std::vector<float> scores, factors, thresholds, features;
  scores.resize(static_cast<std::size_t>((end - begin) * B));
  factors.resize(static_cast<std::size_t>(end - begin));
  features.resize(static_cast<std::size_t>(refined.paths.width()));
  thresholds.resize(static_cast<std::size_t>(B));
  for (std::size_t b = 0; b < thresholds.size(); ++b)
    thresholds[b] = static_cast<float>(floor[b] - static_cast<double>(screen.constant()[b]));
  screen.score(begin, end, scores.data(), factors.data());
  std::vector<Found> found;
  for (std::int64_t row = begin; row < end; ++row) {
    if (blocked[static_cast<std::size_t>(row)]) continue;
    const float factor = factors[static_cast<std::size_t>(row - begin)];
    const float* s = scores.data() + (row - begin) * B;
    if (!any_reaches(s, screen.slope().data(), factor, thresholds.data(), B)) continue;
    bool have_features = false;
    for (int b = 0; b < B; ++b) {
      const auto i = static_cast<std::size_t>(b);
      if (!(s[b] + screen.slope()[i] * factor >= thresholds[i])) continue;
      if (options.excluded && options.excluded(b, row)) continue;
      if (!have_features) refined.features(row, features.data());
      have_features = true;
      ++num_refined;
      const double value = refined.value(b, features.data()), error = static_cast<double>(refined.errors[i]);
      if (value + error >= floor[i]) found.push_back({b, {row, value - error, value + error}});
    }
  }
  return found;
}

}  // namespace

std::vector<Ranked> rank(const PoolPaths& paths, int path, const std::vector<Contender>& rows) {
  std::vector<double> features(static_cast<std::size_t>(paths.width()));
  std::vector<Ranked> out;
  for (const Contender& at : rows) {
    path_features(paths, at.row, features.data());
    out.push_back({at.row, path_value(paths, path, features.data())});
  }
  std::sort(out.begin(), out.end(), before);
  return out;
}

Scores score_pool(const PoolPaths& paths, const std::vector<bool>& blocked, const ScoreOptions& options) {
  const std::int64_t N = paths.gp->kernel().pool.size(), num_chunks = (N + kRows - 1) / kRows;
  const FloatPaths refined(paths);
  const auto screen = options.screen ? byte_screen(paths, options.key) : float_screen(refined);
  const auto limit = static_cast<std::size_t>(options.byte_budget / 8) / sizeof(Contender);
  Front front(paths.size(), options.depth);
  std::atomic<std::int64_t> num_refined{0};
  std::int64_t num_rescored = 0;
  // Rounds of chunks: inside one the floors stand still, so that its tasks do not wait for each other.
  std::int64_t next = 0;
  for (std::int64_t round = 1; next < num_chunks; round = std::min<std::int64_t>(2 * round, 64)) {
    const std::int64_t count = std::min(round, num_chunks - next);
    std::vector<std::vector<Found>> found(static_cast<std::size_t>(count));
    parallel_for(count, [&](std::int64_t task) {
      const std::int64_t begin = (next + task) * kRows;
      std::int64_t mine = 0;
      found[static_cast<std::size_t>(task)] =
          score_chunk(*screen, refined, front.floor, blocked, options, begin, std::min(N, begin + kRows), mine);
      num_refined += mine;
    });
    next += count;
    for (const auto& list : found)
      for (const Found& at : list) front.insert(at);
    if (front.size > limit) front.prune();
    if (front.size > limit / 2) {
      num_rescored += static_cast<std::int64_t>(front.size);
      front.settle(paths);
    }
  }
  front.prune();
  return {std::move(front.lists), N * paths.size(), num_refined, num_rescored};
}

}  // namespace salvo

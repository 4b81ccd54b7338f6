#include "pool/score.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/parallel.h"
#include "pool/loops.h"
#include "pool/screen.h"

namespace salvo {
namespace {

constexpr std::int64_t kRows = 512;  // of a chunk: its scores for 500 paths take 1 MB
constexpr int kGrowing = 6;          // rounds of 1, 2, 4, … 64 chunks: the floors rise fast at first
constexpr double kNothing = -std::numeric_limits<double>::infinity();

struct Found {
  int path;
  Ranked at;
};

// The best rows of each path so far. Its floor is the value of the last of them: what is lower is not among its best.
class Front {
 public:
  Front(int num_paths, int depth)
      : best(static_cast<std::size_t>(num_paths)),
        floor(static_cast<std::size_t>(num_paths), kNothing),
        depth_(static_cast<std::size_t>(depth)) {}

  void insert(const Found& found) {
    const auto b = static_cast<std::size_t>(found.path);
    std::vector<Ranked>& heap = best[b];  // the last one first
    if (heap.size() == depth_) {
      if (!before(found.at, heap.front())) return;
      std::pop_heap(heap.begin(), heap.end(), before);
      heap.back() = found.at;
    } else {
      heap.push_back(found.at);
    }
    std::push_heap(heap.begin(), heap.end(), before);
    if (heap.size() == depth_) floor[b] = heap.front().value;
  }

  void sort() {
    for (std::vector<Ranked>& heap : best) std::sort_heap(heap.begin(), heap.end(), before);
  }

  std::vector<std::vector<Ranked>> best;
  std::vector<double> floor;

 private:
  std::size_t depth_;
};

struct Chunk {
  std::vector<Found> found;
  std::int64_t num_rows = 0, num_kept = 0, num_refined = 0, num_rescored = 0;
};

// A path and one of a chunk's rows.
struct Pair {
  int path;
  std::size_t row;
};

// Scores rows [begin, end) by the screen; then in single precision what that leaves open, and in double what is open still.
Chunk score_chunk(const FloatPaths& singles, const Screen& screen, const std::vector<double>& floor, double bar,
                  const std::vector<bool>& blocked, const ScoreOptions& options, std::int64_t begin, std::int64_t end) {
  const PoolPaths& paths = singles.paths;
  const int B = paths.size();
  static thread_local std::vector<float> scores, factors, thresholds, features;
  static thread_local std::vector<std::int64_t> rows;
  rows.clear();
  for (std::int64_t row = begin; row < end; ++row)
    if (!blocked[static_cast<std::size_t>(row)]) rows.push_back(row);
  scores.resize(rows.size() * static_cast<std::size_t>(B));
  factors.resize(rows.size());
  features.resize(static_cast<std::size_t>(paths.width()));
  thresholds.clear();
  for (std::size_t b = 0; b < floor.size(); ++b)
    thresholds.push_back(static_cast<float>(floor[b] - static_cast<double>(screen.constant()[b])));
  Chunk out{{}, std::ssize(rows), screen.score(rows, bar, scores.data(), factors.data()), 0};

  std::vector<Pair> open;
  std::vector<std::int64_t> open_rows;
  for (std::size_t k = 0; k < static_cast<std::size_t>(out.num_kept); ++k) {
    const float* s = scores.data() + k * static_cast<std::size_t>(B);
    if (!any_reaches(s, screen.slope().data(), factors[k], thresholds.data(), B)) continue;
    const std::size_t before = open.size();
    bool have_features = false;
    for (int b = 0; b < B; ++b) {
      const auto i = static_cast<std::size_t>(b);
      if (!(s[b] + screen.slope()[i] * factors[k] >= thresholds[i])) continue;
      if (options.excluded && options.excluded(b, rows[k])) continue;
      if (!have_features) singles.features(rows[k], features.data());
      have_features = true;
      ++out.num_refined;
      if (singles.value(b, features.data()) + singles.errors[i] >= floor[i]) open.push_back({b, open_rows.size()});
    }
    if (open.size() > before) open_rows.push_back(rows[k]);
  }
  Matrix exact(std::ssize(open_rows), paths.width());
  for (Eigen::Index i = 0; i < exact.rows(); ++i)
    path_features(paths, open_rows[static_cast<std::size_t>(i)], exact.row(i).data());
  // Path by path: samples that agree share their rows, and each one's weights are fetched once.
  std::stable_sort(open.begin(), open.end(), [](const Pair& a, const Pair& b) { return a.path < b.path; });
  for (const Pair& at : open) {
    const double value = path_value(paths, at.path, exact.row(static_cast<Eigen::Index>(at.row)).data());
    if (value >= floor[static_cast<std::size_t>(at.path)]) out.found.push_back({at.path, {open_rows[at.row], value}});
  }
  out.num_rescored = std::ssize(open);
  return out;
}

}  // namespace

Scores score_pool(const PoolPaths& paths, const std::vector<bool>& blocked, const ScoreOptions& options) {
  const std::int64_t N = paths.gp->kernel().pool.size(), num_chunks = (N + kRows - 1) / kRows;
  const FloatPaths singles(paths);
  const auto screen = options.screen ? byte_screen(paths, options.key) : float_screen(singles);
  Front front(paths.size(), options.depth);
  Scores out{{}, N * paths.size()};
  std::int64_t next = 0;
  bool pays = true;  // to look for rows below every path's floor first
  // Rounds of chunks: inside one the floors stand still, so that its tasks do not wait for each other.
  for (std::int64_t round = 1; next < num_chunks; ++round) {
    const double lowest = *std::min_element(front.floor.begin(), front.floor.end());
    // Before every path has a floor everything is a find: two chunks of that at a time.
    const std::int64_t size = lowest > kNothing ? std::int64_t{1} << std::min<std::int64_t>(round - 1, kGrowing) : 2;
    const std::int64_t count = std::min(size, num_chunks - next);
    const bool looks = pays || round <= kGrowing + 1 || round % 8 == 0;
    const double bar = looks ? lowest : kNothing;
    std::vector<Chunk> chunks(static_cast<std::size_t>(count));
    parallel_for(count, [&](std::int64_t task) {
      const std::int64_t begin = (next + task) * kRows;
      chunks[static_cast<std::size_t>(task)] =
          score_chunk(singles, *screen, front.floor, bar, blocked, options, begin, std::min(N, begin + kRows));
    });
    next += count;
    std::int64_t rows = 0, kept = 0;
    for (const Chunk& chunk : chunks) {
      rows += chunk.num_rows;
      kept += chunk.num_kept;
      out.num_refined += chunk.num_refined;
      out.num_rescored += chunk.num_rescored;
      for (const Found& at : chunk.found) front.insert(at);
    }
    out.num_kept += kept * paths.size();
    if (looks) pays = 4 * kept < 3 * rows;
  }
  front.sort();
  out.best = std::move(front.best);
  return out;
}

}  // namespace salvo

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
constexpr float kNothing = -std::numeric_limits<float>::infinity();

// A row that may be among a path's best: its value lies between low and high.
struct Open {
  std::int64_t row;
  int path;
  float low, high;
};

// What is known of each path's best so far.
class Front {
 public:
  Front(int num_paths, int depth)
      : depth_(static_cast<std::size_t>(depth)),
        lows_(static_cast<std::size_t>(num_paths)),
        floor_(static_cast<std::size_t>(num_paths), kNothing) {}
  // The depth-th largest lower end: a row whose upper end is below it is not among the best.
  [[nodiscard]] const std::vector<float>& floor() const { return floor_; }
  void raise(const Open& open) {
    const auto b = static_cast<std::size_t>(open.path);
    if (open.low <= floor_[b]) return;
    std::vector<float>& heap = lows_[b];  // the smallest first
    heap.push_back(open.low);
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
    if (heap.size() > depth_) {
      std::pop_heap(heap.begin(), heap.end(), std::greater<>());
      heap.pop_back();
    }
    if (heap.size() == depth_) floor_[b] = heap.front();
  }

 private:
  std::size_t depth_;
  std::vector<std::vector<float>> lows_;
  std::vector<float> floor_;
};

struct Settled {
  std::vector<std::vector<Ranked>> best;
  std::int64_t count = 0;
};

// Computes the open rows in double precision, one row for all its paths at a time.
void settle(const PoolPaths& paths, std::vector<Open>& open, int depth, Settled& settled) {
  std::sort(open.begin(), open.end(),
            [](const Open& a, const Open& b) { return a.row != b.row ? a.row < b.row : a.path < b.path; });
  std::vector<double> values(open.size());
  parallel_blocks(static_cast<std::int64_t>(open.size()), 256, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> features(static_cast<std::size_t>(paths.width()));
    std::int64_t row = -1;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      if (open[i].row != row) path_features(paths, row = open[i].row, features.data());
      values[i] = path_value(paths, open[i].path, features.data());
    }
  });
  for (std::size_t i = 0; i < open.size(); ++i)
    settled.best[static_cast<std::size_t>(open[i].path)].push_back({open[i].row, values[i]});
  for (auto& list : settled.best) {
    const auto keep = std::min(list.size(), static_cast<std::size_t>(depth));
    std::partial_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(keep), list.end(), before);
    list.resize(keep);
  }
  settled.count += static_cast<std::int64_t>(open.size());
  open.clear();
}

// The rows of one chunk: scored by the screen, in single precision where that leaves a path's best open.
struct Chunk {
  const PoolPaths& paths;
  const FloatPaths& refined;
  const Screen& screen;
  const ScoreOptions& options;
  const std::vector<bool>& blocked;
  Front front;  // a copy: raised by what this chunk finds
  std::vector<Open> open;
  std::int64_t num_refined = 0;
  std::vector<float> thresholds{};

  void run(std::int64_t begin, std::int64_t end) {
    const int B = paths.size();
    static thread_local std::vector<float> scores, factors, features;
    scores.resize(static_cast<std::size_t>((end - begin) * B));
    factors.resize(static_cast<std::size_t>(end - begin));
    thresholds.resize(static_cast<std::size_t>(B));
    features.resize(static_cast<std::size_t>(paths.width()));
    screen.score(begin, end, scores.data(), factors.data());
    for (int b = 0; b < B; ++b) set_threshold(b);
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
        const auto value = static_cast<float>(refined.value(b, features.data()));
        const Open at{row, b, value - refined.errors[i], value + refined.errors[i]};
        if (at.high < front.floor()[i]) continue;
        open.push_back(at);
        front.raise(at);
        set_threshold(b);
      }
    }
  }

  void set_threshold(int b) {
    const auto i = static_cast<std::size_t>(b);
    thresholds[i] = front.floor()[i] - screen.constant()[i];
  }
};

}  // namespace

Scores best_rows(const PoolPaths& paths, const std::vector<bool>& blocked, const ScoreOptions& options) {
  const std::int64_t N = paths.gp->kernel().pool.size(), num_chunks = (N + kRows - 1) / kRows;
  const int B = paths.size();
  const FloatPaths refined(paths);
  const auto screen = options.screen ? byte_screen(paths, options.key) : float_screen(refined);
  Front front(B, options.depth);
  Settled settled{std::vector<std::vector<Ranked>>(static_cast<std::size_t>(B)), 0};
  std::vector<Open> open;
  const auto limit = static_cast<std::size_t>(std::max<std::int64_t>(options.byte_budget / 4, 1 << 20)) / sizeof(Open);
  std::atomic<std::int64_t> num_refined{0};

  // Rounds of chunks: inside one the floors of all stand still, so that its tasks do not wait for each other, and each
  // task raises its own.
  std::int64_t next = 0;
  for (std::int64_t round = 1; next < num_chunks; round = std::min<std::int64_t>(2 * round, 64)) {
    const std::int64_t count = std::min(round, num_chunks - next);
    std::vector<std::vector<Open>> found(static_cast<std::size_t>(count));
    parallel_for(count, [&](std::int64_t task) {
      Chunk chunk{paths, refined, *screen, options, blocked, front, {}, 0};
      const std::int64_t begin = (next + task) * kRows;
      chunk.run(begin, std::min(N, begin + kRows));
      num_refined += chunk.num_refined;
      found[static_cast<std::size_t>(task)] = std::move(chunk.open);
    });
    next += count;
    for (const auto& list : found)
      for (const Open& at : list) {
        front.raise(at);
        open.push_back(at);
      }
    if (open.size() > limit || next == num_chunks) {
      std::erase_if(open, [&](const Open& at) { return at.high < front.floor()[static_cast<std::size_t>(at.path)]; });
      if (open.size() > limit / 2 || next == num_chunks) settle(paths, open, options.depth, settled);
    }
  }
  return {std::move(settled.best), N * B, num_refined, settled.count};
}

}  // namespace salvo

#include "compute/pool_score.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/clones.h"
#include "compute/cpu/pool_loops.h"
#include "compute/cpu/pool_rounds.h"
#include "compute/cpu/screen.h"
#include "math/parallel.h"

namespace salvo::compute {
namespace {

constexpr std::int64_t kRows = 512;  // of a chunk: its scores for 500 samples take 1 MB
constexpr int kGrowing = 6;          // rounds of 1, 2, 4, … 64 chunks: the floors rise fast at first
constexpr double kNothing = -std::numeric_limits<double>::infinity();

// Vectors the compiler keeps in registers: 32 sums side by side, in an order that is the same wherever it is called from.
using Doubles = double __attribute__((vector_size(64), aligned(8), may_alias));

SALVO_CLONES double dot(const double* a, const double* b, std::ptrdiff_t size) {
  Doubles s0{}, s1{}, s2{}, s3{};
  std::ptrdiff_t i = 0;
  for (; i + 32 <= size; i += 32) {
    const auto* x = reinterpret_cast<const Doubles*>(a + i);
    const auto* y = reinterpret_cast<const Doubles*>(b + i);
    s0 += x[0] * y[0];
    s1 += x[1] * y[1];
    s2 += x[2] * y[2];
    s3 += x[3] * y[3];
  }
  const Doubles sums = (s0 + s1) + (s2 + s3);
  double rest = 0;
  for (; i < size; ++i) rest += a[i] * b[i];
  return (((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))) + rest;
}

// The best rows of each sample so far. Its floor is the value of the last of them: what is lower is not among its best.
class Front {
 public:
  Front(int num_samples, int depth)
      : best(static_cast<std::size_t>(num_samples)),
        floor(static_cast<std::size_t>(num_samples), kNothing),
        depth_(static_cast<std::size_t>(depth)) {}

  void insert(const Found& found) {
    const auto b = static_cast<std::size_t>(found.sample);
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

// Scores rows [begin, end) by the screen; then in single precision what that leaves open, and in double what is open still.
Chunk score_chunk(const FloatSamples& singles, const Screen& screen, const std::vector<double>& floor, double bar,
                  const RowSet& blocked, const ScoreOptions& options, std::int64_t begin, std::int64_t end) {
  const Samples& samples = singles.samples;
  const int B = samples.size();
  static thread_local std::vector<float> scores, factors, thresholds, features;
  static thread_local std::vector<std::int64_t> rows;
  rows.clear();
  for (std::int64_t row = begin; row < end; ++row)
    if (!blocked.contains(row)) rows.push_back(row);
  scores.resize(rows.size() * static_cast<std::size_t>(B));
  factors.resize(rows.size());
  features.resize(static_cast<std::size_t>(samples.width()));
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
      if (!options.subsets.empty() && !options.subsets[i].contains(rows[k])) continue;
      if (!have_features) singles.features(rows[k], features.data());
      have_features = true;
      ++out.num_refined;
      if (singles.value(b, features.data()) + singles.errors[i] >= floor[i]) open.push_back({b, open_rows.size()});
    }
    if (open.size() > before) open_rows.push_back(rows[k]);
  }
  Matrix exact(std::ssize(open_rows), samples.width());
  for (Eigen::Index i = 0; i < exact.rows(); ++i)
    path_features(samples, open_rows[static_cast<std::size_t>(i)], exact.row(i).data());
  // Sample by sample: those that agree share their rows, and each one's weights are fetched once.
  std::stable_sort(open.begin(), open.end(), [](const Pair& a, const Pair& b) { return a.sample < b.sample; });
  for (const Pair& at : open) {
    const double value = path_value(samples, at.sample, exact.row(static_cast<Eigen::Index>(at.row)).data());
    if (value >= floor[static_cast<std::size_t>(at.sample)]) out.found.push_back({at.sample, {open_rows[at.row], value}});
  }
  out.num_rescored = std::ssize(open);
  return out;
}

}  // namespace

void path_features(const Samples& samples, std::int64_t row, double* features) {
  feature_row(*samples.prior, samples.kernel->rows, row, features, samples.bits(row));
  kernel_row(*samples.kernel, row, *samples.inducing, features + samples.w.cols());
}

double path_value(const Samples& samples, int sample, const double* features) {
  return samples.offset(sample) + dot(features, samples.w.row(sample).data(), samples.w.cols()) +
         dot(features + samples.w.cols(), samples.v.row(sample).data(), samples.v.cols());
}

Scores score_in_rounds(std::int64_t N, int B, int depth, const ScoreChunk& score_chunk) {
  const std::int64_t num_chunks = (N + kRows - 1) / kRows;
  Front front(B, depth);
  Scores out{{}, N * B};
  std::int64_t next = 0;
  bool pays = true;  // to look for rows below every sample's floor first
  // Rounds of chunks: inside one the floors stand still, so that its tasks do not wait for each other.
  for (std::int64_t round = 1; next < num_chunks; ++round) {
    const double lowest = *std::min_element(front.floor.begin(), front.floor.end());
    // Before every sample has a floor everything is a find: two chunks of that at a time.
    const std::int64_t size = lowest > kNothing ? std::int64_t{1} << std::min<std::int64_t>(round - 1, kGrowing) : 2;
    const std::int64_t count = std::min(size, num_chunks - next);
    const bool looks = pays || round <= kGrowing + 1 || round % 8 == 0;
    const double bar = looks ? lowest : kNothing;
    std::vector<Chunk> chunks(static_cast<std::size_t>(count));
    parallel_for(count, [&](std::int64_t task) {
      const std::int64_t begin = (next + task) * kRows;
      chunks[static_cast<std::size_t>(task)] = score_chunk(front.floor, bar, begin, std::min(N, begin + kRows));
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
    out.num_kept += kept * B;
    if (looks) pays = 4 * kept < 3 * rows;
  }
  front.sort();
  out.best = std::move(front.best);
  return out;
}

Scores score_pool(const Samples& samples, const RowSet& blocked, const ScoreOptions& options) {
  const FloatSamples singles(samples);
  const auto screen = options.screen ? byte_screen(samples, options.probes, options.key) : float_screen(singles);
  return score_in_rounds(samples.kernel->rows.size(), samples.size(), options.depth,
                         [&](const std::vector<double>& floor, double bar, std::int64_t begin, std::int64_t end) {
                           return score_chunk(singles, *screen, floor, bar, blocked, options, begin, end);
                         });
}

}  // namespace salvo::compute

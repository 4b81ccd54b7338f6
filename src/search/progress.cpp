#include "search/progress.h"

#include <algorithm>
#include <cmath>

namespace salvo {
namespace {

constexpr double kShortest = 1e-9, kLongest = 1.6;  // of the region's sides
constexpr double kElsewhere = 0.4;                  // of a region whose best point was found outside the last one
constexpr int kSuccesses = 3;     // batches in a row with a better point, after which it doubles; one without halves it
constexpr double kBetter = 1e-3;  // of the distance from the best to the middling: less is no success
constexpr double kMemory = 0.8;   // how much of its credit a part of the search keeps from batch to batch

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Progress replay_progress(const Observations& data, const std::vector<std::int64_t>& rows, int batch, int num_dims,
                         double counted) {
  Progress out;
  std::int64_t best = -1, now = -1;  // rows: of all so far, of the batch at hand
  double local = 0, whole = 0;       // credit
  int successes = 0, seen = 0;
  std::vector<double> values;  // of the batch at hand
  for (const std::int64_t row : rows) {
    const auto better_than = [&](std::int64_t other) { return other < 0 || data.y(row) > data.y(other); };
    if (!chosen_by_search(data.source(row))) {
      if (better_than(best)) best = row;
      continue;
    }
    if (better_than(now)) now = row;
    if (data.y(row) >= counted) values.push_back(data.y(row));
    if (++seen < std::max(batch, num_dims)) continue;
    seen = 0;
    local *= kMemory;
    whole *= kMemory;
    const bool better = best < 0 || data.y(now) > data.y(best);
    const bool success =
        best < 0 ||
        data.y(now) - data.y(best) > kBetter * std::max(0.0, data.y(best) - (values.empty() ? data.y(best) : median_of(values)));
    if (better) {
      (data.source(now) == Source::local ? local : whole) += 1;
      if (best >= 0 && (data.X().row(now) - data.X().row(best)).cwiseAbs().maxCoeff() > 2 * out.length) out.length = kElsewhere;
      best = now;
    }
    successes = better && success ? successes + 1 : 0;
    if (successes == kSuccesses) {
      out.length = std::min(kLongest, 2 * out.length);
      successes = 0;
    } else if (!(better && success)) {
      out.length = std::max(kShortest, out.length / 2);
    }
    values.clear();
    now = -1;
  }
  out.local_share = (1 + local) / (2 + local + whole);
  return out;
}

}  // namespace salvo

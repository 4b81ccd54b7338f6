// How a search goes that has several outputs: which share of a batch goes around the best, and how far from it.
#include <algorithm>
#include <cmath>

#include "search/outputs_searcher.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr double kLeastShare = 0.6, kLeastFrontShare = 0.25, kLeastNoisyShare = 0.1;  // of a batch that goes around the best
constexpr double kSmallestNoisyLength = 0.1;  // of a region's sides: what is smaller shows nothing but noise
constexpr double kSmallestFront = 0.1;        // the same of a front, which is long
constexpr int kDirections = 64;               // along which a front is looked at
constexpr double kFrontBetter = 1e-3;         // of what a front is worth: a batch that adds less is no success

// How a front goes that grows: a batch was a success if what it is worth along many directions has grown.
Progress replay_front(const Standing& all, const Scalarised& along, int num_directions, int num_objectives, int batch) {
  constexpr double kShortest = 1e-6, kLongest = 1.6, kKept = 0.8;
  constexpr int kInARow = 3;
  Progress out;
  Vector best = Vector::Zero(num_directions), now = best;
  std::vector<Source> by(static_cast<std::size_t>(num_directions));
  double local = 0, whole = 0;
  int seen = 0, successes = 0;
  for (Index i = 0; i < all.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool chosen = chosen_by_search(all.sources[at]);
    if (all.complete[at] && all.missed(i) == 0) {
      const Eigen::RowVectorXd f = all.mean.row(i).head(num_objectives);
      for (int b = 0; b < num_directions; ++b) {
        const double value = along.of_values(b, {f.data(), static_cast<std::size_t>(f.size())});
        if (!(value > now(b))) continue;
        now(b) = value;
        by[static_cast<std::size_t>(b)] = all.sources[at];
      }
    }
    if (!chosen) {
      best = best.cwiseMax(now);
      continue;
    }
    if (++seen < batch) continue;
    seen = 0;
    local *= kKept;
    whole *= kKept;
    const Vector gain = now - best;
    const double sum = gain.sum();
    for (int b = 0; b < num_directions && sum > 0; ++b)
      (by[static_cast<std::size_t>(b)] == Source::local ? local : whole) += gain(b) / sum;
    const bool success = sum > kFrontBetter * best.sum();
    best = now;
    successes = success ? successes + 1 : 0;
    if (successes == kInARow) {
      out.length = std::min(kLongest, 2 * out.length);
      successes = 0;
    } else if (!success) {
      out.length = std::max(kShortest, out.length / 2);
    }
  }
  out.local_share = (1 + local) / (2 + local + whole);
  return out;
}

}  // namespace

Progress OutputsSearcher::progress() const {
  Progress out;
  if (num_objectives_ == 1) {
    const Observations data = ordered();
    double counted = std::numeric_limits<double>::lowest();
    if (standing_.holds) {
      counted = std::numeric_limits<double>::infinity();
      for (Index i = 0; i < standing_.size(); ++i)
        if (standing_.missed(i) == 0 && standing_.complete[static_cast<std::size_t>(i)]) counted = std::min(counted, data.y(i));
    }
    out = replay_progress(data, data.by_id(0, data.size()), batch_, space_.num_free(), counted);
  } else {
    const Scalarised along(scales(nullptr), far(),
                           random_directions(kDirections, num_objectives_, Key(0).fold("along the front")));
    out = replay_front(standing_, along, kDirections, num_objectives_, std::max(batch_, space_.num_free()));
    out.length = std::max(out.length, kSmallestFront);
  }
  double noise = 0;
  for (const OutputModel& output : outputs_)
    if (output.learned() && !output.quiet()) noise = std::max(noise, std::min(1.0, output.shape().hyper.noise));
  const double most = learning_.model.local_share;
  if (noise > 0) {
    out.local_share = std::clamp((1 - noise) * out.local_share, std::min(kLeastNoisyShare, most), most);
    out.length = std::max(out.length, kSmallestNoisyLength);
  } else {
    out.local_share = std::clamp(out.local_share, std::min(num_objectives_ > 1 ? kLeastFrontShare : kLeastShare, most), most);
  }
  return out;
}

}  // namespace salvo

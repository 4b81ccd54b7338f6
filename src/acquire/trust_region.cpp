#include "acquire/trust_region.h"

#include <salvo/paths.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "acquire/acquire.h"
#include "sample/candidates.h"
#include "sample/taken.h"

namespace salvo {
namespace {

using Index = Eigen::Index;
constexpr Index kMaxCandidates = 5000;
constexpr int kPathsAtOnce = 256;  // drawn and scored at once
constexpr double kChanged = 20;    // coordinates of a candidate that differ from the centre, on average

// Candidates in the region: the centre with some of its parameters moved, continuous ones inside the box, discrete ones
// anywhere.
Matrix candidates(const Situation& now, const Matrix& centre, double length, Key key) {
  const Encoding& space = now.space;
  const Vector& ell = now.gp.hyper().kernel.lengthscales;
  const auto& continuous = space.continuous_dims();
  double log_mean = 0;
  for (const int e : continuous) log_mean += std::log(ell(e)) / static_cast<double>(continuous.size());
  Matrix X = random_points(space, std::min<Index>(kMaxCandidates, Index{100} * space.num_free()), key.fold("points"));
  const Matrix moved = X;
  const auto parts = static_cast<std::uint64_t>(continuous.size() + space.discretes().size());
  const double share = std::min(1.0, kChanged / static_cast<double>(parts));
  for (Index i = 0; i < X.rows(); ++i) {
    const Key mine = key.fold("changed").fold(static_cast<std::uint64_t>(i));
    const std::uint64_t surely = mine.at(parts).below(parts);  // one at least
    std::uint64_t part = 0;
    const auto changes = [&] { return part == surely || mine.uniform(part) < share; };
    X.row(i) = centre;
    for (const int e : continuous) {
      const double half = 0.5 * length * std::exp(std::log(ell(e)) - log_mean);
      const double low = std::max(0.0, centre(0, e) - half), high = std::min(1.0, centre(0, e) + half);
      if (changes()) X(i, e) = low + (high - low) * moved(i, e);
      ++part;
    }
    for (const Encoding::Discrete& discrete : space.discretes()) {
      if (changes()) X.block(i, discrete.offset, 1, discrete.width) = moved.block(i, discrete.offset, 1, discrete.width);
      ++part;
    }
    space.snap(row_of(X, i));
  }
  return X;
}

}  // namespace

TrustRegion replay(const Vector& y, const std::vector<bool>& chosen, int batch, int num_dims) {
  const int patience = static_cast<int>(std::ceil(std::max(4.0, static_cast<double>(num_dims)) / batch));
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  TrustRegion region;
  double best = kNothing, now = kNothing;  // since the start; of the batch that is coming in
  int size = 0, successes = 0, failures = 0;
  for (Index i = 0; i < y.size(); ++i) {
    if (!chosen[static_cast<std::size_t>(i)]) {  // says what is known, and nothing about the region
      best = std::max(best, y(i));
      continue;
    }
    now = std::max(now, y(i));
    if (++size < batch) continue;
    const bool first = best == kNothing, better = now > best + 1e-3 * std::max(1.0, std::abs(best));
    best = std::max(best, now);
    size = 0;
    now = kNothing;
    if (first) continue;  // a start's own design
    successes = better ? successes + 1 : 0;
    failures = better ? 0 : failures + 1;
    if (successes == TrustRegion::kSuccesses) {
      region.length = std::min(2 * region.length, TrustRegion::kLargest);
      successes = 0;
    } else if (failures == patience) {
      region.length /= 2;
      failures = 0;
    }
    if (region.length < TrustRegion::kSmallest) {
      region = {.begin = i + 1};
      best = kNothing;
      successes = failures = 0;
    }
  }
  return region;
}

Matrix trust_region(const Situation& now) {
  const Timer timer(now.seconds.maximise);
  const TrustRegion region = replay(now.y(now.by_trial), now.chosen, now.batch, now.space.num_free());
  Taken taken(now.taken);
  Matrix out(now.size, now.space.num_dims());
  if (region.begin >= now.X.rows()) {  // a new start: a design of its own
    for (int i = 0; i < now.size; ++i)
      out.row(i) = free_point(now.space, taken, now.key.fold("start").fold(static_cast<std::uint64_t>(i)));
    return out;
  }
  const Matrix mine = now.X(std::vector(now.by_trial.begin() + region.begin, now.by_trial.end()), Eigen::all);
  Index best = 0;
  now.gp.predict_mean(mine).maxCoeff(&best);
  Matrix X = candidates(now, mine.row(best), region.length, now.key.fold("candidates"));
  for (int begin = 0; begin < now.size; begin += kPathsAtOnce) {
    const int count = std::min(kPathsAtOnce, now.size - begin);
    const Paths paths = draw_paths(now.gp,
                                   {.num_paths = count,
                                    .num_features = now.model.num_features,
                                    .alpha = now.model.alpha.value(),
                                    .features = now.model.features,
                                    .eigenfunctions = now.model.eigenfunctions},
                                   now.key.fold("draw").fold(static_cast<std::uint64_t>(begin)));
    const Matrix V = paths.values(X);  // [N,count]
    for (int b = 0; b < count; ++b) {
      const auto another = now.key.fold("another").fold(static_cast<std::uint64_t>(begin) + static_cast<std::uint64_t>(b));
      if (!take_best(X, V.col(b), taken, out.row(begin + b))) out.row(begin + b) = free_point(now.space, taken, another);
    }
  }
  return out;
}

}  // namespace salvo

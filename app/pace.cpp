#include "pace.h"

#include <algorithm>

namespace salvo::app {

Pace pace(const std::vector<Trial>& trials) {
  std::vector<const Trial*> own;
  Pace out;
  for (const Trial& trial : trials) {
    out.last = std::max(out.last, trial.told_at);
    const TrialState state = trial.state();
    if (trial.source != salvo::Source::told && (state == TrialState::done || state == TrialState::failed)) own.push_back(&trial);
  }
  if (own.empty()) return out;
  constexpr std::size_t kLately = 100;
  const std::size_t window = std::min(own.size(), kLately);
  std::partial_sort(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(window), own.end(),
                    [](const Trial* a, const Trial* b) { return a->told_at > b->told_at; });
  double first = own[0]->told_at;
  for (std::size_t i = 0; i < window; ++i) first = std::min(first, own[i]->asked_at);
  const double span = own[0]->told_at - first;
  if (window > 1 && span > 0) out.rate = static_cast<double>(window) / span;
  return out;
}

Failures failures(const std::vector<Trial>& trials) {
  std::vector<const Trial*> told;
  for (const Trial& trial : trials)
    if (trial.state() == TrialState::done || trial.state() == TrialState::failed) told.push_back(&trial);
  std::stable_sort(told.begin(), told.end(), [](const Trial* a, const Trial* b) { return a->told_at > b->told_at; });
  Failures out;
  for (const Trial* trial : told) {
    const bool failed = trial->state() == TrialState::failed;
    if (failed && out.last.empty()) out.last = trial->error();
    if (out.of == kLastEvaluations) {
      if (!out.last.empty()) break;
      continue;
    }
    ++out.of;
    out.lately += failed ? 1 : 0;
  }
  return out;
}

}  // namespace salvo::app

#include <fmt/format.h>
#include <salvo/fields.h>
#include <salvo/front.h>
#include <salvo/stopping.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "text/check_fields.h"
#include "text/numbers.h"

namespace salvo {
namespace {

constexpr std::size_t kRivals = 20;  // of the older points, those that the recommendation is compared with
constexpr std::size_t kTenth = 10;
constexpr std::int64_t kFewest = 10;  // evaluations that the search chose, before its model is asked what is left
constexpr double kLeastGain = 1e-3;   // of the distance to the best tenth of the values: less is polish

std::string shown_time(double seconds) {
  for (const auto& [size, unit] : {std::pair(3600.0, "h"), std::pair(60.0, "min")})
    if (seconds >= size && std::fmod(seconds, size) == 0) return fmt::format("{} {}", seconds / size, unit);
  return fmt::format("{} s", seconds);
}

// Four digits, and of a large number all that stand before the point.
std::string few_digits(double value) {
  constexpr double kLarge = 1e4, kTooLarge = 1e15;
  const bool whole = std::abs(value) >= kLarge && std::abs(value) < kTooLarge;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string shown_value(const Recommendation& best) {
  if (best.noise_free) return few_digits(best.trial.value().value_or(best.mean));
  return fmt::format("{} ± {:.2g}", few_digits(best.mean), best.stddev);
}

// What a patience counts: evaluations that the search chose. The design and points told by hand come whatever the model says.
bool counts(const Trial& trial, bool model_chooses) {
  if (trial.state() != TrialState::done && trial.state() != TrialState::failed) return false;
  return model_chooses ? chosen_by_search(trial.source) : trial.source != Source::told;
}

}  // namespace

std::optional<double> seconds_of(std::string_view duration) { return to_seconds(duration); }

Stopping::Stopping(const Budget& budget, Direction direction)
    : time_(budget.time), target_(budget.target), patience_(budget.patience), gain_(budget.gain), direction_(direction) {
  each_field(budget, CheckFields("budget."));
}

const std::optional<WhyStop>& Stopping::look() {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  if (!why_ && time_ > 0 && seconds >= time_)
    why_ = {StopReason::time, fmt::format("the time of {} for a run is over", shown_time(time_))};
  return why_;
}

const std::optional<WhyStop>& Stopping::look(Study& study) {
  const bool several = study.options().num_objectives() > 1;
  if (target_ && several)
    throw std::invalid_argument(fmt::format(
        "budget.target: expected none with {} objectives, which have a front and no value that is good enough, got {}",
        study.options().num_objectives(), *target_));
  if (gain_ > 0 && (study.options().pool() || study.options().outputs.size() > 1))
    throw std::invalid_argument(fmt::format(
        "budget.gain: expected none {}, got {}; budget.patience ends such a run",
        study.options().pool() ? "over a pool" : fmt::format("with {} outputs", study.options().outputs.size()), gain_));
  const bool begun = std::exchange(begun_, true);
  if (look() || (!target_ && patience_ == 0 && gain_ == 0) || study.counts().done == 0) return why_;
  const std::optional<Recommendation> best = study.recommend();
  if (!best) return why_;
  const char* when = begun ? "" : " already";
  if (target_) {
    if (const auto shown = target_reached(*best))
      why_ = {StopReason::target, fmt::format("the target {} was reached{} ({})", *target_, when, *shown)};
  }
  if (!why_ && patience_ > 0) {
    if (const auto shown = several ? front_has_stopped(study) : out_of_patience(study, *best))
      why_ = {StopReason::patience, fmt::format("the last {} evaluations have not improved the {} ({})", patience_,
                                                several ? "front" : "recommendation", *shown)};
  }
  if (!why_ && gain_ > 0) {
    if (const auto shown = little_left(study, *best)) why_ = {StopReason::gain, *shown};
  }
  return why_;
}

bool Stopping::reaches(double value) const { return target_ && gain(value, *target_) >= 0; }

std::optional<std::string> Stopping::target_reached(const Recommendation& best) const {
  const double value = best.noise_free ? best.trial.value().value_or(best.mean) : best.mean;
  return best.allowed && reaches(value) ? std::optional(shown_value(best)) : std::nullopt;
}

// Everything is judged by what is known now, so that it is the same whether the run went on or was begun again: among the last N
// evaluations, is there a point that is credibly better than all that were known before them?
std::optional<std::string> Stopping::out_of_patience(Study& study, const Recommendation& best) const {
  const bool model_chooses = info(study.options().method()).model != ModelUse::none;
  std::vector<Trial> trials = study.trials();
  std::erase_if(trials, [](const Trial& trial) { return trial.outside; });
  std::stable_sort(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) { return a.told_at < b.told_at; });
  std::int64_t window = 0;
  std::vector<Trial> before;  // with a value that counts: it keeps to the constraints
  std::vector<double> values;
  for (auto trial = trials.rbegin(); trial != trials.rend(); ++trial) {
    const bool counted = is_feasible(*trial, study.options().outputs);
    if (counted) values.push_back(*trial->value());
    if (window < patience_ && counts(*trial, model_chooses))
      ++window;
    else if (counted)
      before.push_back(*trial);
  }
  if (window < patience_ || before.empty() || !best.allowed) return std::nullopt;
  const auto is_best = [&](const Trial& trial) { return trial.params == best.trial.params; };
  if (std::any_of(before.begin(), before.end(), is_best)) return shown_value(best);

  const auto better = [&](double a, double b) { return gain(a, b) > 0; };
  const std::size_t rivals = std::min(kRivals, before.size()), rank = values.size() / kTenth;
  std::partial_sort(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(rivals), before.end(),
                    [&](const Trial& a, const Trial& b) { return better(*a.value(), *b.value()); });
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end(), better);
  const double tenth = values[rank];
  double now = best.mean, rival = 0, error = 0;
  if (best.noise_free) {
    now = best.trial.value().value_or(best.mean);
    rival = *before.front().value();
  } else {
    std::vector<Params> points;
    for (std::size_t i = 0; i < rivals; ++i) points.push_back(before[i].params);
    const std::vector<Estimate> there = study.predict(points);
    const auto leader = std::min_element(there.begin(), there.end(),
                                         [&](const Estimate& a, const Estimate& b) { return better(a.mean, b.mean); });
    rival = leader->mean;
    error = std::hypot(best.stddev, leader->stddev);
  }
  const bool improved = gain(now, rival) > std::max(error, kLeastGain * std::abs(gain(now, tenth)));
  return improved ? std::nullopt : std::optional(shown_value(best));
}

// A model of the design alone knows little of what it has not seen: the search must have looked where it hoped for most.
std::optional<std::string> Stopping::little_left(Study& study, const Recommendation& best) const {
  const bool model_chooses = info(study.options().method()).model != ModelUse::none;
  const std::vector<Trial> trials = study.trials();
  const auto searched =
      std::count_if(trials.begin(), trials.end(), [&](const Trial& trial) { return counts(trial, model_chooses); });
  if (searched < std::max<std::int64_t>(kFewest, study.options().batch)) return std::nullopt;
  const std::optional<double> left = study.expected_gain();
  if (!left || *left >= gain_) return std::nullopt;
  return fmt::format("going on is expected to improve the recommendation ({}) by {:.2g}, less than {}", shown_value(best), *left,
                     gain_);
}

// Of several objectives: what the values of the last N evaluations added to the hypervolume of those before them.
std::optional<std::string> Stopping::front_has_stopped(Study& study) const {
  const bool model_chooses = info(study.options().method()).model != ModelUse::none;
  std::vector<Trial> trials = study.trials();
  std::erase_if(trials, [](const Trial& trial) { return trial.outside; });
  std::stable_sort(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) { return a.told_at < b.told_at; });
  std::int64_t window = 0;
  std::size_t num_before = trials.size();
  while (num_before > 0 && window < patience_) window += counts(trials[--num_before], model_chooses) ? 1 : 0;
  if (window < patience_) return std::nullopt;
  const std::vector<double> reference = study.front().reference;
  const auto volume = [&](std::span<const Trial> some) {
    const auto steps = observed_hypervolumes(some, study.options().outputs, reference, 1);
    return steps.empty() ? 0.0 : steps.back().hypervolume;
  };
  const double now = volume(trials), then = volume(std::span(trials).first(num_before));
  if (!(then > 0) || now - then > kLeastGain * then) return std::nullopt;
  return fmt::format("hypervolume {:.4g}", now);
}

}  // namespace salvo

#include "run/meter.h"

#include <salvo/front.h>

#include <algorithm>
#include <cmath>

namespace salvo::runner {
namespace {

constexpr std::int64_t kRecentBatches = 5;  // enough to even out slow trials, few enough to follow the growth
constexpr double kLookingShare = 0.03;      // of a run's time, for the display alone

}  // namespace

Meter::Meter(Study& study, const RunOptions& options) : study_(study), options_(options) {
  refresh();
  report(0, false);
}

void Meter::count(const Outcome& outcome) {
  ++told_;
  const auto* values = std::get_if<Values>(&outcome);
  if (!values) {
    ++counts_.failed;
    return;
  }
  ++counts_.done;
  const double value = values->outputs.front();
  const StudyOptions& options = study_.options();
  if (options.num_objectives() > 1 || std::isnan(value) || !keeps_to_constraints(*values, options.outputs)) return;
  if (!best_)
    best_ = value;
  else
    best_ = study_.options().direction() == Direction::maximize ? std::max(*best_, value) : std::min(*best_, value);
}

double Meter::seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

void Meter::tick(int running) {
  if (Clock::now() - last_report_ >= std::chrono::milliseconds(100)) report(running, false);
}

void Meter::batch_done(int running) {
  refresh();
  look_at_model();
  report(running, true);
  marks_.push_back({told_, seconds(), seconds_evaluating_});
  while (marks_.size() > 1 && told_ - marks_[1].told >= kRecentBatches * options_.budget.batch) marks_.pop_front();
}

// By the pace of the latest batches. Evaluations go on at it; our own work grows with the observations, about in
// proportion (at most doubled: the first batches hardly know it).
double Meter::seconds_left(std::int64_t evaluations) const {
  const Mark& from = marks_.front();
  const auto told = static_cast<double>(told_ - from.told);
  if (told <= 0) return -1;
  const double evaluating = seconds_evaluating_ - from.evaluating;
  const double own = std::max(0.0, seconds() - from.seconds - evaluating);
  const auto left = static_cast<double>(std::max<std::int64_t>(0, options_.budget.evaluations - evaluations));
  const double growth = std::min(2.0, 1 + left / (2 * static_cast<double>(std::max<std::int64_t>(1, evaluations))));
  return left / told * (evaluating + own * growth);
}

void Meter::refresh() {
  if (!options_.progress) return;
  counts_ = study_.counts();
  const auto best = study_.observed_best();
  best_ = best ? best->value() : std::nullopt;
}

// After a batch, when the next ask needs the same model of the same values. What that costs beyond the model is bounded, so that
// where evaluations take no time the one of a batch before is shown; the last one is needed anyway. A method without a model is
// spared one.
void Meter::look_at_model() {
  if (!options_.progress || info(study_.options().method()).model == ModelUse::none || study_.learning_is_long()) return;
  const bool last = counts_.done + counts_.failed >= options_.budget.evaluations;
  if (!last && seconds_looking_ > kLookingShare * seconds()) return;
  const double before = seconds(), fit = study_.seconds().fit;
  recommended_ = study_.recommend();
  if (recommended_ && study_.options().num_objectives() > 1) front_ = study_.front();
  seconds_looking_ += seconds() - before - (study_.seconds().fit - fit);
}

void Meter::report(int running, bool batch_done) {
  if (!options_.progress) return;
  last_report_ = Clock::now();
  const std::int64_t batch = options_.budget.batch;
  RunProgress progress;
  progress.evaluations = counts_.done + counts_.failed;
  progress.batch = (progress.evaluations + (batch_done ? batch - 1 : 0)) / batch;  // the last one may be short
  progress.budget = options_.budget.evaluations;
  progress.failed = counts_.failed;
  progress.running = running;
  progress.seconds = seconds();
  progress.rate = progress.seconds > 0 ? static_cast<double>(told_) / progress.seconds : 0;
  progress.seconds_left = seconds_left(progress.evaluations);
  progress.best = best_;
  progress.recommended = recommended_;
  progress.front = front_;
  progress.batch_done = batch_done;
  options_.progress(progress);
}

}  // namespace salvo::runner

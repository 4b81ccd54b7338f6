#include "watch.h"

#include <fmt/core.h>
#include <salvo/error.h>

#include <algorithm>
#include <map>

namespace salvo::app {
namespace {

constexpr int kTold = 100;            // outcomes that are looked at
constexpr std::size_t kKept = 10;     // of them
constexpr double kPause = 10;         // seconds between recommendations,
constexpr double kGrowth = 0.03;      // unless so many more values have come,
constexpr double kTimesItsCost = 10;  // times what the last one took
constexpr double kAnyway = 30;        // seconds
constexpr int kMostFailures = 5;

std::vector<Worker> workers_of(const std::vector<Trial>& pending) {
  std::map<std::string, Worker> by_owner;
  for (const Trial& trial : pending) {
    Worker& worker = by_owner[trial.owner];
    worker.owner = trial.owner;
    worker.since = worker.trials.empty() ? trial.asked_at : std::min(worker.since, trial.asked_at);
    worker.trials.push_back(trial.id);
  }
  std::vector<Worker> out;
  for (auto& [owner, worker] : by_owner) {
    worker.gone = owner_is_gone(owner);
    out.push_back(std::move(worker));
  }
  std::stable_sort(out.begin(), out.end(), [](const Worker& a, const Worker& b) { return a.since < b.since; });
  return out;
}

void count_failures(const std::vector<Trial>& told, WatchView& to) {
  to.failed = to.of = 0;
  to.reasons.clear();
  for (const Trial& trial : told) {
    const TrialState state = trial.state();
    if (state != TrialState::done && state != TrialState::failed) continue;
    if (to.of == kLastEvaluations) break;
    ++to.of;
    if (state == TrialState::done) continue;
    ++to.failed;
    const auto same = [&](const FailureReason& known) { return known.reason == trial.error(); };
    const auto known = std::find_if(to.reasons.begin(), to.reasons.end(), same);
    known == to.reasons.end() ? to.reasons.push_back({trial.error(), 1}) : static_cast<void>(++known->count);
  }
  std::stable_sort(to.reasons.begin(), to.reasons.end(),
                   [](const FailureReason& a, const FailureReason& b) { return a.count > b.count; });
}

// Of what still goes on by itself: a runner that lives, or one that is about to ask.
double time_left(const WatchView& view) {
  const auto gone = [](const Worker& worker) { return worker.gone; };
  const bool nobody = !view.workers.empty() && std::all_of(view.workers.begin(), view.workers.end(), gone);
  if (view.budget < 0 || !(view.pace.rate > 0) || nobody) return -1;
  return static_cast<double>(std::max<std::int64_t>(0, view.budget - view.evaluations())) / view.pace.rate;
}

}  // namespace

Watched::Watched(const Common& common) : common_(common), source_(open_to_look(common)), storage_(source_->study.path()) {}

const WatchView& Watched::look() {
  const Clock::time_point begin = Clock::now();
  try {
    read();
    failures_ = 0;
    trouble_.clear();
  } catch (const StoreError& error) {
    reopen(error.what());
  }
  cost_ = std::chrono::duration<double>(Clock::now() - begin).count();
  return view_;
}

// A study that is busy for long, or that was put back from a copy, is looked at anew. One that is gone is said.
void Watched::reopen(const std::string& why) {
  if (!store_exists(storage_))
    throw StoreError(fmt::format(
        "{}: the file of the study is not there any more: it was removed, moved or renamed while it was watched. Put it back and "
        "watch it again, or watch it where it is now",
        storage_));
  if (++failures_ == 1 && view_.counts.total() == 0) throw StoreError(why);  // there is nothing to show meanwhile
  if (failures_ >= kMostFailures) throw StoreError(why);
  trouble_ = why;
  try {
    source_ = open_to_look(common_);
    values_shown_ = -1;
  } catch (const StoreError&) {
    return;  // the next look tries again
  }
}

void Watched::read() {
  Study& study = source_->study;
  WatchView now;
  now.budget = source_->file ? source_->file->budget.evaluations : -1;
  now.counts = study.counts();
  now.workers = workers_of(study.pending());
  now.queue = study.queue();
  std::vector<Trial> told = study.told_last(kTold);
  now.pace = pace(told);
  now.seconds_left = time_left(now);
  count_failures(told, now);
  told.resize(std::min(told.size(), kKept));
  now.last = std::move(told);
  now.best = view_.best;
  now.front = std::move(view_.front);
  now.model_due = view_.model_due;
  view_ = std::move(now);
  recommend(study);
  if (view_.counts.pending > 0) return;
  if (view_.budget >= 0 && view_.evaluations() >= view_.budget)
    view_.end = "budget_spent";
  else if (study.options().pool() && study.num_left() <= 0)
    view_.end = "nothing_left";
}

// At most every kPause seconds, or kTimesItsCost times what it costs, where hardly anything has come; sooner when more has.
// Anyway now and then: a value that was put right changes no count.
bool Watched::recommendation_is_due() const {
  const std::int64_t values = view_.counts.done;
  const double age = std::chrono::duration<double>(Clock::now() - recommended_at_).count();
  if (values_shown_ < 0 || age > kAnyway) return true;
  if (values == values_shown_) return false;
  if (view_.budget >= 0 && view_.evaluations() >= view_.budget && view_.counts.pending == 0) return true;  // the last one
  const bool grown = static_cast<double>(values) >= (1 + kGrowth) * static_cast<double>(values_shown_) || values < values_shown_;
  return age > kTimesItsCost * recommending_ && (grown || age > kPause);
}

void Watched::recommend(Study& study) {
  if (recommendation_is_due()) {
    const Clock::time_point begin = Clock::now();
    view_.model_due = study.learning_is_long();
    view_.best = view_.model_due ? raw_best(study) : best_points(study);
    view_.front = view_.model_due || study.options().num_objectives() < 2 ? std::nullopt : front_of(study, study.trials());
    values_shown_ = view_.counts.done;
    recommended_at_ = Clock::now();
    recommending_ = std::chrono::duration<double>(recommended_at_ - begin).count();
    return;
  }
  // The best value is cheap; what the model thinks of it waits.
  std::vector<ShownPoint> raw = raw_best(study);
  if (raw.empty() || (!view_.best.empty() && view_.best.back().trial.id == raw[0].trial.id)) return;
  if (raw_among(view_.best)) view_.best.pop_back();
  view_.best.push_back(std::move(raw[0]));
}

}  // namespace salvo::app

#include "store/memory/store.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "store/filled_in.h"
#include "store/outcome.h"
#include "store/owner.h"

namespace salvo {
namespace {

class MemoryTurn : public Turn {
 public:
  explicit MemoryTurn(std::mutex& asking) : lock_(asking) {}

 private:
  std::lock_guard<std::mutex> lock_;
};

}  // namespace

const std::string& MemoryStore::url() const {
  static const std::string url(kInMemory);
  return url;
}

Store::Snapshot MemoryStore::snapshot(std::int64_t after, std::int64_t known_learned) {
  Snapshot out{.asks = asks_, .num_initial = num_initial_, .amendments = std::ssize(amendments_), .priors = std::ssize(priors_)};
  if (learned_ && learned_->ask != known_learned) out.learned = learned_;
  for (std::int64_t sequence = after + 1; sequence <= std::ssize(told_); ++sequence) {
    const Trial& trial = trials_[static_cast<std::size_t>(told_[static_cast<std::size_t>(sequence - 1)] - 1)];
    out.records.push_back({trial.id, sequence, trial.params, *trial.outcome, trial.source, trial.outside});
  }
  for (const Trial& trial : pending()) out.pending.push_back(trial.params);
  out.queue = queue_;
  return out;
}

Store::Moved MemoryStore::set_space(const NewSpace& wanted) {
  const Definition after = with_space(definition_, wanted.space);
  if (!trials_.empty() || !queue_.empty()) require_before(definition_, wanted);
  const FilledByName wrong = filled_otherwise(*this, wanted.space, wanted.before);
  ByName before = wanted.before;
  std::erase_if(before, [&](const auto& each) { return after.space.find(each.first) < 0; });
  FilledByName filled = filled_alike(*this, before);
  const auto moved = [&](const Params& params, ByName values, std::int64_t id) {
    values.merge(named(definition_.space, params));
    if (id > 0)
      for (const auto& [name, value] : to_fill_in(id, values, before, wrong, filled)) values[name] = value;
    values.insert(before.begin(), before.end());
    return std::pair(kept_in(after, values), values);
  };
  std::vector<std::pair<Kept, ByName>> trials, queue;  // all is computed before anything is changed
  for (const Trial& trial : trials_) trials.push_back(moved(trial.params, former_[trial.id], trial.id));
  for (const Queued& each : queue_) queue.push_back(moved(each.params, {}, 0));

  Moved out{.unqueued = std::ssize(queue_)};
  const double time = seconds_since_1970();
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    Trial& trial = trials_[i];
    auto& [kept, values] = trials[i];
    for (const Parameter& parameter : after.space.parameters()) values.erase(parameter.name);
    former_[trial.id] = std::move(values);
    trial.params = std::move(kept.params);
    trial.outside = kept.outside;
    if (trial.outcome || !trial.outside) continue;
    out.abandoned.push_back(trial.id);
    finish(trial, Abandoned{}, time);
  }
  std::vector<Queued> kept_points;
  for (std::size_t i = 0; i < queue_.size(); ++i)
    if (!queue[i].first.outside) kept_points.push_back({queue_[i].id, std::move(queue[i].first.params)});
  queue_ = std::move(kept_points);
  out.unqueued -= std::ssize(queue_);
  space_changes_.push_back({time, definition_.space, after.space, wanted.words});
  definition_ = after;
  set_notes(to_notes(filled));
  learned_.reset();
  ++asks_;
  return out;
}

std::unique_ptr<Turn> MemoryStore::take_turn() { return std::make_unique<MemoryTurn>(asking_); }

std::optional<std::vector<Trial>> MemoryStore::claim(std::int64_t ask, std::span<const NewTrial> points, const Learned* learned,
                                                     const std::string& owner, std::span<const std::int64_t> unqueued) {
  if (asks_ != ask) return std::nullopt;
  (void)unqueue(unqueued);
  asks_ = ask + 1;
  if (learned) learned_ = *learned;
  const double time = seconds_since_1970();
  const std::size_t first = trials_.size();
  for (const auto& [params, source] : points) {
    const std::int64_t id = std::ssize(trials_) + 1;
    trials_.push_back({.id = id, .params = params, .source = source, .asked_at = time, .owner = owner});
    waiting_[id] = owner;
    num_initial_ += source == Source::initial ? 1 : 0;
  }
  counts_.pending = std::ssize(waiting_);
  return std::vector<Trial>(trials_.begin() + static_cast<std::ptrdiff_t>(first), trials_.end());
}

std::int64_t MemoryStore::enqueue(std::span<const Params> points) {
  const std::size_t before = queue_.size();
  for (const Params& point : points) {
    const auto same = [&](const Queued& other) { return other.params == point; };
    if (std::none_of(queue_.begin(), queue_.end(), same)) queue_.push_back({++num_queued_, point});
  }
  return std::ssize(queue_) - static_cast<std::int64_t>(before);
}

std::int64_t MemoryStore::unqueue(std::span<const std::int64_t> ids) {
  const std::set<std::int64_t> gone(ids.begin(), ids.end());
  const auto removed =
      static_cast<std::int64_t>(std::erase_if(queue_, [&](const Queued& each) { return gone.contains(each.id); }));
  if (removed > 0) ++asks_;  // one that is being computed would hand them out
  return removed;
}

void MemoryStore::finish(Trial& trial, Outcome outcome, double time) {
  trial.outcome = std::move(outcome);
  trial.told_at = time;
  told_.push_back(trial.id);
  if (const auto asked = waiting_.extract(trial.id); asked && trial.state() != TrialState::done)
    owners_[trial.id] = asked.mapped();
  counts_.pending = std::ssize(waiting_);
  ++counted(trial.state());
}

std::int64_t& MemoryStore::counted(TrialState state) {
  return state == TrialState::pending  ? counts_.pending
         : state == TrialState::done   ? counts_.done
         : state == TrialState::failed ? counts_.failed
                                       : counts_.abandoned;
}

void MemoryStore::amend(std::span<const Correction> corrections) {
  // Each is checked as the ones before it have left things, and nothing is changed when one is refused.
  const auto trials = trials_;
  const auto waiting = waiting_;
  const auto told = told_;
  const auto counts = counts_;
  const auto amendments = amendments_;
  try {
    for (const Correction& correction : corrections) amend(correction);
  } catch (...) {
    trials_ = trials;
    waiting_ = waiting;
    told_ = told;
    counts_ = counts;
    amendments_ = amendments;
    throw;
  }
  // What was learned before an outcome came knows nothing of it; but one that goes away gives its number to another.
  for (const Correction& correction : corrections) {
    const auto number = std::find(told.begin(), told.end(), correction.id) - told.begin() + 1;
    if (learned_ && (!correction.outcome || number <= learned_->sequence)) learned_.reset();
  }
  asks_ += std::ssize(corrections);  // one that is being computed goes by what was wrong
}

void MemoryStore::amend(const Correction& correction) {
  if (const auto* values = correction.outcome ? std::get_if<Values>(&*correction.outcome) : nullptr)
    validate(*values, definition_.outputs, fmt::format("trial {}", correction.id));
  require_correctable(trial(correction.id), correction, std::ssize(trials_));
  Trial& trial = trials_[static_cast<std::size_t>(correction.id - 1)];
  if (comes_back(trial, correction)) require_free(trial, pending());
  --counted(trial.state());
  amendments_.push_back({trial.id, seconds_since_1970(), correction.reason, *trial.outcome, correction.outcome});
  trial.outcome = correction.outcome;
  ++counted(trial.state());
  if (correction.outcome) return;
  trial.told_at = 0;
  waiting_[trial.id] = owners_[trial.id];
  *std::find(told_.begin(), told_.end(), trial.id) = told_.back();  // numbers of outcomes have no gaps
  told_.pop_back();
}

void MemoryStore::set_prior(const std::string& document) {
  priors_.push_back({seconds_since_1970(), document});
  learned_.reset();
  ++asks_;  // one that is being computed goes by the one before
}

void MemoryStore::tell(std::span<const Told> outcomes) {
  std::set<std::int64_t> ids;
  for (const Told& told : outcomes) {  // all is checked before anything is changed
    validate(told, definition_.outputs);
    std::optional<Trial> trial = this->trial(told.id);
    if (trial && !ids.insert(told.id).second) trial->outcome = told.outcome;  // twice in one call
    require_pending(trial, told.id, std::ssize(trials_));
  }
  for (const Told& told : outcomes) finish(trials_[static_cast<std::size_t>(told.id - 1)], told.outcome, seconds_since_1970());
}

std::vector<std::int64_t> MemoryStore::add_all(std::span<const Params> points, std::span<const Outcome> outcomes,
                                               bool tells_pending) {
  const double time = seconds_since_1970();
  std::map<Params, std::int64_t> pending;
  for (const auto& [id, owner] : waiting_)
    if (tells_pending) pending.emplace(trials_[static_cast<std::size_t>(id - 1)].params, id);
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (const auto known = pending.find(points[i]); known != pending.end()) {
      ids.push_back(known->second);
      pending.erase(known);
    } else {
      ids.push_back(std::ssize(trials_) + 1);
      trials_.push_back({.id = ids.back(), .params = points[i], .source = Source::told, .asked_at = time});
    }
    finish(trials_[static_cast<std::size_t>(ids.back() - 1)], outcomes[i], time);
  }
  return ids;
}

std::vector<Trial> MemoryStore::claim_orphans(const std::string& owner) {
  std::vector<Trial> mine;
  for (auto& [id, whose] : waiting_) {
    Trial& trial = trials_[static_cast<std::size_t>(id - 1)];
    if (!whose.empty() && whose != owner && is_dead(whose)) whose = trial.owner = owner;
    if (whose == owner) mine.push_back(trial);
  }
  return mine;
}

std::vector<Trial> MemoryStore::pending() {
  std::vector<Trial> out;
  for (const auto& [id, owner] : waiting_) out.push_back(trials_[static_cast<std::size_t>(id - 1)]);
  return out;
}

std::vector<Trial> MemoryStore::told_last(int count) {
  std::vector<Trial> out;
  for (auto id = told_.rbegin(); id != told_.rend() && std::ssize(out) < count; ++id)
    out.push_back(trials_[static_cast<std::size_t>(*id - 1)]);
  return out;
}

std::optional<Trial> MemoryStore::trial(std::int64_t id) {
  if (id < 1 || id > std::ssize(trials_)) return std::nullopt;
  return trials_[static_cast<std::size_t>(id - 1)];
}

void MemoryStore::backup(const std::string& path) {
  throw StoreError(path + ": a study in memory has no file that could be copied. Keep it in a file from the beginning");
}

std::optional<std::string> MemoryStore::note(const std::string& key) {
  const auto found = notes_.find(key);
  return found == notes_.end() ? std::nullopt : std::optional(found->second);
}

std::map<std::string, std::string> MemoryStore::notes(const std::string& prefix) {
  std::map<std::string, std::string> out;
  for (const auto& [key, text] : notes_)
    if (key.starts_with(prefix)) out.emplace(key, text);
  return out;
}

}  // namespace salvo

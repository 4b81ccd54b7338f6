#include <fmt/format.h>
#include <salvo/run_policy.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

namespace salvo {
namespace {

constexpr int kPatience = 20;         // failures
constexpr int kMachineRetries = 2;    // attempts at least after one that the machine ended
constexpr int kMachinePatience = 10;  // of these in a row that it ended again

const RunPolicyOptions& validated(const RunPolicyOptions& options) {
  options.validate();
  return options;
}

// Somebody may have told or abandoned a trial by hand while it was evaluated: then theirs stands. Why, if it is so.
std::optional<std::string> tell_one(Study& study, const Told& outcome) {
  try {
    study.tell({&outcome, 1});
  } catch (const std::invalid_argument& error) {
    const auto trial = study.trial(outcome.id);
    if (!trial || !trial->outcome) throw;
    return error.what();
  }
  return std::nullopt;
}

}  // namespace

void RunPolicyOptions::validate() const {
  const auto at_least = [](const char* name, std::int64_t least, std::int64_t got) {
    if (got < least)
      throw std::invalid_argument(fmt::format("RunPolicyOptions: {}: expected at least {}, got {}", name, least, got));
  };
  at_least("evaluations", 1, evaluations);
  at_least("batch", 1, batch);
  at_least("at_once", 1, at_once);
  at_least("retries", 0, retries);
}

RunPolicy::RunPolicy(Study& study, const RunPolicyOptions& options)
    : options_(validated(options)),
      holding_(study.counts().done == 0),
      patience_(holding_ ? kPatience : std::max(kPatience, options.batch)) {}

int RunPolicy::room(Study& study, std::int64_t num_out) {
  if (num_out > 0 && !options_.refill) return 0;
  const Counts counts = study.counts();  // other runs may ask and tell as well
  const std::int64_t left = options_.evaluations - (counts.total() - counts.abandoned);
  const std::int64_t room = std::min(options_.at_once - num_out, left);
  if (room <= 0) return 0;
  const double points = endless_ ? std::numeric_limits<double>::infinity() : study.num_left();
  endless_ = std::isinf(points);
  return static_cast<int>(std::clamp(points, 0.0, static_cast<double>(room)));
}

bool RunPolicy::retry(std::int64_t id) { return ++attempts_[id] <= options_.retries; }

// One outage may end everything that runs: only an attempt that is repeated says that it lasts.
bool RunPolicy::retry_machine(std::int64_t id, const std::string& why) {
  const int attempts = ++machine_attempts_[id];
  ++machine_.num_failures;
  machine_.last_error = why;
  if (attempts > 1) machine_.broken = ++machine_in_a_row_ >= kMachinePatience;
  if (attempts <= std::max(kMachineRetries, options_.retries)) return true;
  machine_.left.push_back(id);
  return false;
}

RunPolicy::Recorded RunPolicy::record(Study& study, std::vector<Told> outcomes) {
  if (!outcomes.empty()) machine_in_a_row_ = 0;
  for (Told& outcome : outcomes) {
    const auto attempts = attempts_.extract(outcome.id);
    auto* failure = std::get_if<Failure>(&outcome.outcome);
    if (!failure) {
      ++num_values_;
      continue;
    }
    if (attempts && attempts.mapped() > 1)
      failure->reason = fmt::format("failed {} times, at last: {}", attempts.mapped(), failure->reason);
    ++num_failures_;
    last_error_ = failure->reason;
  }
  if (holding_) {
    held_.insert(held_.end(), std::make_move_iterator(outcomes.begin()), std::make_move_iterator(outcomes.end()));
    if (num_values_ == 0) return {};
    holding_ = false;
    outcomes = std::exchange(held_, {});
  }
  return tell(study, std::move(outcomes));
}

RunPolicy::Recorded RunPolicy::tell(Study& study, std::vector<Told> outcomes) {
  Recorded recorded;
  if (outcomes.empty()) return recorded;
  std::sort(outcomes.begin(), outcomes.end(), [](const Told& a, const Told& b) { return a.id < b.id; });
  try {
    study.tell(outcomes);
    recorded.taken = std::move(outcomes);
    return recorded;
  } catch (const std::invalid_argument&) {
    // One of them is the matter: the others are not to be lost.
  }
  std::exception_ptr wrong;  // none of the others' doing
  for (Told& outcome : outcomes) {
    try {
      if (auto why = tell_one(study, outcome))
        recorded.refused.push_back({outcome.id, std::move(*why)});
      else
        recorded.taken.push_back(std::move(outcome));
    } catch (const std::invalid_argument&) {
      wrong = std::current_exception();
    }
  }
  if (wrong) std::rethrow_exception(wrong);
  return recorded;
}

std::optional<RunPolicy::AllFailed> RunPolicy::all_failed(bool nothing_left) const {
  if (num_values_ > 0 || num_failures_ == 0) return std::nullopt;
  if (num_failures_ < patience_ && !(nothing_left && holding_)) return std::nullopt;
  return AllFailed{.num_failures = num_failures_, .last_error = last_error_, .held = holding_};
}

}  // namespace salvo

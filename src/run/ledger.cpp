#include "run/ledger.h"

#include <fmt/format.h>

#include <algorithm>

namespace salvo::runner {

Ledger::Ledger(Study& study, const RunOptions& options, Meter& meter)
    : study_(study),
      options_(options),
      meter_(meter),
      holding_(study.counts().done == 0),
      patience_(holding_ ? 20 : std::max(20, options.budget.batch)) {}

void Ledger::record(std::vector<Outcome> outcomes) {
  for (const Outcome& outcome : outcomes) {
    if (outcome.value) {
      ++num_values_;
    } else {
      ++num_failures_;
      last_error_ = outcome.error;
    }
  }
  if (holding_) {
    held_.insert(held_.end(), outcomes.begin(), outcomes.end());
    if (num_values_ == 0) return;
    holding_ = false;
    outcomes = std::exchange(held_, {});
  }
  // Many results that arrived together cost one transaction.
  std::sort(outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) { return a.id < b.id; });
  if (!outcomes.empty()) tell(outcomes);
}

void Ledger::tell(const std::vector<Outcome>& outcomes) {
  try {
    study_.tell(outcomes);
  } catch (const std::invalid_argument&) {
    for (const Outcome& outcome : outcomes) tell_one(outcome);
    return;
  }
  for (const Outcome& outcome : outcomes) announce(outcome);
}

// Somebody may have told or abandoned a trial by hand while its command ran: then theirs stands.
void Ledger::tell_one(const Outcome& outcome) {
  try {
    study_.tell({&outcome, 1});
  } catch (const std::invalid_argument&) {
    const auto trial = study_.trial(outcome.id);
    if (!trial || trial->state == TrialState::pending) throw;
    return;
  }
  announce(outcome);
}

void Ledger::announce(const Outcome& outcome) {
  meter_.count(outcome);
  if (!options_.finished) return;
  if (const auto trial = study_.trial(outcome.id)) options_.finished(*trial);
}

bool Ledger::all_failed(bool nothing_left) const {
  if (num_values_ > 0 || num_failures_ == 0) return false;
  return num_failures_ >= patience_ || (nothing_left && holding_);
}

std::string Ledger::why_all_failed() const {
  return fmt::format("all {} trials of this run failed, the last one with: {}\nRepair the command and run again: {}",
                     num_failures_, last_error_,
                     holding_ ? "these trials are kept pending and will be evaluated again"
                              : "these trials are recorded as failed, and the study goes on with new ones");
}

}  // namespace salvo::runner

#pragma once
#include <salvo/run.h>

#include <string>
#include <vector>

#include "run/meter.h"

namespace salvo::runner {

// Tells outcomes to the study, and notices a command that never works.
//
// Until a study has its first value, failures are not told but held back: when the first 20 trials all fail, it is
// the command that is wrong rather than the points, and these stay pending for the run after the repair.
// In a study that has values, failures are told as they come; a run that begins with max(20, batch) of them ends.
class Ledger {
 public:
  Ledger(Study& study, const RunOptions& options, Meter& meter);
  void record(std::vector<Outcome> outcomes);
  [[nodiscard]] bool has_value() const { return num_values_ > 0; }  // in this run
  // nothing_left: the run is over, so there will be no better news.
  [[nodiscard]] bool all_failed(bool nothing_left) const;
  [[nodiscard]] std::string why_all_failed() const;

 private:
  void tell(const std::vector<Outcome>& outcomes);
  void tell_one(const Outcome& outcome);
  void announce(const Outcome& outcome);

  Study& study_;
  const RunOptions& options_;
  Meter& meter_;
  bool holding_;
  std::int64_t patience_;  // failures before the first value that end the run
  std::vector<Outcome> held_;
  std::int64_t num_values_ = 0, num_failures_ = 0;
  std::string last_error_;
};

}  // namespace salvo::runner

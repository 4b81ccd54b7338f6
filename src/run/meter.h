#pragma once
#include <salvo/run.h>

#include <deque>

#include "run/process.h"

namespace salvo::runner {

// Counts outcomes and tells the caller about them, at most ten times a second and at the end of each batch.
class Meter {
 public:
  Meter(Study& study, const RunOptions& options);
  void count(const Outcome& outcome);
  void tick(int running);  // reports when it is time
  void batch_done(int running);
  void add_evaluating(double seconds) { seconds_evaluating_ += seconds; }

  [[nodiscard]] double seconds() const;
  [[nodiscard]] double seconds_evaluating() const { return seconds_evaluating_; }

 private:
  void refresh();  // from the store, where other runs may have been at work
  void look_at_model();
  void report(int running, bool batch_done);
  [[nodiscard]] double seconds_left(std::int64_t evaluations) const;  // −1: not known yet

  Study& study_;
  const RunOptions& options_;
  Clock::time_point started_ = Clock::now(), last_report_ = started_;
  Counts counts_;
  std::optional<double> best_;
  std::optional<Recommendation> recommended_;
  std::optional<Front> front_;
  std::int64_t told_ = 0;  // by this run
  double seconds_evaluating_ = 0, seconds_looking_ = 0;

  // Where the run stood at the end of its latest batches.
  struct Mark {
    std::int64_t told = 0;
    double seconds = 0, evaluating = 0;
  };
  std::deque<Mark> marks_ = {{}};
};

}  // namespace salvo::runner

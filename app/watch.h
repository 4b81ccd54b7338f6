#pragma once
#include <salvo/study.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "front_report.h"
#include "pace.h"
#include "report.h"
#include "source.h"

namespace salvo::app {

// Pending trials of one runner, or of nobody in particular.
struct Worker {
  std::string owner;  // empty: asked for by hand
  std::vector<std::int64_t> trials;
  double since = 0;   // when the first of them was asked for
  bool gone = false;  // it does not run any more
};

struct FailureReason {
  std::string reason;
  std::int64_t count = 0;
};

// A study as it is looked at from outside at one moment.
struct WatchView {
  std::int64_t budget = -1;  // −1: not known
  Counts counts{};
  Pace pace{};
  double seconds_left = -1;  // −1: not known
  std::vector<ShownPoint> best{};
  std::optional<ShownFront> front{};     // of several objectives
  bool model_due = false;                // see kNotLearned
  std::int64_t failed = 0, of = 0;       // of the last evaluations
  std::vector<FailureReason> reasons{};  // of those, the most frequent first
  std::vector<Worker> workers{};
  std::vector<Queued> queue{};
  std::vector<Trial> last{};  // outcomes, the newest first
  std::string end{};          // why there is nothing to wait for: "budget_spent", "nothing_left"; empty: it goes on
  [[nodiscard]] std::int64_t evaluations() const { return counts.done + counts.failed; }
};

// Looks at a study again and again. What is cheap is read each time, the recommendation when it is worth its price.
class Watched {
 public:
  explicit Watched(const Common& common);
  // Throws StoreError when the study's file is gone, or cannot be read several times in a row.
  const WatchView& look();
  [[nodiscard]] const WatchView& last() const { return view_; }
  [[nodiscard]] const Source& source() const { return *source_; }
  [[nodiscard]] const std::string& trouble() const { return trouble_; }  // why the view is an old one; empty: it is not
  [[nodiscard]] double cost() const { return cost_; }                    // of the last look, in seconds

 private:
  using Clock = std::chrono::steady_clock;
  void read();
  void recommend(Study& study);
  [[nodiscard]] bool recommendation_is_due() const;
  void reopen(const std::string& why);

  Common common_;
  std::optional<Source> source_;
  WatchView view_;
  std::string storage_, trouble_;
  int failures_ = 0;
  std::int64_t values_shown_ = -1;  // of which the recommendation was made
  Clock::time_point recommended_at_{};
  double recommending_ = 0, cost_ = 0;  // seconds
};

// For people, at most `width` wide and `height` high (0: any).
[[nodiscard]] std::string watch_text(const WatchView& view, const Source& source, double now, int width, int height);
// One object, which differs from an earlier one when something has happened.
[[nodiscard]] std::string watch_json(const WatchView& view, const Source& source);
[[nodiscard]] std::string watch_end_words(const WatchView& view);

}  // namespace salvo::app

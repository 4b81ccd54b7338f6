#pragma once
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace salvo {

// Seconds of "90 min", "2h" or "1h30m", as budget.time takes them; none: it is no duration.
[[nodiscard]] std::optional<double> seconds_of(std::string_view duration);

enum class StopReason { time, target, patience, gain };
struct WhyStop {
  StopReason reason = StopReason::time;
  std::string words;  // "the target 0.95 was reached (0.953 ± 0.004)"
};

// When a run ends before its evaluations are spent, as budget.time, budget.target, budget.patience and budget.gain say
// (docs/commands-and-workers.md, "When to stop"). The commands' runs and Python's ask alike. A reason once found stays.
class Stopping {
 public:
  Stopping(const Budget& budget, Direction direction);  // its clock starts; throws std::invalid_argument

  // When a run begins and after each batch: all of them.
  const std::optional<WhyStop>& look(Study& study);
  // At any time: the clock alone.
  const std::optional<WhyStop>& look();
  [[nodiscard]] const std::optional<WhyStop>& why() const { return why_; }  // what a look has found
  // Whether a value is as good as the target, so that it is time to look at once.
  [[nodiscard]] bool reaches(double value) const;

 private:
  [[nodiscard]] std::optional<std::string> target_reached(const Recommendation& best) const;
  [[nodiscard]] std::optional<std::string> out_of_patience(Study& study, const Recommendation& best) const;
  [[nodiscard]] std::optional<std::string> little_left(Study& study, const Recommendation& best) const;
  [[nodiscard]] std::optional<std::string> front_has_stopped(Study& study) const;
  // Positive: `value` is better.
  [[nodiscard]] double gain(double value, double over) const {
    return direction_ == Direction::maximize ? value - over : over - value;
  }

  double time_;
  std::optional<double> target_;
  std::int64_t patience_;
  double gain_;
  Direction direction_;
  bool begun_ = false;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::optional<WhyStop> why_;
};

}  // namespace salvo

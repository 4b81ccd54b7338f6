#pragma once
#include <salvo/run.h>

#include <chrono>
#include <string>

namespace salvo::app {

[[nodiscard]] std::string bar(double share, int cells);  // share 0 … 1

// One line on standard error that is redrawn; nothing where that is no terminal.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  void show(const std::string& text, double share);  // at most ten times a second; share 0 … 1 as a bar
  void clear();

 private:
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_{};
};

// Shows a run on standard error: one line that is redrawn on a terminal, else one line per batch.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(const RunProgress& progress, int batch_size);
  void show(const std::string& line);  // on a terminal only
  void clear();                        // wipes the redrawn line

 private:
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_{};
};

// "batch 3/50  300/5,000  86/s  left 0:54 min  recommended −3.2 ± 0.1"; the bar only where bar_width > 0, the word
// "evaluations" where it is negative: a terminal has little room.
[[nodiscard]] std::string progress_line(const RunProgress& progress, int batch_size, int bar_width);

}  // namespace salvo::app

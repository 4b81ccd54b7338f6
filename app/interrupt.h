#pragma once
#include <atomic>

namespace salvo::app {

// Counts Ctrl-C (also SIGTERM, and SIGHUP unless under nohup) while it lives: 1 asks to finish what runs, 2 to stop at once.
class Interrupt {
 public:
  // first: what is said at the first Ctrl-C; it must live as long as the process.
  explicit Interrupt(const char* first = "finishing the trials that run");
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();
  [[nodiscard]] const std::atomic<int>* flag() const;
  [[nodiscard]] bool raised() const { return *flag() > 0; }
  static void raise();  // as one Ctrl-C would

 private:
  bool hang_up_ignored_ = false;
};

}  // namespace salvo::app

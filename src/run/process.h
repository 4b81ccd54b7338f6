#pragma once
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "run/spawn.h"

namespace salvo::runner {

using Clock = std::chrono::steady_clock;

// The last bytes of a stream, however long the stream was.
class Tail {
 public:
  explicit Tail(std::size_t limit) : limit_(limit) {}
  void append(std::string_view bytes);
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] bool cut() const { return total_ > limit_; }  // the beginning is missing
  [[nodiscard]] std::uint64_t total() const { return total_; }

 private:
  std::size_t limit_;
  std::uint64_t total_ = 0;
  std::string kept_;  // up to twice the limit, so that old bytes are dropped rarely
};

struct ProcessLimits {
  std::size_t out_bytes = 64 << 10;  // of standard output kept; the value is its last line
  std::size_t err_bytes = 8 << 10;   // of standard error kept
  double grace = 5.0;                // seconds between SIGTERM and SIGKILL at a timeout
  double drain = 0.25;               // seconds a grandchild may keep the pipes open after the command has exited
  bool use_pidfd = true;             // false: look for exits every few milliseconds, as on systems without pidfd
};

struct ProcessResult {
  std::int64_t tag = 0;
  int exit_code = -1;  // −1: killed by `signal`
  int signal = 0;
  bool timed_out = false;
  double seconds = 0;
  Tail out{0}, err{0};
};

// Runs commands side by side on the caller's thread. Everything it started is dead when it is destroyed.
class ProcessPool {
 public:
  // Raises the soft limit on open files as far as needed; throws Error when the hard one is too low.
  explicit ProcessPool(int max_processes, const ProcessLimits& limits = {});
  ~ProcessPool();
  ProcessPool(const ProcessPool&) = delete;
  ProcessPool& operator=(const ProcessPool&) = delete;

  void start(std::int64_t tag, const Command& command);
  // What has finished: as soon as something has, when a signal arrived, or after `seconds`.
  [[nodiscard]] std::vector<ProcessResult> wait(double seconds);
  [[nodiscard]] int size() const { return static_cast<int>(running_.size()); }
  void kill_all();  // at once and with all their children; their results are dropped

 private:
  struct Process {
    std::int64_t tag;
    Child child;
    Tail out, err;
    Clock::time_point started, deadline, kill_at, drain_until;
    bool timed_out = false, killed = false, exited = false;
  };
  void enforce(Process& process, Clock::time_point now);
  bool finished(const Process& process, Clock::time_point now) const;
  void check_exit(Process& process, Clock::time_point now);
  [[nodiscard]] ProcessResult reap(Process& process, Clock::time_point now);
  bool poll_once(Clock::time_point until);  // false: a signal arrived

  ProcessLimits limits_;
  std::vector<Process> running_;
  rlimit open_files_{};  // as it was
  struct sigaction child_signal_ {};
  bool child_signal_changed_ = false;
};

}  // namespace salvo::runner

#include "run/process.h"

#include <fmt/format.h>
#include <poll.h>
#include <salvo/error.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <thread>

namespace salvo::runner {
namespace {

constexpr Clock::time_point kNever = Clock::time_point::max();

Clock::time_point after(Clock::time_point from, double seconds) {
  // A timeout of years would overflow the clock.
  return seconds < 1e9 ? from + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)) : kNever;
}

// The leader is never reaped before its group gets its last signal, so the group's number cannot belong to others.
void signal_group(pid_t leader, int signal) { ::kill(-leader, signal); }

// Reads what is there, at most a full pipe (so one chatty command cannot starve the others), and closes at the end.
void read_some(Fd& fd, Tail& tail) {
  char buffer[16 << 10];
  for (std::size_t done = 0; fd.open() && done < (1 << 20);) {
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (n <= 0) {
      fd.close();
      return;
    }
    tail.append({buffer, static_cast<std::size_t>(n)});
    done += static_cast<std::size_t>(n);
  }
}

// Three descriptors a process, and some for the store, the standard streams and one spawn in flight.
rlim_t descriptors_for(int processes) { return 3 * static_cast<rlim_t>(processes) + 64; }

}  // namespace

void Tail::append(std::string_view bytes) {
  total_ += bytes.size();
  if (bytes.size() > limit_) bytes.remove_prefix(bytes.size() - limit_);
  kept_.append(bytes);
  if (kept_.size() > 2 * limit_) kept_.erase(0, kept_.size() - limit_);
}

std::string_view Tail::text() const {
  const std::string_view all(kept_);
  return all.size() > limit_ ? all.substr(all.size() - limit_) : all;
}

ProcessPool::ProcessPool(int max_processes, const ProcessLimits& limits) : limits_(limits) {
  if (max_processes < 1)
    throw std::invalid_argument(fmt::format("ProcessPool: expected at least 1 process, got {}", max_processes));
  getrlimit(RLIMIT_NOFILE, &open_files_);
  const rlim_t need = descriptors_for(max_processes);
  if (open_files_.rlim_cur != RLIM_INFINITY && open_files_.rlim_cur < need) {
    rlimit raised = open_files_;
    raised.rlim_cur = need;
    if ((open_files_.rlim_max != RLIM_INFINITY && open_files_.rlim_max < need) || setrlimit(RLIMIT_NOFILE, &raised) != 0)
      throw Error(
          fmt::format("{} workers need {} open files, but this system allows {}: lower objective.workers or raise the "
                      "limit (ulimit -n)",
                      max_processes, need, open_files_.rlim_max));
  }
  // Where a parent told us to ignore SIGCHLD the system would throw exit codes away.
  sigaction(SIGCHLD, nullptr, &child_signal_);
  const bool handler = child_signal_.sa_flags & SA_SIGINFO;
  if ((!handler && child_signal_.sa_handler == SIG_IGN) || (child_signal_.sa_flags & SA_NOCLDWAIT)) {
    struct sigaction normal = {};
    normal.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &normal, nullptr);
    child_signal_changed_ = true;
  }
}

ProcessPool::~ProcessPool() {
  kill_all();
  if (child_signal_changed_) sigaction(SIGCHLD, &child_signal_, nullptr);
  rlimit now{};
  getrlimit(RLIMIT_NOFILE, &now);
  now.rlim_cur = open_files_.rlim_cur;
  setrlimit(RLIMIT_NOFILE, &now);
}

void ProcessPool::start(std::int64_t tag, const Command& command) {
  running_.reserve(running_.size() + 1);  // nothing may throw once the process exists
  Child child = spawn(command, open_files_, limits_.use_pidfd);
  const Clock::time_point now = Clock::now();
  running_.push_back({.tag = tag,
                      .child = std::move(child),
                      .out = Tail(limits_.out_bytes),
                      .err = Tail(limits_.err_bytes),
                      .started = now,
                      .deadline = command.timeout > 0 ? after(now, command.timeout) : kNever,
                      .kill_at = kNever,
                      .drain_until = kNever});
}

void ProcessPool::enforce(Process& process, Clock::time_point now) {
  if (!process.exited && !process.timed_out && now >= process.deadline) {
    process.timed_out = true;
    process.kill_at = after(now, limits_.grace);
    signal_group(process.child.pid, SIGTERM);
  }
  if (!process.killed && now >= process.kill_at) {
    process.killed = true;
    signal_group(process.child.pid, SIGKILL);
  }
}

void ProcessPool::check_exit(Process& process, Clock::time_point now) {
  siginfo_t info = {};
  // WNOWAIT: the zombie keeps its number until reap().
  const int rc = waitid(P_PID, static_cast<id_t>(process.child.pid), &info, WEXITED | WNOHANG | WNOWAIT);
  if (rc == 0 && info.si_pid == 0) return;
  if (rc != 0 && errno != ECHILD) return;
  process.exited = true;
  read_some(process.child.out, process.out);
  read_some(process.child.err, process.err);
  // At a timeout the shell dies of SIGTERM at once, but its children still have their grace to tidy up in.
  process.drain_until = process.timed_out ? process.kill_at : after(now, limits_.drain);
}

bool ProcessPool::finished(const Process& process, Clock::time_point now) const {
  const bool closed = !process.child.out.open() && !process.child.err.open();
  return process.exited && (closed || process.killed || now >= process.drain_until);
}

ProcessResult ProcessPool::reap(Process& process, Clock::time_point now) {
  signal_group(process.child.pid, SIGKILL);  // what the command left running
  ProcessResult result{.tag = process.tag,
                       .timed_out = process.timed_out,
                       .seconds = std::chrono::duration<double>(now - process.started).count(),
                       .out = std::move(process.out),
                       .err = std::move(process.err)};
  int status = 0;
  pid_t got = 0;
  do got = waitpid(process.child.pid, &status, 0);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    throw Error(fmt::format("the exit code of a command was lost ({}): another part of this program waits for all children",
                            std::strerror(errno)));
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

bool ProcessPool::poll_once(Clock::time_point until) {
  std::vector<pollfd> fds;
  fds.reserve(running_.size() * 3);
  bool blind = false;
  for (const Process& process : running_) {
    for (const Fd* fd : {&process.child.out, &process.child.err}) fds.push_back({fd->get(), POLLIN, 0});  // −1 is skipped
    fds.push_back({process.exited ? -1 : process.child.pidfd.get(), POLLIN, 0});
    blind = blind || (!process.exited && !process.child.pidfd.open());
    if (!process.exited && !process.timed_out) until = std::min(until, process.deadline);
    if (!process.killed) until = std::min(until, process.kill_at);
    if (process.exited) until = std::min(until, process.drain_until);
  }
  const double left = std::chrono::duration<double, std::milli>(until - Clock::now()).count();
  const int milliseconds = static_cast<int>(std::ceil(std::clamp(left, 0.0, blind ? 5.0 : 60e3)));
  if (::poll(fds.data(), fds.size(), milliseconds) < 0) {
    if (errno != EINTR) throw Error(fmt::format("cannot wait for the running commands: poll: {}", std::strerror(errno)));
    return false;
  }
  const Clock::time_point now = Clock::now();
  for (std::size_t i = 0; i < running_.size(); ++i) {
    Process& process = running_[i];
    if (fds[3 * i].revents) read_some(process.child.out, process.out);
    if (fds[3 * i + 1].revents) read_some(process.child.err, process.err);
    if (!process.exited && (fds[3 * i + 2].revents || !process.child.pidfd.open())) check_exit(process, now);
  }
  return true;
}

std::vector<ProcessResult> ProcessPool::wait(double seconds) {
  const Clock::time_point until = after(Clock::now(), seconds);
  std::vector<ProcessResult> results;
  while (true) {
    const Clock::time_point now = Clock::now();
    for (auto process = running_.begin(); process != running_.end();) {
      enforce(*process, now);
      if (!finished(*process, now)) {
        ++process;
        continue;
      }
      results.push_back(reap(*process, now));
      process = running_.erase(process);
    }
    if (!results.empty() || running_.empty() || now >= until) return results;
    if (!poll_once(until)) return results;
  }
}

void ProcessPool::kill_all() {
  for (const Process& process : running_) signal_group(process.child.pid, SIGKILL);
  // A process in an uninterruptible system call (a dead network disk) dies when the system lets it: do not wait for it.
  const Clock::time_point until = after(Clock::now(), 2.0);
  for (const Process& process : running_) {
    while (waitpid(process.child.pid, nullptr, WNOHANG) == 0 && Clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  running_.clear();
}

}  // namespace salvo::runner

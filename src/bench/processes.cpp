#include "bench/processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <salvo/error.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>

#include "run/spawn.h"

namespace salvo::benching {
namespace {

struct Worker {
  int index = 0;
  pid_t pid = -1;
  runner::Fd out;    // what it writes
  std::string text;  // a line that has not ended yet
  std::string error;
};

constexpr char kErrorMark = '!';  // begins the line that tells why a body failed

void write_line(int fd, const std::string& text) {
  const std::string line = text + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t n = ::write(fd, line.data() + sent, line.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(1);  // nobody listens
    sent += static_cast<std::size_t>(n);
  }
}

[[noreturn]] void work(const Replicates& what, int index, int fd, pid_t parent) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (::getppid() != parent) ::_exit(1);
  ::setpgid(0, 0);  // Ctrl-C is the caller's business
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) ::signal(signal, SIG_DFL);
  int status = 0;
  try {
    what.body(index, [fd](const std::string& line) { write_line(fd, line); });
  } catch (const std::exception& error) {
    std::string message = error.what();
    for (char& c : message)
      if (c == '\n') c = ' ';
    write_line(fd, kErrorMark + message);
    status = 1;
  }
  ::_exit(status);
}

Worker start(const Replicates& what, int index) {
  int ends[2];
  if (::pipe(ends) != 0) throw Error(fmt::format("cannot start a run: pipe: {}", std::strerror(errno)));
  runner::Fd read(ends[0]), write(ends[1]);
  for (const int fd : ends) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw Error(fmt::format("cannot start a run: fork: {}", std::strerror(errno)));
  if (pid == 0) {
    read.close();
    work(what, index, write.get(), parent);
  }
  return {.index = index, .pid = pid, .out = std::move(read), .text = {}, .error = {}};
}

// What a process that has closed its pipe came to; empty when it ended well.
std::string outcome(Worker& worker) {
  int status = 0;
  while (::waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!worker.error.empty()) return worker.error;
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return fmt::format("killed by signal {} ({}){}", signal, ::strsignal(signal),
                       signal == SIGKILL ? "; the machine may have run out of memory: try fewer --jobs" : "");
  }
  return status == 0 ? "" : fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

class Workers {
 public:
  explicit Workers(const Replicates& what) : what_(what) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() { kill_all(); }

  void run() {
    int next = 0;
    while (true) {
      const int stop = what_.stop ? what_.stop->load(std::memory_order_relaxed) : 0;
      if (stop >= 2) return;
      while (stop == 0 && next < what_.count && static_cast<int>(running_.size()) < what_.jobs) {
        Worker worker = start(what_, next++);
        const int fd = worker.out.get();
        running_.emplace(fd, std::move(worker));
      }
      if (running_.empty()) return;
      listen();
      if (what_.on_tick) what_.on_tick(static_cast<int>(running_.size()));
    }
  }

 private:
  void listen() {
    std::vector<pollfd> fds;
    for (const auto& [fd, worker] : running_) fds.push_back({fd, POLLIN, 0});
    if (::poll(fds.data(), fds.size(), 200) < 0) {
      if (errno == EINTR) return;
      throw Error(fmt::format("waiting for runs: {}", std::strerror(errno)));
    }
    for (const pollfd& at : fds)
      if (at.revents != 0) hear(running_.at(at.fd));
  }

  void hear(Worker& worker) {
    char buffer[1 << 16];
    const ssize_t n = ::read(worker.out.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) return;
    if (n > 0) {
      worker.text.append(buffer, static_cast<std::size_t>(n));
      for (std::size_t end = 0; (end = worker.text.find('\n')) != std::string::npos; worker.text.erase(0, end + 1)) {
        const std::string_view line = std::string_view(worker.text).substr(0, end);
        if (line.starts_with(kErrorMark))
          worker.error = line.substr(1);
        else
          what_.on_line(worker.index, line);
      }
      return;
    }
    const std::string error = outcome(worker);
    const int index = worker.index;
    running_.erase(worker.out.get());
    what_.on_end(index, error);
  }

  void kill_all() {
    for (auto& [fd, worker] : running_) ::kill(worker.pid, SIGKILL);
    for (auto& [fd, worker] : running_) (void)outcome(worker);
    running_.clear();
  }

  const Replicates& what_;
  std::map<int, Worker> running_;  // by descriptor
};

}  // namespace

void replicate(const Replicates& what) { Workers(what).run(); }

}  // namespace salvo::benching
